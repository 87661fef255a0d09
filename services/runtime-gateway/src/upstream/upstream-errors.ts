import { RuntimeUnavailableError, ServiceError } from '@parley/shared/contracts';

/** The upstream sent nothing for longer than the quiet budget. */
export class QuietError extends Error {
  constructor(readonly quietMs: number) {
    super(`no sign of life for ${quietMs} ms`);
    this.name = 'QuietError';
  }
}

/** How a provider speaks of the server behind it. */
export interface ServerWords {
  readonly runtimeId: string;
  /** For the middle of a sentence, such as "the local model server". */
  readonly server: string;
  /** What a person does when it cannot be reached; one sentence. */
  readonly startAdvice: string;
}

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '');

/** Whether the connection broke before an answer began, as a kept-alive socket does that the server has just closed. */
export function isBrokenConnection(error: unknown): boolean {
  return ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(codeOf(error));
}

/**
 * Names a transport failure in the terms of the gateway contract: silence is TURN_TIMEOUT, bytes that are no HTTP are
 * RUNTIME_ERROR, everything else (refused, reset, unknown host) is RUNTIME_UNAVAILABLE. A ServiceError passes unchanged.
 * The texts hold nothing that the server sent.
 */
export function toServiceError(error: unknown, words: ServerWords): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof QuietError)
    return new ServiceError(
      'TURN_TIMEOUT',
      `${capital(words.server)} gave no sign of life for ${Math.round(error.quietMs / 100) / 10} seconds; try again, or use a smaller model.`,
      { cause: error },
    );
  const code = codeOf(error);
  if (code.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE')
    return new ServiceError(
      'RUNTIME_ERROR',
      `${capital(words.server)} did not answer in HTTP; check that its address is the one of a model server.`,
      { cause: error as Error },
    );
  return new RuntimeUnavailableError(
    `${capital(words.server)} cannot be reached. ${words.startAdvice}`,
    'model_server_unreachable',
    { runtimeId: words.runtimeId, cause: error },
  );
}

/** The connection ended before the answer was complete. */
export function cutOff(words: ServerWords): ServiceError {
  return new RuntimeUnavailableError(
    `The connection to ${words.server} was lost before the answer was complete; look at its log, then try again.`,
    'model_server_lost',
  );
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
