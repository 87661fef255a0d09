import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { Draft } from '@parley/shared/contracts';
import { pagePath } from '../../page-paths';
import { callApi } from '../client/call-api';
import { useMessages } from '../messages/use-messages';
import { Failure } from '../shell/failure';
import { Loading } from '../shell/loading';
import { PageHeading } from '../shell/page-heading';
import { RemoveDialog } from '../shell/remove-dialog';
import { useSay } from '../shell/status';
import { TAKES_FOCUS, useFocusAfterRemoval } from '../shell/use-focus-after-removal';
import { CopyPack } from './copy-pack';
import { NewPackForm } from './new-pack-form';
import './workbench.css';

/** Packs that are being written, and the ways to begin one. */
export function WorkbenchPage() {
  const { workbench: words } = useMessages();
  const [, navigate] = useLocation();
  const cache = useQueryClient();
  const opened = async (draft: Draft) => {
    await cache.invalidateQueries({ queryKey: ['drafts'] });
    navigate(pagePath('draft', draft.draft_id));
  };
  return (
    <div className="page sectioned workbench">
      <header>
        <PageHeading title={words.title} />
        <p className="reading">{words.intro}</p>
      </header>
      <DraftList />
      <NewPackForm onMade={opened} />
      <CopyPack onMade={opened} />
    </div>
  );
}

function DraftList() {
  const { workbench: words, language } = useMessages();
  const cache = useQueryClient();
  const say = useSay();
  const [removing, setRemoving] = useState<Draft | null>(null);
  const { data, error, refetch } = useQuery({ queryKey: ['drafts'], queryFn: () => callApi('listDrafts', {}) });
  const { list, expectRemoval } = useFocusAfterRemoval<HTMLUListElement>(data?.drafts.map((draft) => draft.draft_id));
  const day = (time: string) => new Date(time).toLocaleDateString(language, { dateStyle: 'medium' });
  return (
    <section>
      <h2>{words.drafts}</h2>
      {error !== null && <Failure title={words.failed} error={error} onRetry={() => void refetch()} />}
      {error === null && data === undefined && <Loading />}
      <RemoveDialog
        asked={removing && { id: removing.draft_id, title: words.removeTitle(removing.name) }}
        text={words.removeText}
        confirm={words.remove}
        expectRemoval={expectRemoval}
        remove={(draftId) => callApi('deleteDraft', { params: { draft_id: draftId } })}
        onRemoved={async () => {
          await cache.invalidateQueries({ queryKey: ['drafts'] });
          say(words.removed);
        }}
        onClose={() => setRemoving(null)}
      />
      {data?.drafts.length === 0 && <p className="reading muted">{words.noDrafts}</p>}
      <ul className="workbench-drafts" ref={list}>
        {data?.drafts.map((draft) => (
          <li key={draft.draft_id}>
            <div>
              <h3 dir="auto" {...TAKES_FOCUS}>
                <Link href={pagePath('draft', draft.draft_id)}>{draft.name}</Link>
              </h3>
              <p className="small muted">
                {draft.pack_id ?? draft.draft_id} · {words.changed(day(draft.changed_at))}
              </p>
            </div>
            <button
              type="button"
              className="button button-quiet button-danger"
              aria-label={words.removeOne(draft.name)}
              onClick={() => setRemoving(draft)}
            >
              {words.remove}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
