import { useSelector } from '@xstate/react';
import { useState } from 'react';
import type { Messages } from '../messages/en';
import { variableName } from '../messages/name-of';
import { useMessages } from '../messages/use-messages';
import { isAnswering, isModelLoading, type PlayActor } from '../play/play-actor';
import type { PlayState, Scenario } from '../play/play-ports';

/**
 * What the status says: who is replying, and after a turn, once, how the meters moved and that it is the player's turn
 * again. A turn that was there when the page was opened is no news.
 */
export function useWhatHappens(actor: PlayActor): string {
  const messages = useMessages();
  const { stage } = messages;
  const [countAtFirst] = useState(() => actor.getSnapshot().context.play?.session.turn_count ?? 0);
  return useSelector(actor, (state) => {
    const { scenario, play } = state.context;
    if (scenario === null || play === null) return '';
    const moved = play.session.turn_count > countAtFirst ? metersMoved(messages, scenario, play) : [];
    if (isAnswering(state)) return stage.replying(scenario.npc.name);
    if (state.matches({ scene: 'AnsweringElsewhere' })) return stage.answeringElsewhere(scenario.npc.name);
    if (isModelLoading(state)) return stage.loadingModel;
    if (state.matches({ scene: 'NpcOpening' })) return stage.opening(scenario.npc.name);
    if (state.matches({ scene: 'PlayerTurnReview' })) return [...moved, stage.yourTurn].join('. ');
    if (state.matches({ scene: 'Finished' })) return moved.join('. ');
    return '';
  });
}

/** The visible meters that the last turn moved, each as one short sentence. */
function metersMoved(messages: Messages, scenario: Scenario, { session, lastDelta }: PlayState): string[] {
  return scenario.variables.flatMap(({ name, visibility, default: atFirst }) => {
    const change = lastDelta[name] ?? 0;
    if (visibility !== 'visible' || change === 0) return [];
    return [messages.stage.meterMoved(variableName(messages, name), session.state_vars[name] ?? atFirst, change)];
  });
}
