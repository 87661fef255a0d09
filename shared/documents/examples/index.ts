import type { EmittedMessage, MessageType } from '@parley/shared/contracts';
import { MODEL_EXAMPLES } from './model-examples';
import { PACK_EXAMPLES } from './pack-examples';
import { SESSION_EXAMPLES } from './session-examples';
import { SYSTEM_EXAMPLES } from './system-examples';
import { WORKBENCH_EXAMPLES } from './workbench-examples';
import { END_EVENTS, OTHER_EVENTS, SESSION_ID, TIMES, TURN_EVENTS } from './talk';

export { SESSION_ID };

/** What an operation is called with and what it answers, whichever operation it is. */
export interface AnyExample {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly request?: unknown;
  readonly responses: Readonly<Record<number, unknown>>;
  readonly texts?: Readonly<Record<string, string>>;
}

/** By operation. */
export const OPERATION_EXAMPLES: Readonly<Record<string, AnyExample | undefined>> = {
  ...SESSION_EXAMPLES,
  ...PACK_EXAMPLES,
  ...WORKBENCH_EXAMPLES,
  ...MODEL_EXAMPLES,
  ...SYSTEM_EXAMPLES,
};

const EVENTS: readonly EmittedMessage[] = [...TURN_EVENTS, ...END_EVENTS, ...OTHER_EVENTS];

/** A whole message of the WebSocket. */
export function messageExample(type: MessageType): Record<string, unknown> | undefined {
  const event = EVENTS.find((one) => one.type === type);
  return event === undefined ? undefined : { seq: 7, session_id: SESSION_ID, ts: TIMES.said, ...event };
}
