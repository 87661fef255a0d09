import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { Agent, request } from 'undici';
import { npcTurnJson, temporaryFolder } from '@parley/shared/testing';
import { ParleySet } from '../set/parley-set';
import { instantModelServer } from './instant-model-server';
import { measurement, quantile, type Measurement } from './measurement';

const WARM_UP = 100;
const TURNS = 600;
/** Turns played in one session before the next one begins: the_ask has room for fourteen. */
const TURNS_PER_SESSION = 12;

const agent = new Agent({ keepAliveTimeout: 60_000 });

async function post<T>(url: string, body: unknown): Promise<T> {
  const answer = await request(url, {
    method: 'POST',
    dispatcher: agent,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${url}: ${answer.statusCode} ${text}`);
  return JSON.parse(text) as T;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

async function bareServer(folder: string): Promise<{ url: string; stop: () => void }> {
  const child = spawn(process.execPath, [path.join(__dirname, 'bare-turn-server.js'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { url: `http://127.0.0.1:${line.toString().trim()}`, stop: () => child.kill('SIGTERM') };
}

/**
 * POST turn through the whole set, with a model server that answers at once, against a bare server that does the same
 * durable transaction: one caller, A and B in turn, in one run.
 */
export async function turnBench(): Promise<Measurement[]> {
  const folder = temporaryFolder('bench');
  const model = await instantModelServer(npcTurnJson({ npc_utterance: 'I hear you. Go on.' }));
  const set = await ParleySet.start({
    environment: { SIM_RUNTIME_ID: 'local_server', SIM_LOCAL_SERVER_BASE_URL: model.url, NODE_ENV: 'production' },
  });
  const bare = await bareServer(folder.path);
  try {
    const text = 'I would like to talk about my pay, and about what the last year has shown.';
    const ours: number[] = [];
    const baseline: number[] = [];
    let session = '';
    let bareSession = '';
    for (let at = 0; at < WARM_UP + TURNS; at += 1) {
      if (at % TURNS_PER_SESSION === 0) {
        session = (await post<{ id: string }>(`${set.url}/api/sessions`, { scenario_id: 'the_ask' })).id;
        await post(`${set.url}/api/sessions/${session}/start`, {});
        bareSession = (await post<{ id: string }>(`${bare.url}/sessions`, {})).id;
      }
      const a = await timed(() => post(`${set.url}/api/sessions/${session}/turn`, { text }));
      const b = await timed(() => post(`${bare.url}/turn/${bareSession}`, { text }));
      if (at >= WARM_UP) {
        ours.push(a);
        baseline.push(b);
      }
    }
    const row = (name: string, part: number, goal: Measurement['goal']): Measurement =>
      measurement(name, 'ms', quantile(ours, part), quantile(baseline, part), goal);
    return [
      row('turn, one caller, median', 0.5, { kind: 'at_most', ratio: 5 }),
      row('turn, one caller, p99', 0.99, null),
    ];
  } finally {
    bare.stop();
    await set.stop();
    await model.close();
    await agent.close();
    folder.remove();
  }
}
