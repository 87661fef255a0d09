import { z } from 'zod';
import { NextCursor, PageCursor, PageLimit, SessionId, Timestamp, TurnIndex, VariableValues } from './primitives';
import { ErrorCodeSchema } from './errors';

const State = z.enum(['NotStarted', 'PlayerTurnListening', 'Ended', 'DebriefGenerating', 'DebriefReady']);
const Ending = z.enum(['safety_stop', 'player_exit', 'success', 'failure', 'timeout']);

export const SessionStatePayload = z
  .object({
    state: State.describe('The flow state.'),
    state_vars: VariableValues,
    ending_type: Ending.nullable().describe('How it ended; null while it goes on.'),
    ending_id: z.string().nullable().describe("Id of the scenario's ending; null when it has none."),
  })
  .describe('Where the session stands.');
export const NpcTokenPayload = z
  .object({ text: z.string().describe('A piece of the utterance, decoded and ready to show.') })
  .describe('A piece of what the character says.');
export const NpcFinalPayload = z
  .object({
    turn: TurnIndex,
    content: z
      .string()
      .nullable()
      .describe('The whole utterance; replaces the tokens. null when the text was not kept.'),
    emotion: z.string().nullable().describe('How the character feels; null when nothing says so.'),
    state_delta: VariableValues.describe('The changes that were applied.'),
    event_flags: z.array(z.string()).describe('Flags that the turn raised.'),
  })
  .describe('What the character said, whole.');
export const StateDeltaPayload = z
  .object({
    delta: VariableValues.describe('Applied changes, after clamping and triggers; zero changes left out.'),
    state_vars: VariableValues.describe('All variables after the turn.'),
  })
  .describe('How the variables moved in a turn.');
export const ScenarioEventPayload = z
  .object({
    flags: z.array(z.string()).describe('Ids of the events that fired.'),
    narration: z.string().nullable().describe('Shown to the player.'),
  })
  .describe('A narrative event of the scenario fired.');
export const SafetyRedirectPayload = z
  .object({ reason: z.string().nullable().describe('Why; null when it was not kept.') })
  .describe('The conversation was redirected.');
export const ErrorPayload = z
  .object({
    code: ErrorCodeSchema,
    message: z.string().describe('One plain sentence.'),
    details: z.record(z.string(), z.unknown()).optional().describe('More, depending on the code.'),
  })
  .describe('Something went wrong.');

/** Every message type that is emitted, with its payload. One table: the socket, the HTTP answers and the documents use it. */
export const MESSAGE_PAYLOADS = {
  'session.state': SessionStatePayload,
  'npc.token': NpcTokenPayload,
  'npc.final': NpcFinalPayload,
  'scenario.state_delta': StateDeltaPayload,
  'scenario.event': ScenarioEventPayload,
  'safety.redirect': SafetyRedirectPayload,
  error: ErrorPayload,
} as const;
export type MessageType = keyof typeof MESSAGE_PAYLOADS;

/** When each message is emitted; for the WebSocket document. */
export const MESSAGE_SUMMARIES: Record<MessageType, string> = {
  'session.state': 'Any state transition; also on connect.',
  'npc.token': 'Each streamed piece of the utterance.',
  'npc.final': 'The reply of the character is complete and stored.',
  'scenario.state_delta': 'State variables were updated after a turn.',
  'scenario.event': 'A narrative event of the scenario fired.',
  'safety.redirect': 'The conversation was redirected for safety.',
  error: 'A processing error, fatal or not.',
};

/** Types that are reserved: never emitted now; clients accept and ignore them. */
export const RESERVED_MESSAGE_TYPES = ['stt.partial', 'stt.final', 'tts.audio_chunk'] as const;

const emitted = <T extends MessageType>(type: T) =>
  z.object({ type: z.literal(type).describe('What happened.'), payload: MESSAGE_PAYLOADS[type] });

/** A message without its envelope, as the events arrays of HTTP answers hold it. */
export const EmittedMessage = z
  .discriminatedUnion('type', [
    emitted('session.state'),
    emitted('npc.token'),
    emitted('npc.final'),
    emitted('scenario.state_delta'),
    emitted('scenario.event'),
    emitted('safety.redirect'),
    emitted('error'),
  ])
  .describe('What happened, as the WebSocket says it.');
export type EmittedMessage = z.infer<typeof EmittedMessage>;

