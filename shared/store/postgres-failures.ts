import { StorageFaultError, type StorageFault } from '@parley/shared/contracts';
import { DatabaseBusyError, DatabaseOpenError } from './database-errors';

/** What the codes of PostgreSQL (its manual, appendix A), of the driver and of the system mean to us. */
const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '');

/** Another session has the lock, or two wait for each other. */
const BUSY = new Set(['55P03', '40001', '40P01']);

const FAULT_OF_CODE: Readonly<Record<string, StorageFault>> = {
  '28000': 'server_refused',
  '28P01': 'server_refused',
  '3D000': 'server_refused',
  '42501': 'server_refused',
  '53300': 'server_connections_used_up',
  '25006': 'server_read_only',
  '53100': 'server_disk_full',
  '58030': 'server_damaged',
  XX001: 'server_damaged',
  XX002: 'server_damaged',
  // The server ends, begins, or has ended this connection.
  '57P01': 'server_unreachable',
  '57P02': 'server_unreachable',
  '57P03': 'server_unreachable',
  '57P05': 'server_unreachable',
  '25P03': 'server_unreachable',
};
const UNREACHABLE =
  /^(08\w{3}|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN|ENOENT)$/;
/** The driver gives these no code. */
const CONNECTION_LOST = /Connection terminated|not queryable|Connection ended|timeout expired/;
const NO_PASSWORD = /client password must be a string/;

/** Set on the connection when another process has the session-level lock. */
export class InUseError extends Error {
  constructor() {
    super('another session-api has the database');
    this.name = 'InUseError';
  }
}

export const isBusy = (error: unknown): boolean => BUSY.has(codeOf(error));

/** Whether a statement was refused because one before it in its transaction has failed. */
export const isAfterFailure = (error: unknown): boolean => codeOf(error) === '25P02';

function faultOf(error: unknown): StorageFault | null {
  if (error instanceof StorageFaultError) return error.fault;
  if (error instanceof InUseError) return 'server_in_use';
  const code = codeOf(error);
  const known = FAULT_OF_CODE[code];
  if (known !== undefined) return known;
  if (NO_PASSWORD.test(messageOf(error))) return 'server_refused';
  return UNREACHABLE.test(code) || CONNECTION_LOST.test(messageOf(error)) ? 'server_unreachable' : null;
}

/** A failed statement as an error for the caller: what is wrong with the storage where that is why, else the driver's own. */
export function explainFailure(error: unknown): unknown {
  if (error instanceof StorageFaultError) return error;
  const fault = faultOf(error);
  if (fault !== null) return new StorageFaultError(fault, error);
  // No connection of the pool was free for ten seconds, or somebody has the statement cancelled.
  const isOverloaded = (error instanceof Error && error.name === 'KnexTimeoutError') || codeOf(error) === '57014';
  return isOverloaded || isBusy(error) ? new DatabaseBusyError(error) : error;
}

const REFUSALS: Readonly<Record<string, string>> = {
  '28P01': 'PostgreSQL does not take the password for {}: correct it in SIM_DATABASE_URL.',
  '28000': 'PostgreSQL does not let the user of {} in: correct SIM_DATABASE_URL, or allow it in pg_hba.conf.',
  '3D000': 'There is no database {}: make it with createdb, or correct SIM_DATABASE_URL.',
  '42501': 'PostgreSQL does not let the user of {} make and use tables: make it the owner of the database.',
};

const AT_START: Readonly<Partial<Record<StorageFault, string>>> = {
  server_refused: 'PostgreSQL wants a password for {}: write it into SIM_DATABASE_URL, or into the file .pgpass.',
  server_in_use:
    'Another session-api uses {}: only one can, since it keeps running sessions in its memory, unless each has SIM_REDIS_URL. Stop the other one, then start again.',
  server_connections_used_up:
    'PostgreSQL has no connection left for {}: close other programs that use it, or raise its max_connections, then start again.',
  server_read_only:
    'PostgreSQL takes no changes to {}, since it is a standby or set to read-only: name its primary in SIM_DATABASE_URL.',
  server_disk_full: 'The disk of PostgreSQL with {} is full: free some space there, then start again.',
  server_damaged: 'PostgreSQL finds the files of {} damaged: read its log, and restore what pg_dump has saved.',
};

/** @param label the address without its password. */
export function asOpenError(error: unknown, label: string): unknown {
  if (error instanceof DatabaseOpenError) return error;
  const cause = error instanceof StorageFaultError ? error.cause : error;
  const fault = faultOf(error);
  const code = codeOf(cause);
  const text =
    REFUSALS[code] ??
    (fault === 'server_unreachable'
      ? `PostgreSQL does not answer at {}${code === '' ? '' : ` (${code})`}: start it, or correct SIM_DATABASE_URL.`
      : fault !== null
        ? AT_START[fault]
        : undefined);
  const sentence = text ?? (code === '' ? undefined : `PostgreSQL at {} cannot be used (${code}): read its log.`);
  return sentence === undefined ? error : new DatabaseOpenError('unusable', sentence.replace('{}', label), cause);
}

const WITH_VALUES = ['detail', 'where', 'internalQuery', 'hint'] as const;
/** Class 22, data exception: the message itself quotes the value. */
const QUOTES_VALUE = /^22/;

/** Takes out of an error what may quote rows: values are conversation text, and errors are logged. */
export function withoutValues(error: unknown): void {
  if (!(error instanceof Error)) return;
  for (const name of WITH_VALUES) if (name in error) Reflect.deleteProperty(error, name);
  const code = codeOf(error);
  if (!QUOTES_VALUE.test(code)) return;
  error.message = `PostgreSQL refuses a value (${code})`;
  error.stack = `${error.name}: ${error.message}`;
}
