import { useSelector } from '@xstate/react';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { useMessages } from '../messages/use-messages';
import { isAnswering, type PlayActor } from '../play/play-actor';
import { isRecorded, retryPoint } from '../play/play-state';
import { AnswerChoice } from './answer-choice';
import { ScriptLine } from './script-line';
import { StandInReason } from './stand-in-reason';

/** How near to the end (in pixels) counts as reading along: then new words scroll into view. */
const READING_ALONG = 120;

const HAPPENING_CLASS = {
  event: 'stage-direction script-direction',
  redirect: 'stage-direction script-direction',
  help: 'script-direction help-note',
} as const;

interface TranscriptLogProps {
  readonly actor: PlayActor;
  readonly onRetry: ((turn: number) => void) | null;
}

/** Finished turns as a log; below it, out of reach of screen readers, the words that are being spoken. */
export function TranscriptLog({ actor, onRetry }: TranscriptLogProps) {
  const { stage } = useMessages();
  const scenario = useSelector(actor, (state) => state.context.scenario);
  const play = useSelector(actor, (state) => state.context.play);
  const pending = useSelector(actor, (state) => state.context.pending);
  const streamed = useSelector(actor, (state) => state.context.streamed);
  const streamedLate = useSelector(actor, (state) => state.context.streamedLate);
  const isAwaiting = useSelector(actor, isAnswering);
  const isAgain = useSelector(actor, (state) => state.matches({ scene: 'AnsweringAgain' }));
  const isElsewhere = useSelector(actor, (state) => state.matches({ scene: 'AnsweringElsewhere' }));
  const isFailed = useSelector(actor, (state) => state.matches({ scene: 'Error' }));
  const isOpening = useSelector(actor, (state) => state.matches({ scene: 'NpcOpening' }));
  const scroller = useRef<HTMLDivElement>(null);
  const readsAlong = useRef(true);

  const turnCount = play?.turns.length ?? 0;
  useLayoutEffect(() => {
    if (readsAlong.current) scrollToEnd(scroller.current);
  }, [turnCount, streamed, pending, play?.happenings.length]);
  // On a phone the heading of a new page has just taken the window to its top.
  useEffect(() => scrollToEnd(scroller.current), []);
  useEffect(() => {
    if (pending !== null) {
      readsAlong.current = true;
      scrollToEnd(scroller.current);
    }
  }, [pending]);
  if (scenario === null || play === null) return null;

  const name = scenario.npc.name;
  // An answer that is just being given again makes room for the words that come.
  const turns = isAgain ? play.turns.slice(0, -1) : play.turns;
  const ended = play.session.ending_type !== null;
  // Words that were not delivered stand where something can be done about them, not in the script.
  const shownPending = pending !== null && !isFailed && !isRecorded(pending, play) ? pending : null;
  return (
    <div
      className="script"
      ref={scroller}
      tabIndex={0}
      role="region"
      aria-label={stage.transcript}
      onScroll={({ currentTarget: box }) => {
        readsAlong.current = box.scrollHeight - box.scrollTop - box.clientHeight < READING_ALONG;
      }}
    >
      <div className="script-lines">
        {scenario.briefing.scene !== null && (
          <p className="stage-direction script-scene" dir="auto">
            {scenario.briefing.scene}
          </p>
        )}
        <div role="log" aria-label={stage.transcript}>
          {turns.map((turn) => (
            <div key={turn.index} id={`turn-${turn.index}`}>
              <ScriptLine
                turn={turn}
                name={name}
                onRetry={
                  onRetry !== null && turn.role === 'player' && retryPoint(play.turns, turn.index, ended) !== null
                    ? () => onRetry(turn.index)
                    : null
                }
              />
              {play.happenings
                .filter((happening) => happening.turn === turn.index)
                .map((happening, at) => (
                  <p key={at} className={HAPPENING_CLASS[happening.kind]} dir="auto">
                    {happening.text ?? stage.redirected}
                  </p>
                ))}
              {turn === play.turns.at(-1) && turn.used_fallback && <StandInReason />}
              {turn === play.turns.at(-1) && <AnswerChoice actor={actor} />}
            </div>
          ))}
        </div>
        {shownPending !== null && (
          <div className="line line-player" aria-hidden="true">
            <p className="line-who">{stage.you}</p>
            <p className="line-words" dir="auto">
              {shownPending.text}
            </p>
          </div>
        )}
        {(isAwaiting || (isElsewhere && streamed !== '')) && (
          <div className="line line-npc line-live" aria-hidden="true">
            <p className="line-who" dir="auto">
              {name}
            </p>
            <p className="line-words" dir="auto">
              {streamedLate && '… '}
              {streamed}
              <span className="caret" />
            </p>
          </div>
        )}
        {isOpening && <p className="stage-direction">{stage.opening(name)}</p>}
      </div>
    </div>
  );
}

/** In a wide window the log scrolls in itself; below that the page does. */
function scrollToEnd(box: HTMLDivElement | null): void {
  if (box === null) return;
  if (box.scrollHeight > box.clientHeight + 1) box.scrollTop = box.scrollHeight;
  else if (getComputedStyle(box).overflowY === 'visible') window.scrollTo(0, document.documentElement.scrollHeight);
}
