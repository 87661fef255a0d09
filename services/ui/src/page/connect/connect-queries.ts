import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { RuntimeChoice } from '@parley/shared/contracts';
import { callApi } from '../client/call-api';
import { randomKey } from '../client/random-key';
import { askModelServer, installModelServer } from './model-server';
import type { SetupPorts } from './setup';

const LOOK_MS = 1_000;
const CHOICE = ['runtime-choice'];

export const useRuntimeChoice = () =>
  useQuery({ queryKey: CHOICE, queryFn: () => callApi('getRuntimeChoice', {}), staleTime: 0, retry: false });

/** Looks only when it is asked to: once when the page opens, and at every press. */
export const useFoundPrograms = () =>
  useQuery({
    queryKey: ['found-programs'],
    queryFn: () => callApi('findRuntimes', {}).then(({ found }) => found),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

export const useFittingModels = () =>
  useQuery({ queryKey: ['fitting-models'], queryFn: () => callApi('listFittingModels', {}), gcTime: 0, retry: false });

export const useModelServer = () =>
  useQuery({ queryKey: ['model-server'], queryFn: ({ signal }) => askModelServer(signal), retry: false });

/** Another runtime plays: the pill, the models and what decides follow at once. */
function follow(cache: QueryClient): Promise<unknown> {
  return Promise.all([CHOICE, ['health'], ['models']].map((queryKey) => cache.invalidateQueries({ queryKey })));
}

export function useChooseRuntime() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (choice: RuntimeChoice) => callApi('putRuntimeChoice', { body: choice }),
    onSuccess: (state) => {
      cache.setQueryData(CHOICE, state);
      return follow(cache);
    },
  });
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, LOOK_MS);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** A setup's calls to the service. */
export const setupPorts = (cache: QueryClient): SetupPorts => ({
  askServer: askModelServer,
  installServer: installModelServer,
  listInstalls: async (signal) => (await callApi('listInstalls', {}, signal)).installs,
  install: async (request, signal) => {
    const call = { body: request, headers: { 'idempotency-key': randomKey() } };
    return (await callApi('installModel', call, signal)).install;
  },
  askSidecar: (signal) => callApi('getSidecar', {}, signal),
  startSidecar: (model_id, signal) => callApi('startSidecar', { body: model_id === null ? {} : { model_id } }, signal),
  stopSidecar: (signal) => callApi('stopSidecar', {}, signal),
  choose: async (choice, signal) => {
    cache.setQueryData(CHOICE, await callApi('putRuntimeChoice', { body: choice }, signal));
    await follow(cache);
  },
  tryLine: async (signal) => {
    try {
      return await callApi('tryRuntime', {}, signal);
    } finally {
      // What the line met, good or bad, is what the pill says next.
      void follow(cache);
    }
  },
  pause,
});
