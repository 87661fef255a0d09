import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { callApi } from '../client/call-api';
import { setupPorts } from './connect-queries';
import { carryOut, type Setup, type StepDetail, type StepName, type StepState } from './setup';

export interface RunningSetup {
  readonly setup: Setup;
  readonly status: 'running' | 'ready' | 'failed' | 'cancelled';
  readonly steps: Readonly<Record<StepName, StepState>>;
  readonly details: Readonly<Partial<Record<StepName, StepDetail>>>;
  /** What it failed with; null while it has not. */
  readonly error: unknown;
}

const WAITING: RunningSetup['steps'] = {
  server: 'waiting',
  download: 'waiting',
  start: 'waiting',
  choose: 'waiting',
  try: 'waiting',
};

/** The one setup of the page: begins it, shows how far it is, cancels it. Leaving the page leaves downloads running. */
export function useSetup() {
  const cache = useQueryClient();
  const [run, setRun] = useState<RunningSetup | null>(null);
  const control = useRef<AbortController | null>(null);
  useEffect(() => () => control.current?.abort(), []);

  const begin = useCallback(
    (setup: Setup): void => {
      control.current?.abort();
      const own = new AbortController();
      control.current = own;
      const change = (members: (before: RunningSetup) => Partial<RunningSetup>): void =>
        setRun((before) => (control.current !== own || before === null ? before : { ...before, ...members(before) }));
      setRun({ setup, status: 'running', steps: WAITING, details: {}, error: null });
      const report = (step: StepName, state: StepState, detail: StepDetail = {}): void =>
        change(({ steps, details }) => ({
          steps: { ...steps, [step]: state },
          details: { ...details, [step]: { ...details[step], ...detail } },
        }));
      carryOut(setup, setupPorts(cache), report, own.signal).then(
        () => change(() => ({ status: 'ready' })),
        (error: unknown) => {
          if (!own.signal.aborted) change(() => ({ status: 'failed', error }));
        },
      );
    },
    [cache],
  );

  /** Stops where it is; what is under way in the service is stopped as well. */
  const cancel = (): void => {
    if (run === null) return;
    control.current?.abort();
    const { install } = run.details.download ?? {};
    if (install !== undefined && run.steps.download !== 'done')
      void callApi('cancelInstall', { params: { id: install.id } }).catch(() => undefined);
    if (run.steps.server === 'running') void callApi('cancelModelServerInstall', {}).catch(() => undefined);
    if (run.steps.start === 'running') void callApi('stopSidecar', {}).catch(() => undefined);
    setRun({ ...run, status: 'cancelled' });
  };

  const close = useCallback((): void => setRun(null), []);
  return { run, begin, cancel, close };
}
