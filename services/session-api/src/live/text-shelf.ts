/**
 * Where the words of sessions that are not saved lie while several processes need them: fields of text by session. Nothing of it
 * reaches a disk, and half an hour after it was last put or looked at it is gone.
 */
export interface TextShelf {
  /** Everything that lies there of a session; empty when nothing does. @throws ServiceError SERVICE_UNAVAILABLE */
  all(sessionId: string): Promise<ReadonlyMap<string, string>>;
  /** Adds fields, or puts them in the place of others. @throws ServiceError SERVICE_UNAVAILABLE */
  put(sessionId: string, fields: Readonly<Record<string, string>>): Promise<void>;
  /** Puts fields in the place of everything. @throws ServiceError SERVICE_UNAVAILABLE */
  replace(sessionId: string, fields: Readonly<Record<string, string>>): Promise<void>;
  /** Takes everything away; what cannot be reached goes by itself. Never rejects. */
  forget(sessionId: string): Promise<void>;
  /** Sessions of which something lies there; none while it cannot be reached. Never rejects. */
  ids(): Promise<string[]>;
}
