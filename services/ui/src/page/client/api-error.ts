import type { ErrorCode, Problem } from '@parley/shared/contracts';

/**
 * UNREACHABLE: no answer came, so nobody knows yet whether the request was carried out. NOT_RECORDED: by now it is known
 * that it was not. UNEXPECTED: an answer that is no problem document.
 */
export type ApiErrorCode = ErrorCode | 'UNREACHABLE' | 'NOT_RECORDED' | 'UNEXPECTED';

/** A call to the API that did not succeed. `message` is the plain sentence of the problem document. */
export class ApiError extends Error {
  constructor(
    readonly code: ApiErrorCode,
    readonly status: number,
    message: string,
    readonly retryable: boolean,
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.name = 'ApiError';
  }

  static unreachable(cause: unknown): ApiError {
    const error = new ApiError('UNREACHABLE', 0, '', true);
    error.cause = cause;
    return error;
  }

  /** From a problem document; from anything else a fault that names the status. */
  static fromAnswer(status: number, body: unknown): ApiError {
    if (typeof body === 'object' && body !== null && 'code' in body && 'detail' in body) {
      const problem = body as Problem;
      return new ApiError(problem.code, status, problem.detail, problem.retryable, problem.details);
    }
    return new ApiError('UNEXPECTED', status, '', status >= 500);
  }

  static from(thrown: unknown): ApiError {
    return thrown instanceof ApiError ? thrown : ApiError.unreachable(thrown);
  }
}
