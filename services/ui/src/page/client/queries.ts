import { QueryClient, useQuery } from '@tanstack/react-query';
import { ApiError } from './api-error';
import { askHealth } from './ask-health';
import { callApi } from './call-api';
import { wishedLanguage } from './wished-language';

/** One retry, and only where the same request may succeed later. Health is polled, so nothing else polls. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => failures < 1 && error instanceof ApiError && error.retryable,
      retryDelay: 800,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

/** Scenarios in the reader's language, where their packs have it. */
const inWishedLanguage = () => {
  const language = wishedLanguage();
  return language === undefined ? {} : { query: { language } };
};

export const scenarioQuery = (id: string) => ({
  queryKey: ['scenario', id],
  queryFn: () => callApi('getScenario', { params: { id }, ...inWishedLanguage() }),
});

export const useScenarios = () =>
  useQuery({
    queryKey: ['scenarios'],
    queryFn: async () => (await callApi('listScenarios', inWishedLanguage())).scenarios,
  });

export const useScenario = (id: string | undefined) =>
  useQuery({ ...scenarioQuery(id ?? ''), enabled: id !== undefined });

export const useSession = (id: string) =>
  useQuery({ queryKey: ['session', id], queryFn: () => callApi('getSession', { params: { id } }), staleTime: 0 });

export const useTranscript = (id: string) =>
  useQuery({ queryKey: ['transcript', id], queryFn: () => callApi('getTranscript', { params: { id } }), staleTime: 0 });

/** Scores and what to practise next. Callers from the LAN may not see them. */
export const useProgress = () =>
  useQuery({ queryKey: ['progress'], queryFn: () => callApi('getProgress', {}), retry: false, staleTime: 0 });

interface Asked {
  readonly data: unknown;
  readonly error: unknown;
  refetch(): unknown;
}

/**
 * Why a page has nothing to show, and how it asks again; null while there is something: one that stands is not taken away, with
 * what was typed into it, because a later look failed.
 */
export function failureOf(...queries: readonly Asked[]): { error: unknown; retry: () => void } | null {
  const failed = queries.filter(({ data, error }) => data === undefined && error !== null);
  const [first] = failed;
  return first === undefined ? null : { error: first.error, retry: () => failed.forEach((one) => void one.refetch()) };
}

/** How often health is asked for while somebody looks, in milliseconds; never while the page is hidden. */
const HEALTH_INTERVAL = 15_000;
const HEALTH_INTERVAL_WHEN_BAD = 4_000;

export const useHealth = () =>
  useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => askHealth(signal),
    retry: false,
    refetchOnWindowFocus: 'always',
    refetchIntervalInBackground: false,
    refetchInterval: (query) =>
      query.state.error === null && query.state.data?.status === 'ok' ? HEALTH_INTERVAL : HEALTH_INTERVAL_WHEN_BAD,
  });

export const useModels = () =>
  useQuery({
    queryKey: ['models'],
    queryFn: () => callApi('listModels', {}),
    retry: false,
    refetchIntervalInBackground: false,
    refetchInterval: HEALTH_INTERVAL,
  });
