import { useSelector } from '@xstate/react';
import { useId, useState } from 'react';
import { useMessages } from '../messages/use-messages';
import { emotionWord } from '../messages/name-of';
import { isAnswering, type PlayActor } from '../play/play-actor';
import { Portrait } from '../shell/portrait';
import { useSay } from '../shell/status';
import { portraitOf } from './portrait-of';
import { usePortraitsAhead } from './use-portraits-ahead';
import { VariableMeter } from './variable-meter';

/** The person and how it stands: portrait, name, the emotion as a word, meters of what the player may see. */
export function Person({ actor, onEnd }: { actor: PlayActor; onEnd: () => void }) {
  const messages = useMessages();
  const { stage } = messages;
  const scenario = useSelector(actor, (state) => state.context.scenario);
  const play = useSelector(actor, (state) => state.context.play);
  const canEnd = useSelector(
    actor,
    (state) =>
      state.matches({ scene: 'PlayerTurnReview' }) ||
      (isAnswering(state) && state.context.play?.session.flow_state === 'PlayerTurnListening') ||
      state.matches({ scene: 'AnsweringElsewhere' }) ||
      (state.matches({ scene: 'Error' }) && state.can({ type: 'END' })),
  );
  usePortraitsAhead(scenario);
  const say = useSay();
  const hintId = useId();
  const [hintFor, setHintFor] = useState<number | null>(null);
  if (scenario === null || play === null) return null;

  const { session, turns, lastDelta } = play;
  const emotion = turns.findLast((turn) => turn.role === 'npc')?.emotion ?? null;
  const portrait = portraitOf(scenario, emotion);
  const max = scenario.briefing.max_turns;
  const isOver = session.ending_type !== null;
  const line = Math.min(max, session.player_turn_count + (isOver ? 0 : 1));
  const isHintShown = session.hint !== null && hintFor === session.turn_count;
  const toggleHint = () => {
    setHintFor(isHintShown ? null : session.turn_count);
    say(isHintShown || session.hint === null ? '' : stage.hintSaid(session.hint));
  };
  return (
    <aside className="person" aria-label={scenario.npc.name}>
      {portrait !== null && <Portrait className="person-portrait" url={portrait.url} alt={portrait.alt} />}
      <div className="person-name">
        <p className="person-who" dir="auto">
          {scenario.npc.name}
        </p>
        {emotion !== null && <p className="person-emotion">{emotionWord(messages, emotion)}</p>}
      </div>
      <div className="meters" role="group" aria-label={stage.meters}>
        {scenario.variables
          .filter((variable) => variable.visibility === 'visible')
          .map((variable) => (
            <VariableMeter
              key={variable.name}
              variable={variable}
              value={session.state_vars[variable.name] ?? variable.default}
              change={lastDelta[variable.name] ?? 0}
            />
          ))}
      </div>
      <div className="person-foot">
        <p className="person-turn">{stage.lineOf(line, max)}</p>
        {session.hint !== null && canEnd && (
          <button
            type="button"
            className="button button-quiet"
            aria-expanded={isHintShown}
            aria-controls={hintId}
            onClick={toggleHint}
          >
            {isHintShown ? stage.hideHint : stage.hint}
          </button>
        )}
        {canEnd && (
          <button type="button" className="button button-quiet" onClick={onEnd}>
            {stage.end}
          </button>
        )}
      </div>
      <div id={hintId} className="person-hint" hidden={!isHintShown}>
        <p className="label">{stage.hintLabel}</p>
        <p dir="auto">{session.hint}</p>
      </div>
    </aside>
  );
}
