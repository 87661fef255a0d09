import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { Pool } from 'undici';
import { freePorts, temporaryFolder, waitUntil } from '@parley/shared/testing';
import { launch } from '../set/managed-process';
import { localServerAt } from './bench-set';
import { measurement, quantile, type Measurement } from './measurement';

const WARM_UP = 1_500;
const SAMPLES = 600;
const STREAMS = [1, 16, 64] as const;
/** Tokens that all streams of one round send together, without a pause. */
const ROUND_TOKENS = 32_000;
/** Tokens of a stream that is paced like a quick model's, and the milliseconds between two of them. */
const PACED_TOKENS = 300;
const PACE_MS = 4;
const ROUNDS = 5;
/** The hop may add this much to the first byte, in milliseconds. */
const MOST_ADDED_MS = 1;

/** What a server does after its answer slows whoever is asked next, so each way comes after each other one equally often. */
const ORDERS = [
  ['direct', 'proxy', 'ours'],
  ['proxy', 'direct', 'ours'],
  ['ours', 'direct', 'proxy'],
  ['ours', 'proxy', 'direct'],
  ['direct', 'ours', 'proxy'],
  ['proxy', 'ours', 'direct'],
] as const;

interface Way {
  readonly pool: Pool;
  readonly path: string;
}

async function started(program: string, args: readonly string[]): Promise<{ url: string; stop: () => void }> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { url: `http://127.0.0.1:${line.toString().trim()}`, stop: () => child.kill('SIGTERM') };
}

async function gateway(modelUrl: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const folder = temporaryFolder('hop');
  const [port = 0] = await freePorts(1);
  const one = launch('runtime_gateway', {
    environment: {
      NODE_ENV: 'production',
      SIM_GATEWAY_PORT: String(port),
      SIM_DATA_DIR: folder.path,
      ...localServerAt(modelUrl),
    },
  });
  const url = `http://127.0.0.1:${port}`;
  await waitUntil('the gateway', async () => one.end() !== null || (await fetch(`${url}/livez`)).ok);
  if (one.end() !== null) throw new Error(`the gateway ended at its start: ${one.output()}`);
  return {
    url,
    stop: async () => {
      one.kill('SIGTERM');
      await one.ended;
      folder.remove();
    },
  };
}

const bodyFor = (tokens: number, pace: number): string =>
  JSON.stringify({
    messages: [{ role: 'user', content: 'Tell me about tea, please.' }],
    max_tokens: tokens,
    temperature: pace,
  });

/** Milliseconds to the first byte of the body and to its end. */
async function stream(way: Way, tokens: number, pace = 0): Promise<{ first: number; whole: number }> {
  const begun = performance.now();
  const { body } = await way.pool.request({
    method: 'POST',
    path: way.path,
    headers: { 'content-type': 'application/json' },
    body: bodyFor(tokens, pace),
  });
  let first = 0;
  for await (const _chunk of body) first ||= performance.now() - begun;
  return { first, whole: performance.now() - begun };
}

/** Tokens per second over this many streams at once. */
async function rate(way: Way, streams: number, pace: number): Promise<number> {
  const tokens = pace > 0 ? PACED_TOKENS : Math.round(ROUND_TOKENS / streams);
  const begun = performance.now();
  await Promise.all(Array.from({ length: streams }, () => stream(way, tokens, pace)));
  return (tokens * streams) / ((performance.now() - begun) / 1000);
}

/**
 * What the gateway's hop costs: the first byte over a direct call and over a bare undici proxy, and tokens per second,
 * all ways in turn in one run.
 */
export async function hopBench(): Promise<Measurement[]> {
  const servers = path.join(__dirname, 'hop-servers.js');
  const model = await started(servers, ['model']);
  const proxy = await started(servers, ['proxy', model.url]);
  const ours = await gateway(model.url);
  const ways = {
    direct: { pool: new Pool(model.url), path: '/v1/chat/completions' },
    proxy: { pool: new Pool(proxy.url), path: '/v1/chat/completions' },
    ours: { pool: new Pool(ours.url), path: '/runtime/chat' },
  };
  try {
    const firsts: Record<keyof typeof ways, number[]> = { direct: [], proxy: [], ours: [] };
    for (let at = 0; at < WARM_UP + SAMPLES; at += 1)
      for (const name of ORDERS[at % ORDERS.length] ?? []) {
        const { first } = await stream(ways[name], 8);
        if (at >= WARM_UP) firsts[name].push(first);
      }
    const median = (name: keyof typeof ways): number => quantile(firsts[name], 0.5);
    const added = median('ours') - median('direct');
    const addedByProxy = median('proxy') - median('direct');
    const rows = [
      measurement('first byte through the gateway, median', 'ms', median('ours'), median('direct')),
      measurement('first byte added by the hop, against what is allowed', 'ms', added, MOST_ADDED_MS, {
        kind: 'at_most',
        ratio: 1,
      }),
      measurement('first byte added by the hop, against a bare proxy', 'ms', added, addedByProxy),
      measurement('first byte through the gateway, against a bare proxy', 'ms', median('ours'), median('proxy'), {
        kind: 'at_most',
        ratio: 1.3,
      }),
    ];
    for (const streams of STREAMS)
      for (const pace of [PACE_MS, 0]) {
        const rates: Record<'direct' | 'ours', number[]> = { direct: [], ours: [] };
        for (let round = 0; round <= ROUNDS; round += 1)
          for (const name of ['direct', 'ours'] as const) {
            const measured = await rate(ways[name], streams, pace);
            if (round > 0) rates[name].push(measured);
          }
        const [through, direct] = [quantile(rates.ours, 0.5), quantile(rates.direct, 0.5)];
        const what = `tokens per second at ${streams} streams`;
        rows.push(
          pace > 0
            ? measurement(`${what} of a quick model`, '1/s', through, direct, { kind: 'at_least', ratio: 0.9 })
            : measurement(`${what} of a server that never pauses`, '1/s', through, direct),
        );
      }
    return rows;
  } finally {
    await Promise.all(Object.values(ways).map(({ pool }) => pool.destroy()));
    await ours.stop();
    for (const server of [proxy, model]) server.stop();
  }
}
