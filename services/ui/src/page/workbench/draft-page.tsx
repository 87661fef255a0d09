import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useState } from 'react';
import { Link } from 'wouter';
import { PAGE_PATHS } from '../../page-paths';
import { callApi } from '../client/call-api';
import { useMessages } from '../messages/use-messages';
import { Failure } from '../shell/failure';
import { Loading } from '../shell/loading';
import { PageHeading } from '../shell/page-heading';
import { DraftActions } from './draft-actions';
import type { Goal } from './code-editor';
import { DraftFiles } from './draft-files';
import { useDraftCheck } from './use-draft-check';
import { useDraftFile } from './use-draft-file';
import './workbench.css';

// The picture needs d3, and most visits are for a file.
const DraftStory = lazy(async () => ({ default: (await import('./draft-story')).DraftStory }));
const DraftTalkView = lazy(async () => ({ default: (await import('./draft-talk')).DraftTalkView }));

const VIEWS = ['files', 'story', 'talk'] as const;
type View = (typeof VIEWS)[number];

/** One draft: its files in an editor that is checked while one types, its story as a picture, and a talk to try it. */
export function DraftPage({ draftId }: { draftId: string }) {
  const { draft: words, draftTalk: talkWords } = useMessages();
  const { data, error, refetch } = useQuery({
    queryKey: ['draft', draftId],
    queryFn: () => callApi('getDraft', { params: { draft_id: draftId } }),
  });
  const [view, setView] = useState<View>('files');
  const [goal, setGoal] = useState<(Goal & { readonly path: string }) | null>(null);
  const check = useDraftCheck(draftId);
  const { run } = check;
  const onSaved = useCallback(() => {
    run();
    void refetch();
  }, [run, refetch]);
  const file = useDraftFile(draftId, onSaved);
  const isReady = check.check?.valid === true && !check.isChecking && file.save.state === 'saved';
  const filesChanged = async () => {
    run();
    await refetch();
  };
  return (
    <div className="page workbench workbench-draft">
      <header>
        <p className="small">
          <Link href={PAGE_PATHS.workbench}>{words.back}</Link>
        </p>
        <PageHeading title={data?.name ?? draftId} />
        {data !== undefined && <p className="small muted workbench-folder">{words.folder(data.folder)}</p>}
      </header>
      {error !== null && <Failure title={words.failed} error={error} onRetry={() => void refetch()} />}
      {error === null && data === undefined && <Loading />}
      {data !== undefined && (
        <>
          <DraftActions
            draftId={draftId}
            isReady={isReady}
            isChecking={check.isChecking || file.save.state !== 'saved'}
            flush={file.flush}
          />
          <nav aria-label={words.views}>
            <ul className="workbench-views">
              {VIEWS.map((one) => (
                <li key={one}>
                  <button
                    type="button"
                    className="button button-quiet"
                    aria-current={view === one ? 'true' : undefined}
                    onClick={() => {
                      file.settle();
                      setGoal(null);
                      setView(one);
                    }}
                  >
                    {words.view[one]}
                  </button>
                </li>
              ))}
            </ul>
          </nav>
          {view === 'files' && (
            <DraftFiles draft={data} file={file} check={check} goal={goal} onFilesChanged={filesChanged} />
          )}
          <Suspense fallback={<Loading />}>
            {view === 'story' && (
              <DraftStory
                stories={check.check?.stories ?? []}
                onGo={(path, line) => {
                  setGoal({ path, line, column: 1 });
                  setView('files');
                }}
              />
            )}
            {view === 'talk' && check.check?.valid === true && (
              <DraftTalkView
                draftId={draftId}
                stories={check.check.stories}
                names={check.check.names}
                onRecorded={filesChanged}
              />
            )}
            {view === 'talk' && check.check?.valid !== true && <p className="reading">{talkWords.mendFirst}</p>}
          </Suspense>
        </>
      )}
    </div>
  );
}
