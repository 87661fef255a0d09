import type { RuntimeHealth } from '@parley/shared/contracts';
import { Link } from 'wouter';
import { PAGE_PATHS } from '../../page-paths';
import { useHealth } from '../client/queries';
import type { Messages } from '../messages/en';
import { useMessages } from '../messages/use-messages';

interface Shown {
  readonly words: string;
  readonly tone: 'ready' | 'quiet' | 'trouble';
}

/** What plays the characters, in a few words. */
export function describeRuntime(runtime: RuntimeHealth, { health }: Messages): Shown {
  if (runtime.runtime_id === 'fake') return { words: health.demo, tone: 'quiet' };
  switch (runtime.status) {
    case 'READY':
      return { words: health.ready(runtime.model_id ?? runtime.runtime_name), tone: 'ready' };
    case 'STARTING':
      return { words: health.starting, tone: 'quiet' };
    case 'DEGRADED':
      return { words: health.degraded, tone: 'trouble' };
    case 'UNAVAILABLE':
      return { words: health.unavailable, tone: 'trouble' };
    case 'ERROR':
      return { words: health.error, tone: 'trouble' };
  }
}

export function HealthPill() {
  const messages = useMessages();
  const { data, error } = useHealth();
  const shown: Shown =
    error !== null
      ? { words: messages.health.unreachable, tone: 'trouble' }
      : data === undefined
        ? { words: messages.health.checking, tone: 'quiet' }
        : describeRuntime(data.runtime, messages);
  const isReady = shown.tone === 'ready';
  return (
    <p className="pill" data-tone={shown.tone} title={messages.health.label}>
      {isReady ? <Link href={PAGE_PATHS.models}>{shown.words}</Link> : <span>{shown.words}</span>}
      {!isReady && data !== undefined && error === null && (
        <Link href={PAGE_PATHS.models}>{messages.health.connect}</Link>
      )}
    </p>
  );
}
