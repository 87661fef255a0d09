/** Which process a number means; see index.cjs. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When the process started, in the system's own words: only good for comparing. */
  readonly started: string;
  /** Which run of the machine; empty where `started` says it. */
  readonly boot: string;
}

/** null when no such process lives, or the system does not tell. */
export function identityOf(pid: number): ProcessIdentity | null;
/** Whether that very process still lives. */
export function isAlive(identity: ProcessIdentity): boolean;
/** Signals that very process, and nothing when its number is another's now. @returns whether the signal was sent */
export function signalProcess(identity: ProcessIdentity, signal: NodeJS.Signals): boolean;
/** Writes an identity and what belongs to it, whole or not at all. @throws what the file system says */
export function writeIdentity<T extends ProcessIdentity>(file: string, identity: T): void;
/** null when there is none, or it is not whole. */
export function readIdentity(file: string): (ProcessIdentity & Readonly<Record<string, unknown>>) | null;

/** What a process says of itself in `<data_dir>/run/<service>.json` while it runs. */
export interface RunDetails {
  readonly service: string;
  readonly port: number;
  /** Home of the supervisor that started it; null when it was started by hand. */
  readonly supervisor: string | null;
  /** A debugger may stop it for hours, and it does not hang. */
  readonly debugged: boolean;
}
export type RunRecord = ProcessIdentity & RunDetails;

/** Writes the record of this process. @returns what takes it away again @throws what the file system says */
export function writeRunRecord(dataDir: string, details: RunDetails): () => void;
/** null when there is none, or it is not whole; it may be of a process that has ended. */
export function readRunRecord(dataDir: string, service: string): RunRecord | null;
