import { Agent, request, type Dispatcher } from 'undici';
import { ChatItem, Problem, type ChatFinal, type ChatRequestInput } from '@parley/shared/contracts';
import { demand } from './demand';

export interface PlainAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly headers: Dispatcher.ResponseData['headers'];
  readonly text: string;
}

export interface ChatAnswer {
  readonly status: number;
  readonly items: readonly ChatItem[];
  /** null when the answer was a stream. */
  readonly problem: Problem | null;
}

export const ASK: ChatRequestInput = { messages: [{ role: 'user', content: 'Say one short sentence about tea.' }] };

/** The gateway as its callers see it: an address. */
export class GatewayUnderTest {
  readonly url: string;
  private readonly agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 1_000 });

  constructor(url: string) {
    this.url = url.replace(/(?<!\/)\/+$/, '');
  }

  async call(
    method: Dispatcher.HttpMethod,
    path: string,
    body?: string,
    headers: Record<string, string> = {},
  ): Promise<PlainAnswer> {
    const answer = await request(this.url + path, {
      method,
      dispatcher: this.agent,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body }),
    });
    return {
      status: answer.statusCode,
      contentType: String(answer.headers['content-type'] ?? ''),
      headers: answer.headers,
      text: await answer.body.text(),
    };
  }

  async json(path: string): Promise<unknown> {
    const { status, text } = await this.call('GET', path);
    demand(status === 200, `GET ${path} answered ${status}`);
    return JSON.parse(text);
  }

  /** Sends a chat and leaves its answer to be read. */
  openChat(input: Partial<ChatRequestInput> = {}, signal?: AbortSignal): Promise<Dispatcher.ResponseData> {
    return request(`${this.url}/runtime/chat`, {
      method: 'POST',
      dispatcher: this.agent,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...ASK, ...input }),
      ...(signal === undefined ? {} : { signal }),
    });
  }

  /** Sends a chat and reads its whole answer, every line checked against the contract. */
  async chat(input: Partial<ChatRequestInput> = {}): Promise<ChatAnswer> {
    const answer = await this.openChat(input);
    const text = await answer.body.text();
    const contentType = String(answer.headers['content-type'] ?? '');
    if (answer.statusCode !== 200)
      return { status: answer.statusCode, items: [], problem: problemOf(text, contentType) };
    demand(contentType.startsWith('application/x-ndjson'), `a chat is answered as ${contentType || 'nothing'}`);
    return { status: 200, items: itemsOf(text), problem: null };
  }

  /** A chat that must succeed: its tokens joined, and its final item. */
  async finishedChat(
    input: Partial<ChatRequestInput> = {},
  ): Promise<{ joined: string; tokens: number; final: ChatFinal }> {
    const { status, items, problem } = await this.chat(input);
    demand(status === 200, `a chat was answered with ${status} ${problem?.code ?? ''}`);
    const final = onlyEnd(items);
    demand(final.type === 'final', `a chat ended in ${JSON.stringify(final)}`);
    const tokens = items.filter((item) => item.type === 'token');
    return { joined: tokens.map((token) => token.text).join(''), tokens: tokens.length, final };
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }
}

/** The lines of a chat, each an item of the contract. */
export function itemsOf(text: string): ChatItem[] {
  demand(text.endsWith('\n'), 'the last line of a chat has no line feed');
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => {
      let value: unknown;
      try {
        value = JSON.parse(line);
      } catch {
        demand(false, `a line of a chat is no JSON: ${line.slice(0, 80)}`);
      }
      const item = ChatItem.safeParse(value);
      demand(item.success, `a line of a chat is no item: ${line.slice(0, 80)}`);
      return item.data;
    });
}

/** The one item that ends a chat: the last, and the only one of its kind. */
export function onlyEnd(items: readonly ChatItem[]): ChatItem {
  const ends = items.filter((item) => item.type !== 'token');
  const last = items.at(-1);
  demand(
    ends.length === 1 && last !== undefined && last === ends[0],
    `a chat has ${ends.length} ends, or one that is not last`,
  );
  return last;
}

/** An error answer as a problem document. */
export function problemOf(text: string, contentType: string): Problem {
  demand(contentType.startsWith('application/problem+json'), `an error is answered as ${contentType || 'nothing'}`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    demand(false, 'an error is no JSON');
  }
  const problem = Problem.safeParse(value);
  demand(problem.success, `an error is no problem document: ${text.slice(0, 120)}`);
  return problem.data;
}
