import { z } from 'zod';

/** ISO 8601, UTC, milliseconds, `Z`: the one time format on the wire. */
export const Timestamp = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
  .describe('ISO 8601 time in UTC with milliseconds, for example 2026-01-31T09:30:00.000Z.');

export const NullableTimestamp = Timestamp.nullable();

/** Session ids carry at least 120 random bits; on a LAN they are what lets a player in. */
export const SessionId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{20,64}$/)
  .describe('Opaque, unguessable session id.');

/** Public scenario id: `pack_id.scenario_id`, or the pack id alone when both are equal. */
export const ScenarioId = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[a-z0-9_]+(\.[a-z0-9_]+)*$/)
  .describe('Public scenario id.');

export const PackId = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[a-z0-9_]+(\.[a-z0-9_]+)*$/, 'must be parts of a-z, 0-9 and _ joined by dots')
  .describe('Pack id: parts of a-z, 0-9 and _ joined by dots.');

/** Ids inside packs: variables, flags, dimensions, events, moves. */
export const ContentId = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[a-z0-9_]+$/, 'must be 1 to 64 of a-z, 0-9 and _');

export const VariableValues = z.record(z.string(), z.int()).describe('Integer state variables by name.');

export const TurnIndex = z.int().min(1).describe('Turn number: counts both roles from 1.');

export const Score = z.int().min(0).max(100).describe('Score from 0 to 100; the baseline is 50.');

/** `limit` of a paged list: 1..100, default 20. A query is text: `parameter` is what the documents say that it means. */
export const PageLimit = z.coerce
  .string()
  .regex(/^[0-9]{1,3}$/, 'must be a whole number from 1 to 100')
  .transform(Number)
  .pipe(z.int().min(1).max(100))
  .default(20)
  .meta({ description: 'Page size.', parameter: { type: 'integer', minimum: 1, maximum: 100, default: 20 } });

/** An opaque cursor: what an earlier page answered as `next_cursor`. */
export const PageCursor = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,400}$/, 'must be a next_cursor that an earlier page answered')
  .describe('The next_cursor of the page before.');

export const NextCursor = z.string().nullable().describe('Pass it as cursor to read the next page; null at the end.');

/** A request id that is taken over from a caller instead of being replaced. */
export const REQUEST_ID_PATTERN = /^[A-Za-z0-9._-]{1,128}$/;
