import { z } from 'zod';

interface ErrorKind {
  readonly status: number;
  /** What happened, in a few words, for documents. */
  readonly meaning: string;
  readonly retryable: boolean;
}

/**
 * The phrase of each status that an error answers with, as RFC 9110 names it: the title of a problem whose type is
 * about:blank (RFC 9457, 4.2.1).
 */
export const STATUS_PHRASES: Readonly<Record<ErrorStatus, string>> = {
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

/**
 * Every error code with its HTTP status. `retryable` says that the same request may succeed later without a change.
 */
export const ERROR_KINDS = {
  TURN_INPUT_ERROR: { status: 400, meaning: 'The text of the turn is not usable', retryable: false },
  BAD_JSON: { status: 400, meaning: 'The body is not JSON', retryable: false },
  VALIDATION_ERROR: { status: 400, meaning: 'The request does not match', retryable: false },
  SETTING_READ_ONLY: { status: 400, meaning: 'The setting is read-only', retryable: false },
  HOST_NOT_ALLOWED: { status: 403, meaning: 'The Host header is not allowed', retryable: false },
  ORIGIN_NOT_ALLOWED: { status: 403, meaning: 'The Origin is not allowed', retryable: false },
  LOCAL_ONLY: { status: 403, meaning: 'Only for callers on this machine', retryable: false },
  NOT_FOUND: { status: 404, meaning: 'Not found', retryable: false },
  SESSION_NOT_FOUND: { status: 404, meaning: 'No such session', retryable: false },
  SCENARIO_NOT_FOUND: { status: 404, meaning: 'No such scenario', retryable: false },
  PACK_NOT_FOUND: { status: 404, meaning: 'No such pack', retryable: false },
  MODEL_NOT_FOUND: { status: 404, meaning: 'No such model', retryable: false },
  DEBRIEF_NOT_FOUND: { status: 404, meaning: 'No debrief yet', retryable: false },
  RECAP_NOT_FOUND: { status: 404, meaning: 'No such recap', retryable: false },
  METHOD_NOT_ALLOWED: { status: 405, meaning: 'Method not allowed', retryable: false },
  INVALID_STATE: { status: 409, meaning: 'Not possible in this state', retryable: false },
  TURN_IN_PROGRESS: { status: 409, meaning: 'A turn is running', retryable: true },
  TURN_ABORTED: { status: 409, meaning: 'The turn was aborted', retryable: false },
  TRANSCRIPT_NOT_SAVED: { status: 409, meaning: 'The transcript was not saved', retryable: false },
  PACK_ALREADY_INSTALLED: { status: 409, meaning: 'The pack is installed already', retryable: false },
  PACK_IN_USE: { status: 409, meaning: 'The pack is in use', retryable: false },
  MODEL_BUSY: { status: 409, meaning: 'The model is busy', retryable: true },
  SIDECAR_RUNNING: { status: 409, meaning: 'The model server runs already', retryable: false },
  NOT_SUPPORTED_BY_RUNTIME: { status: 409, meaning: 'The runtime cannot do this', retryable: false },
  PAYLOAD_TOO_LARGE: { status: 413, meaning: 'The body is too large', retryable: false },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, meaning: 'The media type is not supported', retryable: false },
  PACK_INVALID: { status: 422, meaning: 'The pack is not valid', retryable: false },
  IDEMPOTENCY_KEY_REUSED: { status: 422, meaning: 'The Idempotency-Key came with another request', retryable: false },
  INTERNAL: { status: 500, meaning: 'Something went wrong', retryable: false },
  RESERVED: { status: 501, meaning: 'Reserved', retryable: false },
  RUNTIME_ERROR: { status: 502, meaning: 'The model server answered with an error', retryable: false },
  RUNTIME_UNAVAILABLE: { status: 503, meaning: 'The model runtime cannot be reached', retryable: true },
  SERVICE_UNAVAILABLE: { status: 503, meaning: 'Not available at the moment', retryable: true },
  OVERLOADED: { status: 503, meaning: 'Server busy', retryable: true },
  TURN_TIMEOUT: { status: 504, meaning: 'The model did not answer in time', retryable: true },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof ERROR_KINDS;
type ErrorStatus = (typeof ERROR_KINDS)[ErrorCode]['status'];

export const ErrorCodeSchema = z
  .enum(Object.keys(ERROR_KINDS) as [ErrorCode, ...ErrorCode[]])
  .describe('Stable error code.');

export const ValidationIssue = z
  .object({
    path: z.string().describe('Dotted path of the member; empty for the whole.'),
    message: z.string().describe('What is wrong and what is allowed.'),
  })
  .describe('One thing that does not match.');
export type ValidationIssue = z.infer<typeof ValidationIssue>;

/** RFC 9457 problem document: the body of every HTTP error. */
export const Problem = z
  .object({
    type: z.literal('about:blank').describe('Always about:blank; code tells the kinds apart.'),
    title: z.string().describe('The phrase of the HTTP status.'),
    status: z.int().describe('The HTTP status.'),
    detail: z.string().describe('One plain sentence for a person, with what to do next.'),
    code: ErrorCodeSchema,
    retryable: z.boolean().describe('Whether the same request may succeed later.'),
    request_id: z.string().describe('The id of the request, as in X-Request-Id and in the logs.'),
    details: z.record(z.string(), z.unknown()).optional().describe('More, depending on the code.'),
  })
  .describe('An error (RFC 9457).');
export type Problem = z.infer<typeof Problem>;

export interface ServiceErrorOptions {
  /** Goes out with the problem document: never conversation text. */
  readonly details?: Record<string, unknown>;
  /** Response headers, for example Allow or Retry-After. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/**
 * The one error class of the set. `detail` is one plain sentence for a person that says what to do next; it is answered
 * and logged, so it never holds conversation text or a path outside the data folder.
 */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly title: string;
  readonly status: number;
  readonly retryable: boolean;
  readonly details: Record<string, unknown> | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, detail: string, options: ServiceErrorOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.status = ERROR_KINDS[code].status;
    this.title = STATUS_PHRASES[ERROR_KINDS[code].status];
    this.retryable = ERROR_KINDS[code].retryable;
    this.details = options.details;
    this.headers = options.headers ?? {};
  }
}

