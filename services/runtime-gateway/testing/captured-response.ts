import { readFileSync } from 'node:fs';
import path from 'node:path';

const FOLDER = path.join(__dirname, 'captures');
const BEGIN = /<<< RESPONSE[^\n]*\n/;

/**
 * The response of a recording as it went over the wire: status line, headers, chunk framing and all.
 * @param name The beginning of the file's name, for example `llama-10-`.
 */
export function capturedResponse(name: string): Buffer {
  const bytes = readFileSync(path.join(FOLDER, name));
  const begin = BEGIN.exec(bytes.toString('latin1'));
  if (begin === null) throw new Error(`${name} holds no response`);
  // The recorder ended each file with a line feed of its own.
  return bytes.subarray(begin.index + begin[0].length, bytes.length - 1);
}

/** The body of a recorded response, with its chunk framing taken off. */
export function capturedBody(name: string): Buffer {
  const response = capturedResponse(name);
  const end = response.indexOf('\r\n\r\n');
  const head = response.subarray(0, end).toString('latin1');
  const rest = response.subarray(end + 4);
  if (!/transfer-encoding: chunked/i.test(head)) return rest;
  const chunks: Buffer[] = [];
  for (let at = 0; at < rest.length;) {
    const lineEnd = rest.indexOf('\r\n', at);
    const size = Number.parseInt(rest.subarray(at, lineEnd).toString('latin1'), 16);
    if (size === 0) break;
    chunks.push(rest.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
  return Buffer.concat(chunks);
}

/** A small generator of numbers in [0, 1) that a seed repeats (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Cuts bytes into pieces of 1 to `longest` bytes, the same for the same seed. */
export function randomPieces(bytes: Buffer, seed: number, longest: number): Buffer[] {
  const random = seededRandom(seed);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const length = 1 + Math.floor(random() * longest);
    pieces.push(bytes.subarray(at, at + length));
    at += length;
  }
  return pieces;
}

export const singleBytes = (bytes: Buffer): Buffer[] => Array.from(bytes, (_unused, at) => bytes.subarray(at, at + 1));
