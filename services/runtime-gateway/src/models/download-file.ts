import type { Hash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { Agent, Dispatcher } from 'undici';
import { LEADS_INSIDE_MESSAGE, refusalOf } from './address-rules';
import { checkedLookup, LEADS_INSIDE, type HostLookup } from './checked-lookup';
import { DownloadError } from './download-error';
import { refusedWrite, refuseFullDisk, RoomWatch, type FreeBytes } from './free-space';
import { MAGIC_LENGTH, refuseOtherFormats } from './gguf-header';
import { hashFile } from './hash-file';
import { openOwnFile } from './open-regular-file';

export interface DownloadOptions {
  readonly url: string;
  /** Where the bytes go; what is there already is kept and continued. */
  readonly partFile: string;
  /** Lower-case hexadecimal; null: not checked. */
  readonly sha256: string | null;
  /** The version of the file that the part is of, as the server named it. */
  readonly etag: string | null;
  readonly signal: AbortSignal;
  /** Resolves the names of hosts; its answers are checked before anything is connected to. */
  readonly lookup: HostLookup;
  readonly freeBytes: FreeBytes;
  /**
   * Told which version the part will be of; nothing of it is written before this resolves. A process that dies at any moment
   * then finds no bytes whose version it does not know, and never joins two versions.
   */
  keepVersion(etag: string | null): Promise<void>;
  onProgress(progress: DownloadProgress): void;
}

interface DownloadProgress {
  readonly phase: 'downloading' | 'verifying';
  readonly bytes_done: number;
  readonly bytes_total: number | null;
}

const MAX_REDIRECTS = 5;
const QUIET_MS = 60_000;

/** Connects only to addresses that may be connected to, whatever the name resolves to at that moment. */
async function guardedAgent(lookup: HostLookup): Promise<Agent> {
  // Loaded by the first download: most gateways never make one.
  const { Agent } = await import('undici');
  return new Agent({
    headersTimeout: QUIET_MS,
    bodyTimeout: QUIET_MS,
    connect: { timeout: 15_000, lookup: checkedLookup(lookup) },
  });
}

async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    (stats) => stats.size,
    () => 0,
  );
}

/** Follows redirects by hand: each address is looked at like the first. */
async function openUrl(options: DownloadOptions, agent: Agent, from: number): Promise<Dispatcher.ResponseData> {
  const { request } = await import('undici');
  const first = new URL(options.url);
  let url = first;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const refusal = refusalOf(url, first);
    if (refusal !== null) throw new DownloadError(refusal, true);
    const answer = await request(url, {
      dispatcher: agent,
      signal: options.signal,
      headers: {
        'accept-encoding': 'identity',
        ...(from > 0
          ? { range: `bytes=${from}-`, ...(options.etag === null ? {} : { 'if-range': options.etag }) }
          : {}),
      },
    });
    // A connection that breaks before its body is read is noticed by the reading; here it must only not go unheard.
    answer.body.on('error', () => undefined);
    const { location } = answer.headers;
    if (![301, 302, 303, 307, 308].includes(answer.statusCode) || typeof location !== 'string') return answer;
    await answer.body.dump();
    url = new URL(location, url);
  }
  throw new DownloadError('The address redirects again and again; use the one that it ends at.', true);
}

/** Size of the whole file as the answer tells it; null when it does not. */
function totalOf(answer: Dispatcher.ResponseData, from: number): number | null {
  const range = /\/(\d+)$/.exec(String(answer.headers['content-range'] ?? ''))?.[1];
  if (range !== undefined) return Number(range);
  const length = answer.headers['content-length'];
  return typeof length === 'string' ? from + Number(length) : null;
}

const etagOf = (answer: Dispatcher.ResponseData): string | null =>
  typeof answer.headers.etag === 'string' ? answer.headers.etag : null;

/** Whether a partial answer begins where the part ends and is of the same version: not every server looks at If-Range. */
function continues(answer: Dispatcher.ResponseData, from: number, etag: string | null): boolean {
  const start = /^bytes (\d+)-/.exec(String(answer.headers['content-range'] ?? ''))?.[1] ?? '0';
  const now = etagOf(answer);
  return Number(start) === from && (from === 0 || etag === null || now === null || now === etag);
}

/** Whether the answer to a range behind the part says that the part is as long as the file. */
const saysWhole = (answer: Dispatcher.ResponseData, from: number): boolean =>
  answer.statusCode === 416 && answer.headers['content-range'] === `bytes */${from}`;