/** `details.reason` of RUNTIME_UNAVAILABLE, where it is known: another gateway may give none. */
export const RUNTIME_FAULTS = [
  'model_server_unreachable',
  'model_server_loading',
  'model_server_busy',
  'model_server_lost',
  'gateway_unreachable',
  'no_usable_answer',
] as const;

/** Nothing can be answered with; `reason` lets a page say in its own language what to do. */
export class RuntimeUnavailableError extends ServiceError {
  /** @param runtimeId whose model server it is, where what to do depends on it */
  constructor(
    detail: string,
    reason: (typeof RUNTIME_FAULTS)[number],
    { runtimeId, cause }: { readonly runtimeId?: string; readonly cause?: unknown } = {},
  ) {
    super('RUNTIME_UNAVAILABLE', detail, {
      details: { reason, ...(runtimeId === undefined ? {} : { runtime_id: runtimeId }) },
      cause,
    });
    this.name = 'RuntimeUnavailableError';
  }
}

/** "Quota exceeded", the user's share of the disk used up, on Linux and on macOS; Node has no name for it. */
const QUOTA_EXCEEDED: readonly unknown[] = [-122, -69];

/** There is no room left for the data folder. Nothing of what was asked is stored, and all that was stored is there. */
export class DiskFullError extends ServiceError {
  constructor(cause?: unknown) {
    super(
      'SERVICE_UNAVAILABLE',
      'The disk with the data folder is full and nothing of this was stored: free some space, then try again; deleting old sessions in History or Privacy helps.',
      { details: { reason: 'disk_full' }, cause },
    );
    this.name = 'DiskFullError';
  }

  /** The error for a file operation that failed because there is no room; null when it failed because of something else. */
  static of(error: unknown): DiskFullError | null {
    if (error instanceof DiskFullError) return error;
    const { code, errno, syscall } = (error ?? {}) as { code?: unknown; errno?: unknown; syscall?: unknown };
    if (syscall === undefined) return null;
    return code === 'ENOSPC' || QUOTA_EXCEEDED.includes(errno) ? new DiskFullError(error) : null;
  }
}

