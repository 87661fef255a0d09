import { RuntimeUnavailableError, ServiceError } from '@parley/shared/contracts';
import { SetUpError } from '../set-up-error';

export const LOCAL_NATIVE_WORDS = {
  runtimeId: 'local_native',
  server: 'the native model server',
  startAdvice:
    'Start the server (for Ollama: run "ollama serve"), or check its address: under "Connect a model", or SIM_NATIVE_SERVER_BASE_URL.',
} as const;

/** What a flat error object says; empty when it is none. */
function nativeMessage(body: unknown): string {
  const error = (body as { error?: unknown } | null | undefined)?.error;
  return typeof error === 'string' ? error : '';
}

/**
 * An error answer, or an error line in the middle of a stream, in the gateway's terms. The server's own words are not
 * passed on, since they may quote the conversation.
 * @param status The HTTP status; null for a line of a stream.
 */
export function nativeError(status: number | null, body: unknown, modelId: string): ServiceError {
  const message = nativeMessage(body);
  if (status === 503)
    return new RuntimeUnavailableError('The native model server is busy; try again in a moment.', 'model_server_busy');
  if (status === 401 || status === 403)
    return new SetUpError(
      'The native model server asks for a key, which Parley does not send; check SIM_NATIVE_SERVER_BASE_URL.',
    );
  if (status === 404 && /not found/i.test(message)) return noSuchModel(modelId);
  if (status === 404)
    return new SetUpError(
      'The native model server has no chat call; check that SIM_NATIVE_SERVER_BASE_URL is its root address.',
    );
  if (/exceed\w* (?:the )?(?:available |maximum )?context/i.test(message))
    return new SetUpError(
      "The prompt is longer than the model's context; raise SIM_NATIVE_SERVER_CONTEXT_LENGTH or choose another model.",
    );
  if (/schema|grammar/i.test(message))
    return new SetUpError(
      `The native model server cannot enforce the form of the answer with ${modelId}; update it or choose another model.`,
    );
  if (/memory/i.test(message))
    return new SetUpError(
      `The model ${modelId} does not fit into memory; choose a smaller one, or lower SIM_NATIVE_SERVER_CONTEXT_LENGTH.`,
    );
  return new ServiceError(
    'RUNTIME_ERROR',
    `The native model server reported an error ${status === null ? 'in the middle of its answer' : `with status ${status}`}; its log says more.`,
  );
}

/** An answer of status 200 that is none of the native API's. */
export function notNative(): ServiceError {
  return new ServiceError(
    'RUNTIME_ERROR',
    'The native model server answered with something that is not its API; check SIM_NATIVE_SERVER_BASE_URL.',
  );
}

/** The model that was asked for, or chosen, is not there. */
export function noSuchModel(modelId: string): SetUpError {
  return new SetUpError(
    `The native model server has no model ${modelId}; pull it on the models page, or with "ollama pull ${modelId}".`,
  );
}

/** Reachable, but there is nothing to answer with (docs/interface.md, Runtimes). */
export function noModels(): ServiceError {
  return new ServiceError(
    'RUNTIME_ERROR',
    'The native model server has no model yet; pull one on the models page, or with "ollama pull" and its name.',
  );
}

/** A model that runs on somebody else's machine: the conversation would leave this one. */
export function remoteModel(modelId: string): ServiceError {
  return new ServiceError(
    'RUNTIME_ERROR',
    `The model ${modelId} runs on another machine, and conversations stay on this one; choose a model that is installed here.`,
  );
}

/** A pull that was refused, or broke off with an error line. */
export function pullError(name: string, body: unknown): ServiceError {
  const message = nativeMessage(body);
  if (/manifest|not found|does not exist/i.test(message))
    return new ServiceError('RUNTIME_ERROR', `The registry has no model ${name}; check the name.`);
  return new ServiceError('RUNTIME_ERROR', `The native model server could not pull ${name}; its log says more.`);
}
