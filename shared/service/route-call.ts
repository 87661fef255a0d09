import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Upload } from './read-upload';
import type { Logger } from './logger';

/** What a handler knows of the call beside its parsed input. */
export interface RequestContext {
  readonly requestId: string;
  readonly logger: Logger;
  /** Aborts when the caller goes away before the answer is complete. */
  readonly signal: AbortSignal;
  readonly isLoopback: boolean;
  /** The file of a multipart request; removed when the handler has returned. */
  readonly upload: Upload | null;
  /** Tells a caller that waits for the first byte that the answer is still being worked on (102). */
  readonly stillWorking: () => void;
  /** For a handler that passes the request on as it came. */
  readonly raw: IncomingMessage;
}

export interface RouteCallParts {
  readonly requestId: string;
  readonly operation: string;
  readonly isLoopback: boolean;
  readonly parentLogger: Logger;
  readonly raw: IncomingMessage;
  readonly response: ServerResponse;
}

/** One call. Its logger and its signal are made by the first look at them: most handlers never look, and a turn notices. */
export class RouteCall implements RequestContext {
  upload: Upload | null = null;
  private ownLogger: Logger | undefined;
  private abort: AbortController | undefined;

  constructor(private readonly parts: RouteCallParts) {}

  get requestId(): string {
    return this.parts.requestId;
  }

  get isLoopback(): boolean {
    return this.parts.isLoopback;
  }

  get raw(): IncomingMessage {
    return this.parts.raw;
  }

  get logger(): Logger {
    const { parentLogger, requestId, operation } = this.parts;
    return (this.ownLogger ??= parentLogger.child({ request_id: requestId, operation }));
  }

  get signal(): AbortSignal {
    if (this.abort === undefined) {
      const abort = new AbortController();
      const { response } = this.parts;
      const onClose = (): void => {
        if (!response.writableFinished) abort.abort();
      };
      // Gone already: it closed before anybody asked.
      if (response.destroyed) onClose();
      else response.once('close', onClose);
      this.abort = abort;
    }
    return this.abort.signal;
  }

  readonly stillWorking = (): void => {
    const { response } = this.parts;
    if (!response.headersSent && !response.destroyed) response.writeProcessing();
  };
}
