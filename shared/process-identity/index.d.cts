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

/** What a process says of itself in `<data_dir>/run` while it runs. */
export interface RunDetails {
  readonly service: string;
  readonly port: number;
  /** Home of the supervisor that started it; null when it was started by hand. */
  readonly supervisor: string | null;
  /** A debugger may stop it for hours, and it does not hang. */
  readonly debugged: boolean;
  /** Which one of several processes of the service on that port. */
  readonly instance?: number;
  /** Where such a one answers alone, as soon as it listens. */
  readonly own_port?: number;
}
export type RunRecord = ProcessIdentity & RunDetails;

/** Writes the record of this process. @returns what takes it away again @throws what the file system says */
export function writeRunRecord(dataDir: string, details: RunDetails): () => void;
/** The whole records of a service; each may be of a process that has ended. */
export function readRunRecords(dataDir: string, service: string): RunRecord[];
/** The port at which this very process answers; null when it has none yet. */
export function ownPortOf(record: RunDetails): number | null;