/** Errors of the resolver as a person can use them; every other one as it is. */
function inWords(error: unknown): unknown {
  const { code } = error as { code?: unknown };
  if (code === LEADS_INSIDE) return new DownloadError(LEADS_INSIDE_MESSAGE, true);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new DownloadError(
      'No machine of this name was found; check the address and the connection, then try again.',
    );
  return error;
}

interface Opened {
  readonly answer: Dispatcher.ResponseData;
  /** Bytes of the part that stay. */
  readonly from: number;
  /** Nothing is missing: a process died between the last byte and the check. */
  readonly isWhole: boolean;
}

/** Asks for what is missing, and for everything when the server cannot continue what is here. */
async function openRest(options: DownloadOptions, agent: Agent): Promise<Opened> {
  let from = await sizeOf(options.partFile);
  let answer = await openUrl(options, agent, from);
  if (from > 0 && saysWhole(answer, from)) {
    await answer.body.dump();
    return { answer, from, isWhole: true };
  }
  if (
    from > 0 &&
    (answer.statusCode === 416 || (answer.statusCode === 206 && !continues(answer, from, options.etag)))
  ) {
    await answer.body.dump();
    from = 0;
    answer = await openUrl(options, agent, 0);
  }
  if (answer.statusCode === 200) return { answer, from: 0, isWhole: false };
  if (answer.statusCode === 206 && continues(answer, from, options.etag)) return { answer, from, isWhole: false };
  await answer.body.dump();
  throw new DownloadError(
    `The server answered with status ${answer.statusCode}; check the address.`,
    answer.statusCode < 500,
  );
}

/**
 * Fetches a GGUF file into its part file, continuing what is there when the server still has the same file, and checks size
 * and hash. Something else is refused at its first bytes. Nothing is renamed.
 * @throws DownloadError; GgufError; NotAFileError; the signal's reason; the transport's error, after which the part can be continued.
 */
export async function downloadFile(options: DownloadOptions): Promise<void> {
  const { partFile, signal } = options;
  const agent = await guardedAgent(options.lookup);
  try {
    const { answer, from, isWhole } = await openRest(options, agent);
    const total = isWhole ? from : totalOf(answer, from);
    if (total !== null) await refuseFullDisk(partFile, total - from, options.freeBytes);
    const hash = await hashFile(partFile, { bytes: from, signal });
    const done = isWhole ? from : await writeBody(answer, { ...options, from, total, hash });
    options.onProgress({ phase: 'verifying', bytes_done: done, bytes_total: total ?? done });
    if (total !== null && done !== total)
      throw new DownloadError(`The connection was lost after ${done} of ${total} bytes; try again to continue.`);
    const digest = hash.digest('hex');
    if (options.sha256 !== null && digest !== options.sha256)
      throw new DownloadError(
        'The file is not the one that was asked for: its SHA-256 differs. Check address and hash.',
        true,
      );
    signal.throwIfAborted();
  } catch (error) {
    throw inWords(error);
  } finally {
    await agent.destroy();
  }
}

async function writeBody(
  answer: Dispatcher.ResponseData,
  options: DownloadOptions & { from: number; total: number | null; hash: Hash },
): Promise<number> {
  const { from, total, hash } = options;
  // Emptied before its new version is kept: old bytes under a new version would be continued as if they were of it.
  const file = await openOwnFile(options.partFile, { begins: from === 0 });
  const room = new RoomWatch(options.partFile, options.freeBytes);
  let beginning = Buffer.alloc(0);
  let done = from;
  try {
    await options.keepVersion(etagOf(answer) ?? (from > 0 ? options.etag : null));
    options.onProgress({ phase: 'downloading', bytes_done: done, bytes_total: total });
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      if (total !== null && done + chunk.length > total)
        throw new DownloadError('The server sent more than it had announced; the file cannot be trusted.', true);
      if (done < MAGIC_LENGTH && from === 0) {
        beginning = Buffer.concat([beginning, chunk.subarray(0, MAGIC_LENGTH)]);
        if (beginning.length >= MAGIC_LENGTH) refuseOtherFormats(beginning);
      }
      await room.before(chunk.length);
      await file.write(chunk, 0, chunk.length, done);
      hash.update(chunk);
      done += chunk.length;
      options.onProgress({ phase: 'downloading', bytes_done: done, bytes_total: total });
    }
    await file.truncate(done);
    await file.sync();
    return done;
  } catch (error) {
    throw refusedWrite(error);
  } finally {
    await file.close();
  }
}
