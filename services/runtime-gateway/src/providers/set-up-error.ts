import { ServiceError } from '@parley/shared/contracts';

/**
 * A chat that failed, and will fail again, until a person changes how the model server or Parley is set up; the message
 * says what to change. To callers it is a RUNTIME_ERROR like any other.
 */
export class SetUpError extends ServiceError {
  constructor(detail: string) {
    super('RUNTIME_ERROR', detail);
    this.name = 'SetUpError';
  }
}
