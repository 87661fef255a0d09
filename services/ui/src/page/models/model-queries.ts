import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { InstallModelRequest } from '@parley/shared/contracts';
import { callApi } from '../client/call-api';
import { isUnderWay } from './install-state';

/** How often something that changes by itself is asked for while somebody looks, in milliseconds; never while hidden. */
const WATCH_MS = 1_000;
const REST_MS = 15_000;

const INSTALLS = ['installs'];
const SIDECAR = ['sidecar'];

export const useInstalls = () =>
  useQuery({
    queryKey: INSTALLS,
    queryFn: async () => (await callApi('listInstalls', {})).installs,
    staleTime: 0,
    retry: false,
    refetchIntervalInBackground: false,
    refetchInterval: (query) => (query.state.data?.some(isUnderWay) === true ? WATCH_MS : REST_MS),
  });

export function useInstallModel() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (request: InstallModelRequest) => callApi('installModel', { body: request }),
    onSuccess: () => cache.invalidateQueries({ queryKey: INSTALLS }),
  });
}

/** Cancels an install that is under way, and takes one that has ended off the list. */
export function useCancelInstall() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callApi('cancelInstall', { params: { id } }),
    onSettled: () => cache.invalidateQueries({ queryKey: INSTALLS }),
  });
}

export function useDeleteModel() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callApi('deleteModel', { params: { id } }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['models'] }),
  });
}

export const useSuggestedModels = () =>
  useQuery({
    queryKey: ['suggested-models'],
    queryFn: async () => (await callApi('listSuggestedModels', {})).models,
    staleTime: Infinity,
    retry: false,
  });

export const useSidecar = () =>
  useQuery({
    queryKey: SIDECAR,
    queryFn: () => callApi('getSidecar', {}),
    staleTime: 0,
    retry: false,
    refetchIntervalInBackground: false,
    refetchInterval: (query) => (query.state.data?.status === 'starting' ? WATCH_MS : REST_MS),
  });

/** Starts the model server with a model, or with the one that is set when it is null; `stop` stops it. */
export function useSidecarSwitch() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (wish: { readonly start: string | null } | 'stop') =>
      wish === 'stop'
        ? callApi('stopSidecar', {})
        : callApi('startSidecar', { body: wish.start === null ? {} : { model_id: wish.start } }),
    onSuccess: (sidecar) => cache.setQueryData(SIDECAR, sidecar),
    onSettled: () => cache.invalidateQueries({ queryKey: ['health'] }),
  });
}

export const useSidecarLog = (shown: boolean) =>
  useQuery({
    queryKey: ['sidecar-log'],
    queryFn: async () => (await callApi('getSidecarLog', {})).lines,
    enabled: shown,
    staleTime: 0,
    retry: false,
    refetchIntervalInBackground: false,
    refetchInterval: 2 * WATCH_MS,
  });
