export {
  giveBackPages,
  openDatabase,
  scrubDeleted,
  type Database,
  type OpenDatabaseOptions,
  type StoreLogger,
} from './database';
export { DatabaseBusyError, DatabaseOpenError, type DatabaseOpenProblem } from './database-errors';
export type { Dialect, Queryable, Transaction } from './dialect';
export { markDatabase } from './data-folder';
export { migrate, NEWEST_SCHEMA, schemaVersion } from './migrate';
export { BALLAST_BYTES, despiteFullDisk, hasBallast, keepBallast } from './ballast';
export { clearConversations, finishClearing, scrubCleared, type ClearedRows } from './clear-conversations';
export { readFindings, writeFindings, type StorageFindings } from './findings';
export { isDatabaseOpen } from './open-marks';
export { probeStorage } from './probe-storage';
export { prune } from './prune';
export { changedRows } from './raw-result';
export { decodeCursor, encodeCursor, type Page } from './page-cursor';
export { newSessionId } from './session-id';
export { isDemoTalk, toSession, type NewSession, type SessionRow } from './session-row';
export * from './session-store';
export * from './turn-store';
export * from './variant-store';
export * from './kept-answer-store';
export * from './event-store';
export * from './search-store';
export * from './settings-store';
export * from './runtime-choice-store';
export * from './job-store';
export * from './debrief-store';
export * from './recap-store';
export * from './progress-store';
export * from './drill-store';
