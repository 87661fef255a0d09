import { ParleySet, type ParleySetOptions } from '../set/parley-set';

/** A set that runs as the supervisor runs it: without the checks of answers that tests have. */
export function benchSet(options: Pick<ParleySetOptions, 'gatewayUrl' | 'environment'>): Promise<ParleySet> {
  return ParleySet.start({
    ...options,
    environment: { NODE_ENV: 'production', ...options.environment },
  });
}

/** Variables for a model server at this address. */
export const localServerAt = (modelUrl: string): Record<string, string> => ({
  SIM_RUNTIME_ID: 'local_server',
  SIM_LOCAL_SERVER_BASE_URL: modelUrl,
});

/** The same, with a model server at this address. */
export const benchSetWith = (
  modelUrl: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<ParleySet> => benchSet({ environment: { ...localServerAt(modelUrl), ...environment } });
