import { useCallback, useEffect, useRef, useState } from 'react';
import type { DraftCheck } from '@parley/shared/contracts';
import { callApi } from '../client/call-api';

export interface DraftCheckState {
  /** The last one that came; null before the first. */
  readonly check: DraftCheck | null;
  readonly isChecking: boolean;
  readonly error: unknown;
  run(): void;
}

/** Checks a draft whenever it is told to: only the last check counts, one that is under way is given up. */
export function useDraftCheck(draftId: string): DraftCheckState {
  const [state, setState] = useState<Omit<DraftCheckState, 'run'>>({ check: null, isChecking: true, error: null });
  const running = useRef<AbortController | null>(null);
  const run = useCallback(() => {
    running.current?.abort();
    const own = new AbortController();
    running.current = own;
    setState((last) => ({ ...last, isChecking: true }));
    callApi('checkDraft', { params: { draft_id: draftId } }, own.signal)
      .then((check) => {
        if (!own.signal.aborted) setState({ check, isChecking: false, error: null });
      })
      .catch((error: unknown) => {
        if (!own.signal.aborted) setState((last) => ({ ...last, isChecking: false, error }));
      });
  }, [draftId]);
  useEffect(() => {
    run();
    return () => running.current?.abort();
  }, [run]);
  return { ...state, run };
}