const envelope = <T extends MessageType>(type: T) =>
  z.object({
    seq: z.int().min(1).describe('Per-session counter, strictly increasing; a gap means missed messages.'),
    session_id: z.string().describe('The session.'),
    type: z.literal(type).describe('What happened.'),
    ts: Timestamp,
    payload: MESSAGE_PAYLOADS[type],
  });

/** A whole WebSocket message. */
export const SocketMessage = z
  .discriminatedUnion('type', [
    envelope('session.state'),
    envelope('npc.token'),
    envelope('npc.final'),
    envelope('scenario.state_delta'),
    envelope('scenario.event'),
    envelope('safety.redirect'),
    envelope('error'),
  ])
  .describe('A WebSocket message.');
export type SocketMessage = z.infer<typeof SocketMessage>;

/** How many stored events after_seq=0 replays at the most. */
export const REPLAY_CAP = 50;

/** In the order in which one turn writes them. */
export const EVENT_KINDS = [
  'npc_opening',
  'npc_turn',
  'state_delta',
  'scenario_event',
  'safety_redirect',
  'safety_stop',
  'ending',
] as const;
export const EventKind = z.enum(EVENT_KINDS);
export type EventKind = z.infer<typeof EventKind>;

const Uttered = {
  emotion: z.string().nullable().describe('How the character feels; null when nothing says so.'),
  state_delta: VariableValues.describe('The changes that were applied.'),
  event_flags: z.array(z.string()).describe('Flags that the turn raised.'),
};
const Reason = z.string().nullable().describe('Why; null when it was not kept.');

/** Payloads of stored events. They refer to the turn's text by its index and never copy it. */
export const STORED_EVENT_PAYLOADS = {
  npc_opening: z.object(Uttered).describe('The opening line.'),
  npc_turn: z
    .object({
      ...Uttered,
      used_fallback: z.boolean().describe('Whether the fallback utterance stands in for the model.'),
      half_moves: z
        .array(z.string())
        .optional()
        .describe('Moves that only the model named: half of their effect counted, once.'),
      demo: z
        .object({
          line: z.int().min(0).nullable().describe("Place in the scenario's demo lines, from 0; null: a canned line."),
        })
        .optional()
        .describe('Only where the demo voice answered.'),
    })
    .describe('A reply of the character.'),
  state_delta: StateDeltaPayload,
  scenario_event: ScenarioEventPayload,
  safety_redirect: z
    .object({ action: z.enum(['redirect', 'refuse']).describe('What was done.'), reason: Reason })
    .describe('The conversation was redirected.'),
  safety_stop: z
    .object({
      action: z.enum(['stop', 'stop_with_resource_message']).describe('What was done.'),
      reason: Reason,
    })
    .describe('The conversation was stopped.'),
  ending: SessionStatePayload,
} as const;

const stored = <K extends EventKind>(kind: K) =>
  z.object({
    id: z.int().min(1).describe('Grows with time.'),
    session_id: SessionId,
    turn_index: z.int().min(0).nullable().describe('The turn that wrote it; null when none did.'),
    kind: z.literal(kind).describe('What happened.'),
    payload: STORED_EVENT_PAYLOADS[kind],
    superseded: z
      .literal(true)
      .optional()
      .describe('There when the event belongs to an answer that was put aside for another one.'),
    created_at: Timestamp,
  });

export const StoredEvent = z
  .discriminatedUnion('kind', [
    stored('npc_opening'),
    stored('npc_turn'),
    stored('state_delta'),
    stored('scenario_event'),
    stored('safety_redirect'),
    stored('safety_stop'),
    stored('ending'),
  ])
  .describe('A durable event.');
export type StoredEvent = z.infer<typeof StoredEvent>;

/** A durable event before it is stored: the store gives it its id, session and time. */
export type NewStoredEvent = {
  [K in EventKind]: { turn_index: number | null; kind: K; payload: z.infer<(typeof STORED_EVENT_PAYLOADS)[K]> };
}[EventKind];

export const ListEventsQuery = z.object({ limit: PageLimit, cursor: PageCursor.optional() });
export const EventList = z
  .object({ events: z.array(StoredEvent).describe('Oldest first.'), next_cursor: NextCursor })
  .describe('A page of stored events.');
export type EventList = z.infer<typeof EventList>;
