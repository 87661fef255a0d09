import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { loaded, startModelServer, temporaryFolder, tinyModel } from '@parley/shared/testing';
import type { ModelServerStart, RunningModelServer, TinyModelOptions } from '@parley/shared/testing';

export interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly prompt_tokens_details: { readonly cached_tokens: number };
}
export interface Chunk {
  readonly choices: readonly {
    readonly delta?: { content?: string | null; role?: string };
    finish_reason: string | null;
  }[];
  readonly usage?: Usage;
  readonly timings?: { readonly cache_n: number; readonly prompt_n: number };
}
interface Answer {
  readonly choices: readonly [{ readonly message: { readonly content: string }; readonly finish_reason: string }];
  readonly usage: Usage;
}
export interface Refusal {
  readonly error: { readonly code: number; readonly type: string; readonly message: string } & Record<string, unknown>;
}

export const ASK = { messages: [{ role: 'user', content: 'Hello Mara, can we talk about the rent?' }], max_tokens: 12 };

/** Where a suite keeps its models; everything in it ends with the suite. */
export const folder = temporaryFolder('model-server');
export const opened: RunningModelServer[] = [];
afterAll(async () => {
  await Promise.all(opened.map((one) => one.stop()));
  folder.remove();
});

let models = 0;
export function modelFile(options: TinyModelOptions = {}): string {
  const file = path.join(folder.path, `tiny-${(models += 1)}.gguf`);
  writeFileSync(file, tinyModel(options));
  return file;
}

export async function start(
  options: Omit<ModelServerStart, 'file'> & { file?: string } = {},
): Promise<RunningModelServer> {
  const server = await startModelServer({ file: modelFile(), ...options });
  opened.push(server);
  await loaded(server);
  return server;
}

export const post = (server: RunningModelServer, body: unknown, init: RequestInit = {}): Promise<Response> =>
  fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...init,
  });

export async function ask(server: RunningModelServer, body: object): Promise<Answer> {
  const response = await post(server, body);
  const text = await response.text();
  if (response.status !== 200) throw new Error(text);
  return JSON.parse(text) as Answer;
}

export const eventsIn = (text: string): string[] =>
  text
    .split('\n\n')
    .filter((block) => block.startsWith('data: '))
    .map((block) => block.slice(6));
