import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import entityTag from 'etag';
import type { Context } from 'koa';
import type { RouteShape } from '@parley/shared/contracts';

export interface Answer {
  /** Default: the route's first response. */
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** A body that is not JSON: bytes, text, or a stream. */
  readonly content?: Buffer | string | Readable;
  /** Writes the answer itself, with back-pressure; status and headers are set already. Ends the response. */
  readonly write?: (response: ServerResponse) => Promise<void>;
}

/** As text: an object would make Koa look whether it is a `Response`, and Node then loads its whole fetch (4.5 MB). */
export function answerJson(ctx: Context, body: unknown): void {
  ctx.body = JSON.stringify(body);
  ctx.set('Content-Type', 'application/json; charset=utf-8');
}

/**
 * Tags the answer, and leaves its body out when the caller holds the same already. The tag is a weak one: compressed or not,
 * it is the same answer. One that another process tagged comes with its tag.
 */
function answerUnlessKnown(ctx: Context): void {
  ctx.vary('Accept-Encoding');
  ctx.set('Cache-Control', 'no-cache');
  if (typeof ctx.body === 'string') ctx.set('ETag', entityTag(ctx.body, { weak: true }));
  if (!ctx.fresh) return;
  if (ctx.body instanceof Readable) ctx.body.resume();
  ctx.status = 304;
  ctx.body = null;
}

/**
 * A stream that fails while the answer is on its way: Koa would leave the caller waiting for the rest. Before the first
 * byte there is still time for a problem; afterwards only the end of the connection says that it is not whole.
 */
function failWithStream(
  ctx: Context,
  stream: Readable,
  headers: Readonly<Record<string, string>>,
  onFailure: (error: Error) => void,
): void {
  stream.once('error', (error) => {
    // It was the caller who went away, and the stream was given up for that.
    if (ctx.res.destroyed) return;
    const wasBegun = ctx.res.headersSent;
    if (!wasBegun) for (const name of Object.keys(headers)) ctx.res.removeHeader(name);
    onFailure(error);
    if (!wasBegun) ctx.res.end(ctx.body);
  });
}

export interface SendOptions {
  /** Whether the body is held against the route's contract. */
  readonly validate: boolean;
  /** Told of a stream that failed; puts the error in the place of the answer while that can be done. */
  readonly onFailure: (error: Error) => void;
}

/**
 * Sends what a handler answered: JSON, bytes, a stream, or what it writes itself.
 * @throws Error when the body breaks the route's contract
 */
export async function sendAnswer(ctx: Context, route: RouteShape, answer: Answer, options: SendOptions): Promise<void> {
  const status = answer.status ?? Number(Object.keys(route.responses)[0] ?? 200);
  if (answer.write !== undefined) {
    // Past Koa, like what is written.
    ctx.respond = false;
    ctx.res.statusCode = status;
    for (const [name, value] of Object.entries(answer.headers ?? {})) ctx.res.setHeader(name, value);
    await answer.write(ctx.res);
    return;
  }
  ctx.status = status;
  if (answer.headers !== undefined) {
    // What has a mark of its version may be kept, if it is asked about each time.
    if (answer.headers['ETag'] !== undefined) ctx.set('Cache-Control', 'no-cache');
    ctx.set({ ...answer.headers });
  }
  if (answer.content !== undefined) {
    if (answer.content instanceof Readable)
      failWithStream(ctx, answer.content, answer.headers ?? {}, options.onFailure);
    ctx.body = answer.content;
    // What comes piece by piece passes through: whoever made it has compressed it, or had a reason not to.
    if (answer.content instanceof Readable) ctx['compress'] = false;
  } else if (answer.body !== undefined) {
    const schema = route.responses[status]?.schema;
    if (options.validate && schema !== undefined) {
      const result = schema.safeParse(answer.body);
      if (!result.success)
        throw new Error(`response of ${route.operation} breaks its contract`, { cause: result.error });
    }
    answerJson(ctx, answer.body);
  } else ctx.body = null;
  if (answer.body === undefined && answer.content === undefined) ctx.status = status;
  if (route.hasEntityTag === true && status < 400) answerUnlessKnown(ctx);
}
