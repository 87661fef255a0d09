import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { ANSWERS_KEPT_HOURS, ServiceError, type RouteShape } from '@parley/shared/contracts';
import type { Answer } from './send-answer';
import type { Upload } from './read-upload';

export const ANSWERS_KEPT_MS = ANSWERS_KEPT_HOURS * 60 * 60 * 1000;
/** More than these are not kept in memory: the oldest go first. */
const KEPT_IN_MEMORY = 1_000;

/** An answer with which a repeat of its request is answered again. */
interface KeptAnswer {
  /** The operation and its path. */
  readonly scope: string;
  readonly key: string;
  /** Tells another request under the same key. */
  readonly request_digest: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly created_at: string;
  readonly expires_at: string;
}

/** Where answers are kept. */
export interface AnswerShelf {
  /** What is kept under the key; null when there is nothing, or what there is has expired at `now`, an ISO time. */
  find(scope: string, key: string, now: string): Promise<KeptAnswer | null>;
  /** Keeps an answer and lets those go that have expired. */
  keep(answer: KeptAnswer): Promise<void>;
}

/** Keeps answers for as long as the process runs. */
export function memoryShelf(limit = KEPT_IN_MEMORY): AnswerShelf {
  const answers = new Map<string, KeptAnswer>();
  const place = (scope: string, key: string): string => `${scope}\n${key}`;
  return {
    find: (scope, key, now) => {
      const kept = answers.get(place(scope, key));
      return Promise.resolve(kept !== undefined && kept.expires_at > now ? kept : null);
    },
    keep: (answer) => {
      answers.delete(place(answer.scope, answer.key));
      answers.set(place(answer.scope, answer.key), answer);
      // Oldest first: what is kept anew goes to the end.
      for (const [at, { expires_at }] of answers) {
        if (expires_at > answer.created_at && answers.size <= limit) break;
        answers.delete(at);
      }
      return Promise.resolve();
    },
  };
}

/** A request that may be a repeat. */
export interface RepeatableCall {
  readonly route: RouteShape;
  readonly key: string | undefined;
  readonly params?: Readonly<Record<string, string>>;
  /** What makes it the same request: its parsed body and query. */
  readonly request: unknown;
  /** The file that came with it, compared byte by byte through its digest. */
  readonly upload?: Upload | null;
}

/** Makes the row that `run` stores itself, in the transaction of what it does; null for a call without a key. */
export type ToKeep = (answer: Answer) => KeptAnswer | null;

interface Running {
  readonly digest: string;
  readonly answer: Promise<Answer>;
}

const reused = (): ServiceError =>
  new ServiceError(
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key was used with another request; use a new key for a new request.',
  );

async function digestOf({ request, upload }: RepeatableCall): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(request) ?? '');
  if (upload) for await (const piece of createReadStream(upload.path)) hash.update(piece as Buffer);
  return hash.digest('base64url');
}

const firstStatus = (route: RouteShape): number => Number(Object.keys(route.responses)[0]);

/**
 * What an Idempotency-Key does for operations that create something: a repeat within 24 hours answers status and body of
 * the first success, and waits for it while it runs. A request that fails frees its key.
 */
export class KeptAnswers {
  private readonly running = new Map<string, Running>();

  constructor(
    private readonly shelf: AnswerShelf,
    private readonly now: () => Date = () => new Date(),
  ) {}

  /**
   * Runs the operation, or answers what its first run answered. `run` may store what `toKeep` makes of its answer in a
   * transaction of its own; an answer for which it did not is kept when it has returned.
   * @throws ServiceError IDEMPOTENCY_KEY_REUSED when the key came with another request; what `run` throws.
   */
  async once(call: RepeatableCall, run: (toKeep: ToKeep) => Promise<Answer>): Promise<Answer> {
    const { key, route } = call;
    if (key === undefined) return run(() => null);
    const digest = await digestOf(call);
    const scope = `${route.operation} ${JSON.stringify(call.params ?? {})}`;
    const place = `${scope}\n${key}`;
    const running = this.running.get(place);
    if (running !== undefined) {
      if (running.digest !== digest) throw reused();
      return running.answer;
    }
    const answer = this.answerOnce({ scope, key, digest, route }, run).finally(() => this.running.delete(place));
    this.running.set(place, { digest, answer });
    return answer;
  }

  private async answerOnce(
    { scope, key, digest, route }: { scope: string; key: string; digest: string; route: RouteShape },
    run: (toKeep: ToKeep) => Promise<Answer>,
  ): Promise<Answer> {
    const given = async (): Promise<Answer | null> => {
      const kept = await this.shelf.find(scope, key, this.now().toISOString());
      if (kept === null) return null;
      if (kept.request_digest !== digest) throw reused();
      return { status: kept.status, headers: kept.headers, body: kept.body };
    };
    const earlier = await given();
    if (earlier !== null) return earlier;
    let isStored = false;
    const toKeep = (answer: Answer): KeptAnswer => {
      const at = this.now();
      return {
        scope,
        key,
        request_digest: digest,
        status: answer.status ?? firstStatus(route),
        headers: answer.headers ?? {},
        body: answer.body,
        created_at: at.toISOString(),
        expires_at: new Date(at.getTime() + ANSWERS_KEPT_MS).toISOString(),
      };
    };
    try {
      const answer = await run((made) => {
        isStored = true;
        return toKeep(made);
      });
      if (!isStored) await this.shelf.keep(toKeep(answer));
      return answer;
    } catch (error) {
      // Another process may have been faster with the same request: what it has kept is the answer to this one, too.
      const other = await given().catch((reason: unknown) => {
        throw reason instanceof ServiceError && reason.code === 'IDEMPOTENCY_KEY_REUSED' ? reason : error;
      });
      if (other === null) throw error;
      return other;
    }
  }
}
