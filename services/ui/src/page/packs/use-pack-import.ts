import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Finding, PackImport } from '@parley/shared/contracts';
import { ApiError } from '../client/api-error';
import { callApi } from '../client/call-api';
import { findingsOf } from './findings';

/** How often an import is asked how far it is, in milliseconds. */
const WATCH_MS = 300;
/** How often it is asked again when no answer comes. */
const PATIENCE = 20;

interface WantedPack {
  readonly source: File | string;
  /** Whether it may take the place of a lower version. */
  readonly replace: boolean;
}

type Stage = 'sending' | Exclude<PackImport['status'], 'installed' | 'failed' | 'cancelled'>;

export interface PackImportRun {
  /** null when none is under way. */
  readonly stage: Stage | null;
  readonly filesDone: number;
  /** null while nobody knows. */
  readonly filesTotal: number | null;
  /** The id of the pack that was installed. */
  readonly installed: string | null;
  readonly wasCancelled: boolean;
  readonly refusal: ApiError | null;
  readonly findings: readonly Finding[];
  /** What was asked for last. */
  readonly wanted: WantedPack | null;
  begin(wanted: WantedPack): void;
  cancel(): void;
}

const hasEnded = (one: PackImport | undefined): boolean =>
  one !== undefined && ['installed', 'failed', 'cancelled'].includes(one.status);

/** Why it failed, as the call would have answered that waits for the end. */
function refusalOf({ code, message, details, findings }: PackImport): ApiError | null {
  if (code === null) return null;
  return new ApiError(code, 0, message ?? '', false, { ...details, findings });
}

async function send({ source, replace }: WantedPack, signal: AbortSignal): Promise<PackImport> {
  const query: { replace?: 'true' } = replace ? { replace: 'true' } : {};
  const form = new FormData();
  if (typeof source !== 'string') form.set('file', source);
  // A form is the other kind of body that this operation takes; the type of the table knows the JSON one only.
  const body = typeof source === 'string' ? { path: source } : (form as unknown as { path: string });
  const begun = await callApi('importPack', { body, query, headers: { prefer: 'respond-async' } }, signal);
  if ('pack' in begun) throw new ApiError('UNEXPECTED', 200, '', false);
  return begun;
}

/**
 * An import that is begun, watched and cancelled. It goes on by itself once the pack is sent, whatever happens to the page.
 * @param onInstalled is called once for each pack that was installed.
 */
export function usePackImport(onInstalled: () => Promise<void>): PackImportRun {
  const sending = useRef(new AbortController());
  const [wasStopped, setStopped] = useState(false);
  const start = useMutation({
    mutationFn: (wanted: WantedPack) => send(wanted, sending.current.signal),
  });
  const id = start.data?.id;
  const watch = useQuery({
    queryKey: ['pack-import', id],
    queryFn: () => callApi('getPackImport', { params: { id: id ?? '' } }),
    enabled: id !== undefined,
    staleTime: 0,
    gcTime: 0,
    // It goes on meanwhile: only the answer that there is no such import ends the watch soon.
    retry: (failures, error) => failures < PATIENCE && error instanceof ApiError && error.retryable,
    refetchInterval: (query) => (hasEnded(query.state.data) || query.state.status === 'error' ? false : WATCH_MS),
  });
  const state = id === undefined ? undefined : (watch.data ?? start.data);
  const stop = useMutation({ mutationFn: (one: string) => callApi('cancelPackImport', { params: { id: one } }) });

  const told = useRef<string | null>(null);
  useEffect(() => {
    if (state?.status !== 'installed' || told.current === state.id) return;
    told.current = state.id;
    void onInstalled();
  }, [state, onInstalled]);

  const refusal = watch.error ?? (wasStopped ? null : start.error) ?? (state === undefined ? null : refusalOf(state));
  const underWay = start.isPending ? 'sending' : state !== undefined && watch.error === null ? state.status : null;
  return {
    stage: underWay === 'installed' || underWay === 'failed' || underWay === 'cancelled' ? null : underWay,
    filesDone: state?.files_done ?? 0,
    filesTotal: state?.files_total ?? null,
    installed: state?.pack_id ?? null,
    wasCancelled: wasStopped || state?.status === 'cancelled',
    refusal: refusal === null ? null : ApiError.from(refusal),
    findings: state?.findings ?? findingsOf(refusal === null ? null : ApiError.from(refusal)),
    wanted: start.variables ?? null,
    begin(wanted) {
      sending.current = new AbortController();
      setStopped(false);
      stop.reset();
      start.mutate(wanted);
    },
    cancel() {
      if (!start.isPending) {
        if (id !== undefined) stop.mutate(id);
        return;
      }
      setStopped(true);
      sending.current.abort();
    },
  };
}
