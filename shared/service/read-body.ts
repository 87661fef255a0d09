import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { parse as parseContentType } from 'content-type';
import { parse } from 'secure-json-parse';
import { ServiceError, type RouteShape } from '@parley/shared/contracts';

/** How long a JSON body may take to arrive. */
const BODY_TIMEOUT_MS = 30_000;
/** Deeper nesting than any request has; naive code recurses into it and dies. */
const MAX_DEPTH = 64;

function hasBody(request: IncomingMessage): boolean {
  if (request.headers['transfer-encoding'] !== undefined) return true;
  return Number(request.headers['content-length'] ?? 0) > 0;
}

export type BodyMedia = 'json' | 'multipart' | 'absent';

const unsupported = (expected: string): ServiceError =>
  new ServiceError('UNSUPPORTED_MEDIA_TYPE', `Send the body as ${expected}.`);

/** Says what the body is, before a byte of it is read. @throws ServiceError UNSUPPORTED_MEDIA_TYPE. */
export function bodyMedia(request: IncomingMessage, route: RouteShape): BodyMedia {
  const allowsUpload = route.bodyKind === 'json_or_multipart';
  const expected = allowsUpload ? 'application/json, or as multipart/form-data with a file' : 'application/json';
  const header = request.headers['content-type'];
  if (header === undefined) {
    if (hasBody(request) || route.bodyKind === 'json' || allowsUpload) throw unsupported(expected);
    return 'absent';
  }
  if (request.headers['content-encoding'] !== undefined && request.headers['content-encoding'] !== 'identity')
    throw unsupported(`${expected}, not compressed`);
  let type: { type: string; parameters: Record<string, string> };
  try {
    type = parseContentType(header);
  } catch {
    throw unsupported(expected);
  }
  if (allowsUpload && type.type === 'multipart/form-data') return 'multipart';
  const charset = type.parameters['charset']?.toLowerCase() ?? 'utf-8';
  if (type.type !== 'application/json' || (charset !== 'utf-8' && charset !== 'utf8')) throw unsupported(expected);
  return 'json';
}

function tooLarge(limit: number): ServiceError {
  return new ServiceError('PAYLOAD_TOO_LARGE', `The body is larger than the ${limit} bytes that are allowed.`, {
    headers: { Connection: 'close' },
  });
}

const badJson = (why: string): ServiceError => new ServiceError('BAD_JSON', `The body is not usable JSON: ${why}.`);

/** Reads on only as far as the limit: what comes after it is never held. */
function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let size = 0;
    let timer: NodeJS.Timeout | null = null;
    let isSettled = false;
    // The listeners stay: taking them away costs every call more than a look at a flag, and later errors need one anyway.
    const settle = (error: ServiceError | null): void => {
      if (isSettled) return;
      isSettled = true;
      if (timer !== null) clearTimeout(timer);
      if (error === null) resolve(pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces, size));
      else {
        request.pause();
        reject(error);
      }
      // The listeners would keep the bytes for as long as the answer takes.
      pieces.length = 0;
    };
    const onData = (piece: Buffer): void => {
      if (isSettled) return;
      size += piece.length;
      if (size > limit) settle(tooLarge(limit));
      else pieces.push(piece);
    };
    const onEnd = (): void => settle(request.complete ? null : badJson('it did not arrive whole'));
    const onLost = (): void => {
      if (!isSettled) settle(badJson('it did not arrive whole'));
    };
    request.on('data', onData).on('end', onEnd).on('error', onLost).on('close', onLost);
    // Nearly every body comes with its headers and is complete by then.
    process.nextTick(() => {
      if (!isSettled && !request.complete) timer = setTimeout(() => request.destroy(), BODY_TIMEOUT_MS);
    });
  });
}

const [QUOTE, BACKSLASH, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [34, 92, 123, 125, 91, 93];

/** The quotation mark that ends the string whose text begins at `from`; the text's end when there is none. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  return text.length;
}

/** Looks at brackets outside of strings only: linear, without recursion. A prompt is nearly all string, and is skipped. */
export function isDeeperThan(text: string, limit: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) at = endOfString(text, at + 1);
    else if (char === OPEN_BRACE || char === OPEN_BRACKET) {
      depth += 1;
      if (depth > limit) return true;
    } else if (char === CLOSE_BRACE || char === CLOSE_BRACKET) depth -= 1;
  }
  return false;
}

/**
 * Reads and parses a JSON body. An absent or empty body is `undefined`.
 * @throws ServiceError PAYLOAD_TOO_LARGE or BAD_JSON (also for invalid UTF-8, for nesting over 64 levels and for members
 * named `__proto__`).
 */
export async function readJson(request: IncomingMessage, limit: number): Promise<unknown> {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  const bytes = await readBytes(request, limit);
  if (!isUtf8(bytes)) throw badJson('it is not UTF-8');
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  if (text.trim() === '') return undefined;
  if (isDeeperThan(text, MAX_DEPTH)) throw badJson(`it is nested deeper than ${MAX_DEPTH} levels`);
  try {
    return parse(text, { protoAction: 'error', constructorAction: 'ignore' }) as unknown;
  } catch {
    throw badJson('it does not parse, or has a member named __proto__');
  }
}
