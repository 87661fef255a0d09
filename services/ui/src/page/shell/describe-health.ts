import type { Health, RuntimeHealth } from '@parley/shared/contracts';
import type { Messages } from '../messages/en';

export interface ShownHealth {
  readonly words: string;
  readonly tone: 'ready' | 'quiet' | 'trouble';
  /** What the service says about it: what to do. */
  readonly message: string | null;
  /** Where more is said about it. */
  readonly leadsTo: 'models' | 'diagnostics';
}

/** A model server may call its model by the path of its file: people know it by the file's name. */
const nameOfModel = ({ model_id: id, runtime_name: name }: RuntimeHealth): string =>
  (id ?? name)
    .split(/[/\\]/)
    .at(-1)
    ?.replace(/\.gguf$/i, '') || name;

/** What plays the characters, in a few words. */
export function describeRuntime(runtime: RuntimeHealth, { health }: Messages): ShownHealth {
  const { message } = runtime;
  switch (runtime.status) {
    case 'READY':
      return runtime.runtime_id === 'fake'
        ? { words: health.demo, tone: 'quiet', message: null, leadsTo: 'models' }
        : { words: health.ready(nameOfModel(runtime)), tone: 'ready', message, leadsTo: 'models' };
    case 'STARTING':
      return { words: health.starting, tone: 'quiet', message, leadsTo: 'models' };
    case 'DEGRADED':
      return { words: health.degraded, tone: 'trouble', message, leadsTo: 'models' };
    case 'UNAVAILABLE':
      return { words: health.unavailable, tone: 'trouble', message, leadsTo: 'models' };
    case 'ERROR':
      return { words: health.error, tone: 'trouble', message, leadsTo: 'models' };
  }
}

/** How the set is: what keeps a talk from being played comes first, then what will be missed later, then what plays. */
export function describeHealth({ runtime, services, storage }: Health, messages: Messages): ShownHealth {
  const { health } = messages;
  const isDown = (name: keyof Health['services']): boolean => services[name].status === 'unavailable';
  const down = (words: string): ShownHealth => ({ words, tone: 'trouble', message: null, leadsTo: 'diagnostics' });
  const played = describeRuntime(runtime, messages);
  if (storage.status !== 'ok') return { ...down(health.storageFails), message: storage.message };
  if (isDown('runtime_gateway')) return { ...down(health.gatewayDown), message: played.message };
  if (runtime.status === 'UNAVAILABLE' || runtime.status === 'ERROR') return played;
  if (isDown('pack_service')) return down(health.packsDown);
  const shared = storage.warnings.find(({ code }) => code.startsWith('redis_'));
  if (shared !== undefined) return { ...down(health.sharedFails), message: shared.message };
  if (isDown('debrief_worker')) return down(health.debriefsDown);
  return played;
}