/** What can be wrong with the database, beside a full disk with the data folder: how health names it, what it is, and what helps. */
const STORAGE_FAULTS = {
  database_gone: {
    health: 'gone',
    what: 'The database that Parley has open is no longer in the data folder',
    remedy:
      'put the data folder back where it was; or npm stop, then npm run restore -- FILE with a backup, then npm start',
  },
  database_read_only: {
    health: 'read_only',
    what: 'The database cannot be written, since it or its disk is read-only or belongs to another user',
    remedy: 'give this user the right to write the data folder, then try again',
  },
  database_unreadable: {
    health: 'damaged',
    what: 'The disk with the data folder answers with errors',
    remedy: 'look at the disk, and copy the data folder to another one before you go on',
  },
  database_damaged: {
    health: 'damaged',
    what: 'The database is damaged',
    remedy: 'npm stop, then npm run restore -- FILE with a backup, then npm start; what is there now is kept beside it',
  },
  too_many_files: {
    // Neither read nor written until some are closed.
    health: 'gone',
    what: 'No more files can be opened, since this process or the machine has too many open',
    remedy: 'close other programs, or raise the limit of open files (ulimit -n), then npm stop and npm start',
  },
  server_unreachable: {
    health: 'gone',
    what: 'PostgreSQL does not answer',
    remedy: 'start it, or see to the network between; Parley goes on by itself as soon as it answers',
  },
  server_refused: {
    health: 'gone',
    what: 'PostgreSQL refuses the user, the password, the database or a right that Parley needs in it',
    remedy: 'give the user of SIM_DATABASE_URL what is missing; Parley goes on by itself',
  },
  server_connections_used_up: {
    health: 'gone',
    what: 'PostgreSQL has no connection left for Parley',
    remedy: 'close other programs that use it, or raise its max_connections; Parley goes on by itself',
  },
  server_in_use: {
    health: 'gone',
    what: 'Another session-api has this PostgreSQL database',
    remedy: 'stop one of the two; the one that stays goes on by itself',
  },
  server_read_only: {
    health: 'read_only',
    what: 'PostgreSQL takes no changes, since it is a standby or set to read-only',
    remedy: 'name its primary in SIM_DATABASE_URL, or set its default_transaction_read_only to off',
  },
  server_disk_full: {
    health: 'full',
    what: 'The disk of PostgreSQL is full',
    remedy: 'free some space there, then try again',
  },
  server_damaged: {
    health: 'damaged',
    what: 'PostgreSQL finds its files damaged',
    remedy: 'read its log, and restore what pg_dump has saved; then npm stop and npm start',
  },
} as const;
export type StorageFault = keyof typeof STORAGE_FAULTS;
export const STORAGE_FAULT_KINDS = Object.keys(STORAGE_FAULTS) as [StorageFault, ...StorageFault[]];

/** The status of the storage in health while this fault lasts. */
export const storageHealthOf = (fault: StorageFault) => STORAGE_FAULTS[fault].health;

/** One sentence about a fault of the storage that says what to do. */
export const storageFaultText = (fault: StorageFault): string =>
  `${STORAGE_FAULTS[fault].what}: ${STORAGE_FAULTS[fault].remedy}.`;

/** The database cannot be used as it is now. Nothing of what was asked is stored. */
export class StorageFaultError extends ServiceError {
  constructor(
    readonly fault: StorageFault,
    cause?: unknown,
  ) {
    const { what, remedy } = STORAGE_FAULTS[fault];
    super('SERVICE_UNAVAILABLE', `${what}, and nothing of this was stored: ${remedy}.`, {
      details: { reason: fault },
      cause,
    });
    this.name = 'StorageFaultError';
  }
}

/** A row was written by another version, or was damaged. Names where it is, and holds no value of it. */
export class DamagedRowError extends Error {
  constructor(
    readonly table: string,
    readonly id: string,
    readonly column: string,
    reason: string,
  ) {
    super(`The database holds a row that cannot be read: table ${table}, id ${id}, column ${column}: ${reason}.`);
    this.name = 'DamagedRowError';
  }
}

/** A start that cannot succeed until a person changes something: one line that says what. The supervisor does not try again. */
export class StartError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartError';
  }
}
