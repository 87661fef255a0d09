import { useQuery } from '@tanstack/react-query';
import { ApiError } from '../client/api-error';
import { waitForDebrief } from './wait-for-debrief';

const PATIENCE = 8;
const RETRY_MS = 1_500;

/** The debrief of an ended session: it is asked for at once and waited for. */
export const useDebrief = (sessionId: string, isOver: boolean) =>
  useQuery({
    queryKey: ['debrief', sessionId],
    queryFn: ({ signal }) => waitForDebrief(sessionId, signal),
    enabled: isOver,
    staleTime: Infinity,
    // A service that is just being restarted is waited for; the debrief is made all the same.
    retry: (failures, thrown) => failures < PATIENCE && ApiError.from(thrown).retryable,
    retryDelay: RETRY_MS,
  });
