import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Pack } from '@parley/shared/contracts';
import { PAGE_PATHS } from '../../page-paths';
import { callApi } from '../client/call-api';
import { useMessages } from '../messages/use-messages';
import { Failure } from '../shell/failure';
import { Loading } from '../shell/loading';
import { PageHeading } from '../shell/page-heading';
import { RemoveDialog } from '../shell/remove-dialog';
import { useSay } from '../shell/status';
import { TAKES_FOCUS, useFocusAfterRemoval } from '../shell/use-focus-after-removal';
import { ImportPack } from './import-pack';
import './packs.css';

/** Ids of packs that are made from a form begin with it. */
const PERSONAL = 'my.';

export function PacksPage() {
  const { packs: words, workbench } = useMessages();
  const cache = useQueryClient();
  const say = useSay();
  const { data, error, refetch } = useQuery({ queryKey: ['packs'], queryFn: () => callApi('listPacks', {}) });
  const [removing, setRemoving] = useState<Pack | null>(null);
  const refresh = async () => {
    await cache.invalidateQueries({ queryKey: ['packs'] });
    await cache.invalidateQueries({ queryKey: ['scenarios'] });
  };
  const { list, expectRemoval } = useFocusAfterRemoval<HTMLUListElement>(data?.packs.map((pack) => pack.pack_id));
  return (
    <div className="page packs">
      <header>
        <PageHeading title={words.title} />
        <p className="reading muted">{words.intro}</p>
      </header>
      {error !== null && <Failure title={words.failed} error={error} onRetry={() => void refetch()} />}
      {error === null && data === undefined && <Loading />}
      <RemoveDialog
        asked={removing && { id: removing.pack_id, title: words.removeTitle(removing.name) }}
        text={words.removeText}
        confirm={words.remove}
        expectRemoval={expectRemoval}
        remove={(packId) => callApi('deletePack', { params: { pack_id: packId } })}
        onRemoved={async () => {
          await refresh();
          say(words.removed);
        }}
        onClose={() => setRemoving(null)}
      />
      <ul className="packs-list" ref={list}>
        {data?.packs.map((pack) => (
          <li key={pack.pack_id}>
            <article className="packs-row">
              <div>
                <h2 dir="auto" {...TAKES_FOCUS}>
                  {pack.name}
                </h2>
                <p className="reading" dir="auto">
                  {pack.description}
                </p>
                <ul className="scenario-facts">
                  <li>{pack.pack_id}</li>
                  <li>{pack.version}</li>
                  <li dir="auto">{words.by(pack.author)}</li>
                  <li dir="auto">{pack.license}</li>
                  <li>{pack.content_rating}</li>
                  <li>{words.scenarios(pack.scenario_count)}</li>
                  {pack.built_in && <li>{words.builtIn}</li>}
                  {pack.pack_id.startsWith(PERSONAL) && <li>{words.personal}</li>}
                </ul>
              </div>
              {!pack.built_in && (
                <button
                  type="button"
                  className="button button-quiet button-danger"
                  aria-label={`${words.remove}: ${pack.name}`}
                  onClick={() => setRemoving(pack)}
                >
                  {words.remove}
                </button>
              )}
            </article>
          </li>
        ))}
      </ul>
      <section className="notice">
        <h2>{workbench.title}</h2>
        <p className="reading">{workbench.teaserText}</p>
        <div className="actions">
          <Link className="button" href={PAGE_PATHS.workbench}>
            {workbench.teaser}
          </Link>
        </div>
      </section>
      <ImportPack packs={data?.packs ?? []} onImported={refresh} />
    </div>
  );
}
