/** A refusal in the form that clients of llama.cpp's server know. The message is for a person. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly type: string,
    message: string,
    readonly more: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.name = 'ApiError';
  }

  get body(): unknown {
    return { error: { code: this.status, message: this.message, type: this.type, ...this.more } };
  }
}

export const invalidRequest = (message: string): ApiError => new ApiError(400, 'invalid_request_error', message);
