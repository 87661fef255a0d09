import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { loaded, startModelServer, temporaryFolder, tinyModel } from '@parley/shared/testing';
import { z } from 'zod';
import type { ModelServerStart, RunningModelServer, TinyModelOptions } from '@parley/shared/testing';

export const Usage = z.object({
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  prompt_tokens_details: z.object({ cached_tokens: z.int() }),
});
export type Usage = z.infer<typeof Usage>;

export const Chunk = z.object({
  choices: z.array(
    z.object({
      delta: z.object({ content: z.string().nullish(), role: z.string().optional() }).optional(),
      finish_reason: z.string().nullable(),
    }),
  ),
  usage: Usage.optional(),
  timings: z.object({ cache_n: z.int(), prompt_n: z.int() }).optional(),
});
export type Chunk = z.infer<typeof Chunk>;

const Answer = z.object({
  choices: z.tuple([z.object({ message: z.object({ content: z.string() }), finish_reason: z.string() })]),
  usage: Usage,
});
type Answer = z.infer<typeof Answer>;

export const Refusal = z.object({
  error: z.looseObject({ code: z.int(), type: z.string(), message: z.string() }),
});

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
  return Answer.parse(JSON.parse(text));
}

export const eventsIn = (text: string): string[] =>
  text
    .split('\n\n')
    .filter((block) => block.startsWith('data: '))
    .map((block) => block.slice(6));
