import { useQuery } from '@tanstack/react-query';
import { callApi } from '../client/call-api';

/** Score of the last first attempt by scenario; coached talks and demo talks are none. Callers from the LAN may not see progress: they get no scores. */
export function useLastScores(): ReadonlyMap<string, number> {
  const { data } = useQuery({
    queryKey: ['progress'],
    queryFn: () => callApi('getProgress', {}),
    retry: false,
    staleTime: 0,
  });
  const scores = new Map<string, number>();
  for (const scenario of data?.scenarios ?? []) {
    const last = scenario.attempts.findLast(
      (one) =>
        one.attempt === 'first' && one.finished && !one.coaching && one.demo !== true && one.overall_score !== null,
    );
    if (last?.overall_score != null) scores.set(scenario.scenario_id, last.overall_score);
  }
  return scores;
}
