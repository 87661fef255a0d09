import { Agent, request } from 'undici';
import { z } from 'zod';

/** Calls JSON operations over kept connections, as many at once as are asked for. */
export class JsonCaller {
  private readonly agent = new Agent({ keepAliveTimeout: 60_000 });

  private async call(method: 'GET' | 'POST', url: string, body?: unknown): Promise<unknown> {
    const answer = await request(url, {
      method,
      dispatcher: this.agent,
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${url}: ${answer.statusCode} ${text}`);
    return text === '' ? null : JSON.parse(text);
  }

  /** @throws Error when the answer is no success. */
  post(url: string, body: unknown): Promise<unknown> {
    return this.call('POST', url, body);
  }

  /** @throws Error when the answer is no success. */
  get(url: string): Promise<unknown> {
    return this.call('GET', url);
  }

  close(): Promise<void> {
    return this.agent.close();
  }
}

/** What has been made, as far as a bench looks at it. */
export const WithId = z.object({ id: z.string() });

/** Makes a session of the scenario through the API and begins it. @returns its id */
export async function beginSession(caller: JsonCaller, apiUrl: string, scenarioId: string): Promise<string> {
  const { id } = WithId.parse(await caller.post(`${apiUrl}/api/sessions`, { scenario_id: scenarioId }));
  await caller.post(`${apiUrl}/api/sessions/${id}/start`, {});
  return id;
}

/** Milliseconds that the work took. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** Calls per second of so many callers at once, each of whom makes so many calls one after the other. */
export async function callsPerSecond(
  callers: number,
  calls: number,
  call: (caller: number) => Promise<unknown>,
): Promise<number> {
  const milliseconds = await timed(() =>
    Promise.all(
      Array.from({ length: callers }, async (_one, caller) => {
        for (let at = 0; at < calls; at += 1) await call(caller);
      }),
    ),
  );
  return (callers * calls) / (milliseconds / 1000);
}
