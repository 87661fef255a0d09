import { createActor } from 'xstate';
import type { Session, SocketMessage, Turn, TurnAnswer } from '@parley/shared/contracts';
import { ApiError } from '../src/page/client/api-error';
import { playMachine } from '../src/page/play/play-machine';
import type { LiveEvents, PendingTurn, PlayPorts, PlayState, Scenario } from '../src/page/play/play-ports';

/** A promise that the test settles. */
class Answer<T> {
  resolve!: (value: T) => void;
  reject!: (error: unknown) => void;
  readonly promise = new Promise<T>((resolve, reject) => {
    this.resolve = resolve;
    this.reject = reject;
  });
}

export const SESSION = {
  id: 'a-session-of-the-test',
  scenario_id: 'the_ask',
  flow_state: 'PlayerTurnListening',
  state_vars: { trust: 50 },
  ending_type: null,
  turn_count: 1,
  player_turn_count: 0,
  transcript_saved: true,
} as unknown as Session;

export const turn = (index: number, role: Turn['role'], text: string | null): Turn => ({
  index,
  role,
  text,
  emotion: null,
  used_fallback: false,
  created_at: '2026-01-01T00:00:00.000Z',
});

export const playing = (session: Partial<Session> = {}, turns = [turn(1, 'npc', 'Come in.')]): PlayState => ({
  session: { ...SESSION, ...session },
  turns,
  happenings: [],
  lastDelta: {},
});

export const answered = (text: string, more: Partial<TurnAnswer> = {}): TurnAnswer => ({
  session: { ...SESSION, turn_count: 3, player_turn_count: 1, state_vars: { trust: 56 } },
  player_turn: turn(2, 'player', text),
  npc_turn: turn(3, 'npc', 'I see.'),
  events: [{ type: 'scenario.state_delta', payload: { delta: { trust: 6 }, state_vars: { trust: 56 } } }],
  used_fallback: false,
  ...more,
});

export const message = (type: string, payload: unknown, seq = 1) =>
  ({ seq, session_id: SESSION.id, ts: '2026-01-01T00:00:00.000Z', type, payload }) as SocketMessage;

/** The machine with a world that the test plays. */
export function stage(given: { play?: PlayState; draft?: string; pending?: PendingTurn | null } = {}) {
  const world = {
    loads: [] as string[],
    play: given.play ?? playing(),
    starts: [] as Answer<{ session: Session; turn: Turn; events: [] }>[],
    turns: [] as { sent: PendingTurn; answer: Answer<TurnAnswer> }[],
    agains: [] as { key: string; answer: Answer<TurnAnswer> }[],
    choices: [] as { index: number; variant: number; answer: Answer<TurnAnswer> }[],
    ends: 0,
    endFails: null as ApiError | null,
    cancels: 0,
    hints: 0,
    draft: given.draft ?? '',
    pending: given.pending ?? null,
    live: undefined as LiveEvents | undefined,
    model: 'READY' as 'READY' | 'UNAVAILABLE',
  };
  const ports: PlayPorts = {
    loadScenario: () => Promise.resolve({ id: 'the_ask' } as Scenario),
    loadPlay: (id) => {
      world.loads.push(id);
      return Promise.resolve(world.play);
    },
    waitForModel: () =>
      Promise.resolve({
        runtime_id: 'fake',
        runtime_name: 'Demo',
        status: world.model,
        model_id: null,
        latency_ms: 0,
        message: 'Start it.',
        checked_at: '2026-01-01T00:00:00.000Z',
      }),
    createSession: () => Promise.resolve({ ...SESSION, flow_state: 'NotStarted' }),
    startSession: () => {
      const answer = new Answer<{ session: Session; turn: Turn; events: [] }>();
      world.starts.push(answer);
      return answer.promise;
    },
    takeTurn: (_, sent) => {
      const answer = new Answer<TurnAnswer>();
      world.turns.push({ sent, answer });
      return answer.promise;
    },
    regenerate: (_, key) => {
      const answer = new Answer<TurnAnswer>();
      world.agains.push({ key, answer });
      return answer.promise;
    },
    chooseVariant: (_, index, variant) => {
      const answer = new Answer<TurnAnswer>();
      world.choices.push({ index, variant, answer });
      return answer.promise;
    },
    hintTyping: () => {
      world.hints += 1;
      return Promise.reject(ApiError.unreachable(new TypeError('failed to fetch')));
    },
    cancelTurn: () => {
      world.cancels += 1;
      return Promise.resolve();
    },
    endSession: () => {
      world.ends += 1;
      if (world.endFails !== null) return Promise.reject(world.endFails);
      return Promise.resolve({ session: { ...SESSION, flow_state: 'Ended', ending_type: 'player_exit' } });
    },
    openSocket: (_, events) => {
      world.live = events;
      return { close: () => undefined };
    },
    readDraft: () => world.draft,
    writeDraft: (_, draft) => void (world.draft = draft),
    readPending: () => world.pending,
    writePending: (_, pending) => void (world.pending = pending),
    newKey: () => `key-${world.turns.length + world.agains.length + 1}`,
  };
  const actor = createActor(playMachine, { input: { kind: 'session', sessionId: SESSION.id, ports } }).start();
  return { world, actor, ports };
}

export type Actor = ReturnType<typeof stage>['actor'];

/** Lets promises that are settled already run their reactions. */
export async function settle(): Promise<void> {
  for (let turns = 0; turns < 20; turns += 1) await Promise.resolve();
}

export const sceneOf = (actor: Actor): string => JSON.stringify(actor.getSnapshot().value.scene);

export async function myTurn(given: Parameters<typeof stage>[0] = {}) {
  const one = stage(given);
  await settle();
  return one;
}

export async function say(actor: Actor, text: string): Promise<void> {
  actor.send({ type: 'DRAFT', text });
  actor.send({ type: 'SEND' });
  await settle();
}
