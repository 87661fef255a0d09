import { peerRequest, readText, withinTime } from '@parley/shared/client';
import { PROBE_PATHS } from '@parley/shared/contracts';
import { isAlive, readRunRecords } from '@parley/shared/process-identity';
import type { BaseConfig } from './base-config';
import type { Metrics } from './metrics';

/** Another process of the same service at the same port. */
export interface Sibling {
  readonly instance: number;
  /** Where it answers alone. */
  readonly url: string;
}

/** Those that live and listen, found by what they write down: at the port of all, somebody answers. */
export function siblingsOf({ instance, service, data_dir }: BaseConfig): Sibling[] {
  if (instance === null) return [];
  return readRunRecords(data_dir, service).flatMap((record) =>
    record.instance === undefined || record.own_port === undefined || record.pid === process.pid || !isAlive(record)
      ? []
      : [{ instance: record.instance, url: `http://127.0.0.1:${record.own_port}` }],
  );
}

const PATIENCE_MS = 1_000;
const MAX_BYTES = 1024 * 1024;

/** @returns null when it does not answer: it has gone, or hangs */
const expositionOf = ({ url }: Sibling): Promise<string | null> =>
  withinTime(PATIENCE_MS, undefined, async (signal) => {
    const answer = await peerRequest(url + PROBE_PATHS.metrics, { method: 'GET', signal });
    const text = await readText(answer, MAX_BYTES);
    return answer.statusCode === 200 ? text : null;
  }).catch(() => null);

/** Families of several processes as those of one: name and type stand once, with all samples below; labels tell them apart. */
export function mergeExpositions(texts: readonly string[]): string {
  const families = new Map<string, string>();
  for (const block of texts.flatMap((text) => text.split(/^(?=# HELP )/m))) {
    const [, head = '', samples = ''] = /^(# HELP [^\n]*\n# TYPE [^\n]*\n)([^]*)$/.exec(`${block.trimEnd()}\n`) ?? [];
    if (head !== '') families.set(head, (families.get(head) ?? '') + samples);
  }
  return [...families].map(([head, samples]) => head + samples).join('\n');
}

/**
 * What `GET /metrics` says: at a port that several processes share the metrics of all, at one of its own those of this one.
 * @param port at which it was asked
 */
export async function expositionAt(port: number | undefined, config: BaseConfig, metrics: Metrics): Promise<string> {
  const siblings = port === config.port ? siblingsOf(config) : [];
  if (siblings.length === 0) return metrics.exposition();
  const texts = await Promise.all([metrics.exposition(), ...siblings.map(expositionOf)]);
  return mergeExpositions(texts.filter((text) => text !== null));
}
