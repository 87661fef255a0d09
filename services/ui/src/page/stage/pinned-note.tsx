import { useSelector } from '@xstate/react';
import { useMemo } from 'react';
import { useMessages } from '../messages/use-messages';
import { lineOf } from '../messages/line-names';
import type { PlayActor } from '../play/play-actor';
import { pinnedSuggestion } from '../play/pinned-suggestion';

/** What this retry is for, in sight until the line is said again. */
export function PinnedNote({ actor, sessionId }: { actor: PlayActor; sessionId: string }) {
  const { pinned: words, judging } = useMessages();
  const pinned = useMemo(() => pinnedSuggestion.read(sessionId), [sessionId]);
  const isSaid = useSelector(
    actor,
    ({ context }) =>
      context.pending !== null || context.play?.turns.some(({ index }) => index === pinned?.turn) === true,
  );
  if (pinned === null || isSaid) return null;
  return (
    <section className="pinned" aria-label={words.title} tabIndex={0}>
      <p>
        <span className="label">{pinned.isLine ? words.better : words.suggestion}</span>{' '}
        <span dir="auto">{pinned.suggestion}</span>
      </p>
      {pinned.said !== null && (
        <p className="muted">
          <span className="label">{judging.youSaid(lineOf(pinned.turn))}</span> <span dir="auto">{pinned.said}</span>
        </p>
      )}
    </section>
  );
}
