import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useRef, useState } from 'react';
import type { SessionListItem } from '@parley/shared/contracts';
import { callApi } from '../client/call-api';
import { useMessages } from '../messages/use-messages';
import { ratingChoice } from '../debrief/rating-choice';
import { sessionMemory } from '../play/session-memory';
import { Failure } from '../shell/failure';
import { Loading } from '../shell/loading';
import { PageHeading } from '../shell/page-heading';
import { RemoveDialog } from '../shell/remove-dialog';
import { useSay } from '../shell/status';
import { useFocusAfterRemoval } from '../shell/use-focus-after-removal';
import { ClearEverything } from './clear-everything';
import { HistoryRow } from './history-row';
import './history.css';

export function HistoryPage() {
  const { history, app } = useMessages();
  const cache = useQueryClient();
  const say = useSay();
  const [words, setWords] = useState('');
  const wanted = useDeferredValue(words.trim());
  const [removing, setRemoving] = useState<SessionListItem | null>(null);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['sessions', wanted],
    queryFn: ({ pageParam }) =>
      callApi('listSessions', {
        query: {
          limit: 20,
          ...(wanted === '' ? {} : { q: wanted }),
          ...(pageParam === null ? {} : { cursor: pageParam }),
        },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: (previous) => previous,
    staleTime: 0,
  });
  const sessions = data?.pages.flatMap((page) => page.sessions);
  const { list, expectRemoval } = useFocusAfterRemoval<HTMLUListElement>(sessions?.map((session) => session.id));

  const shownBefore = useRef<number | null>(null);
  const count = sessions?.length ?? 0;
  useEffect(() => {
    const first = shownBefore.current;
    if (first === null || count <= first) return;
    shownBefore.current = null;
    // The button went with the last page: one goes on at the first row that came.
    if (document.activeElement === document.body)
      list.current?.querySelectorAll<HTMLElement>('[data-takes-focus]')[first]?.focus();
  }, [count, list]);

  return (
    <div className="page">
      <header>
        <PageHeading title={history.title} />
      </header>
      <form className="history-search" role="search" onSubmit={(event) => event.preventDefault()}>
        <label className="field">
          <span>{history.search}</span>
          <input className="input" type="search" value={words} onChange={(event) => setWords(event.target.value)} />
        </label>
      </form>
      {error !== null && <Failure title={history.failed} error={error} onRetry={() => void refetch()} />}
      <RemoveDialog
        asked={removing && { id: removing.id, title: history.removeTitle }}
        text={history.removeText}
        confirm={history.remove}
        expectRemoval={expectRemoval}
        remove={(id) => callApi('deleteSession', { params: { id } })}
        onRemoved={async (id) => {
          sessionMemory.forget(id);
          ratingChoice.forget(id);
          await cache.invalidateQueries({ queryKey: ['sessions'] });
          say(history.deleted);
        }}
        onClose={() => setRemoving(null)}
      />
      {error === null && sessions === undefined && <Loading />}
      {sessions?.length === 0 && (
        <div className="notice">
          <p>{wanted === '' ? `${history.none} ${history.noneHint}` : history.noMatch}</p>
        </div>
      )}
      {sessions !== undefined && sessions.length > 0 && (
        <ul className="history-list" ref={list}>
          {sessions.map((session) => (
            <li key={session.id}>
              <HistoryRow session={session} onRemove={() => setRemoving(session)} />
            </li>
          ))}
        </ul>
      )}
      <div className="actions history-more">
        {hasNextPage && (
          <button
            type="button"
            className="button"
            onClick={() => {
              shownBefore.current = count;
              void fetchNextPage();
            }}
          >
            {isFetchingNextPage ? app.loading : history.more}
          </button>
        )}
      </div>
      {wanted === '' && sessions !== undefined && <ClearEverything isThereAnything={sessions.length > 0} />}
    </div>
  );
}
