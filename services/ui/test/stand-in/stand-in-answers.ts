import { ServiceError, type EmittedMessage, type Turn, type TurnAnswer } from '@parley/shared/contracts';
import { stateMessage, type StandInSession } from './stand-in-sessions';

const OTHERS = [
  'Say that again, and begin with the figure.',
  'I can do something with that. Which week do you need an answer?',
  'Let me write that down first.',
  'One thing at a time, please.',
];

const answersOf = (one: StandInSession): Turn[] => (one.answers.length > 0 ? one.answers : one.turns.slice(-1));

/** What the character says when it is asked again. */
export function otherAnswer(one: StandInSession): Turn {
  const given = answersOf(one);
  const first = one.turns.at(-1);
  const text = OTHERS[given.length - 1];
  if (first?.role !== 'npc' || first.index === 1 || text === undefined)
    throw new ServiceError('INVALID_STATE', 'There is no answer that could be given again.');
  return { ...first, text, emotion: 'thoughtful', used_fallback: false };
}

/** This answer stands from now on. As far as the page can see it changes nothing but the words and an ending. */
function stands(one: StandInSession, turn: Turn, isFirst: boolean): TurnAnswer {
  const player = one.turns.at(-2) as Turn;
  one.turns = [...one.turns.slice(0, -1), turn];
  const undone = one.session.flow_state === 'Ended' && !isFirst;
  if (undone)
    one.session = {
      ...one.session,
      flow_state: 'PlayerTurnListening',
      ending_type: null,
      ending_id: null,
      ended_at: null,
    };
  const state_vars = one.session.state_vars;
  const events: EmittedMessage[] = [
    {
      type: 'npc.final',
      payload: { turn: turn.index, content: turn.text, emotion: turn.emotion, state_delta: {}, event_flags: [] },
    },
    { type: 'scenario.state_delta', payload: { delta: {}, state_vars } },
    ...(undone ? [stateMessage(one)] : []),
  ];
  return { session: one.session, player_turn: player, npc_turn: turn, events, used_fallback: turn.used_fallback };
}

export function answerAgain(one: StandInSession): TurnAnswer {
  const next = otherAnswer(one);
  const variants = answersOf(one).length + 1;
  one.answers = [...answersOf(one), next].map((turn, at) => ({ ...turn, variant: at + 1, variants }));
  return stands(one, one.answers.at(-1) as Turn, false);
}

export function chooseAnswer(one: StandInSession, variant: number): TurnAnswer {
  const wanted = one.answers[variant - 1];
  if (wanted === undefined) throw new ServiceError('VALIDATION_ERROR', 'There is no such answer.');
  return stands(one, wanted, variant === 1);
}
