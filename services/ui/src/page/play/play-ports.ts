import type {
  Difficulty,
  RuntimeHealth,
  ScenarioDetail,
  Session,
  SocketMessage,
  StartAnswer,
  Turn,
  TurnAnswer,
} from '@parley/shared/contracts';
import type { ApiError } from '../client/api-error';

/** zod's inferred type, under the name that the page uses. */
export type Scenario = import('zod').infer<typeof ScenarioDetail>;

/** Something that happened beside what was said: it is shown after its turn, as a stage direction or a quiet note. */
export interface Happening {
  readonly turn: number;
  readonly kind: 'event' | 'redirect' | 'help';
  readonly text: string | null;
}

/** Everything the stage shows, as the service has it now. */
export interface PlayState {
  readonly session: Session;
  readonly turns: readonly Turn[];
  readonly happenings: readonly Happening[];
  /** What the last turn changed. */
  readonly lastDelta: Readonly<Record<string, number>>;
}

/** A turn that was sent. Kept over a reload, so that the same key asks for its answer again. */
export interface PendingTurn {
  readonly text: string;
  readonly key: string;
  /** Turns that were stored when it was sent: more of them later means that it was recorded. */
  readonly turnCount: number;
}

export interface LiveEvents {
  readonly onMessage: (message: SocketMessage) => void;
  readonly onUp: (again: boolean) => void;
  readonly onDown: () => void;
  readonly onGap: () => void;
  readonly onGone: () => void;
}

export interface BeginChoice {
  readonly difficulty: Difficulty | null;
  readonly focus: string | null;
  /** Only at the easiest difficulty. */
  readonly coaching: boolean;
  /** Of the texts that the briefing showed: the talk goes on in it. null: the pack's first one. */
  readonly language: string | null;
}

/** What the play machine needs from the world. All promises reject with ApiError. */
export interface PlayPorts {
  loadScenario(id: string): Promise<Scenario>;
  loadPlay(sessionId: string, signal?: AbortSignal): Promise<PlayState>;
  /** Resolves as soon as the runtime is no longer starting. */
  waitForModel(signal: AbortSignal, onWaiting: (health: RuntimeHealth) => void): Promise<RuntimeHealth>;
  createSession(scenarioId: string, choice: BeginChoice): Promise<Session>;
  startSession(sessionId: string): Promise<StartAnswer>;
  takeTurn(sessionId: string, turn: PendingTurn): Promise<TurnAnswer>;
  /** The character answers the last words anew. */
  regenerate(sessionId: string, key: string): Promise<TurnAnswer>;
  /** Brings an earlier answer of the last turn back. */
  chooseVariant(sessionId: string, index: number, variant: number): Promise<TurnAnswer>;
  /** The player has begun to type. */
  hintTyping(sessionId: string): Promise<unknown>;
  cancelTurn(sessionId: string): Promise<unknown>;
  endSession(sessionId: string): Promise<{ session: Session }>;
  openSocket(sessionId: string, events: LiveEvents): { close(): void };
  readDraft(sessionId: string): string;
  writeDraft(sessionId: string, draft: string): void;
  readPending(sessionId: string): PendingTurn | null;
  writePending(sessionId: string, pending: PendingTurn | null): void;
  newKey(): string;
}

export type PlayInput =
  | { readonly kind: 'scenario'; readonly scenarioId: string; readonly ports: PlayPorts }
  | { readonly kind: 'session'; readonly sessionId: string; readonly ports: PlayPorts };

/** Where a failed step goes on from when the player tries again. */
export type ResumePoint = 'loading' | 'model' | 'opening' | 'turn' | 'again' | 'end';

export interface PlayContext {
  readonly input: PlayInput;
  readonly scenario: Scenario | null;
  readonly play: PlayState | null;
  /** Made by the briefing: the page goes to its stage. */
  readonly created: Session | null;
  readonly draft: string;
  readonly pending: PendingTurn | null;
  /** What the player asked for a moment before it was their turn. */
  readonly wish: 'SEND' | 'REVIEW' | null;
  /** Number of stored turns when the service was last told that the player types. */
  readonly toldTypingAt: number | null;
  /** Idempotency-Key of the other answer that was asked for last: a failed call is sent again with the same. */
  readonly againKey: string | null;
  /** The answer that is to be brought back. */
  readonly wantedVariant: number | null;
  readonly streamed: string;
  /** Whether the beginning of the streamed text was missed (a reload in mid-turn). */
  readonly streamedLate: boolean;
  /** Whether the end of this tab's own turn is still to come on the socket: tokens until then are its own, late. */
  readonly finalDue: boolean;
  readonly stopping: boolean;
  readonly runtime: RuntimeHealth | null;
  readonly error: ApiError | null;
  readonly resume: ResumePoint;
}

export type PlayEvent =
  | { readonly type: 'BEGIN'; readonly choice: BeginChoice }
  | { readonly type: 'DRAFT'; readonly text: string }
  /** Follows every DRAFT. */
  | { readonly type: 'TYPED' }
  | { readonly type: 'SEND' }
  | { readonly type: 'REVIEW' }
  | { readonly type: 'STOP' }
  /** Another answer to the last words, please. */
  | { readonly type: 'AGAIN' }
  | { readonly type: 'CHOOSE'; readonly variant: number }
  | { readonly type: 'END' }
  | { readonly type: 'RETRY' }
  | { readonly type: 'EDIT' }
  | { readonly type: 'CONTINUE' }
  | { readonly type: 'MESSAGE'; readonly message: SocketMessage }
  | { readonly type: 'WAITING'; readonly runtime: RuntimeHealth }
  | { readonly type: 'LINK_UP' }
  | { readonly type: 'LINK_DOWN' }
  | { readonly type: 'GONE' }
  | { readonly type: 'RESYNC' }
  | { readonly type: 'SYNCED' };
