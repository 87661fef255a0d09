import { readApiAddress } from './api-address';
import { ApiError } from './api-error';
import { callApi } from './call-api';

const pageWith = (port: string | null) =>
  ({ querySelector: () => (port === null ? null : { getAttribute: () => port }) }) as unknown as Document;

interface Sent {
  url: string;
  options: RequestInit & { headers: Record<string, string> };
}

/** Answers the next call and keeps what was sent. */
function answerWith(status: number, body: string): Sent[] {
  const sent: Sent[] = [];
  jest.spyOn(globalThis, 'fetch').mockImplementation((url, options) => {
    sent.push({ url: String(url), options: options as Sent['options'] });
    return Promise.resolve(new Response(status === 204 ? null : body, { status }));
  });
  return sent;
}

beforeEach(() =>
  Object.assign(globalThis, { document: pageWith('4711'), window: { location: { hostname: 'localhost' } } }),
);
afterEach(() => {
  jest.restoreAllMocks();
  Reflect.deleteProperty(globalThis, 'document');
  Reflect.deleteProperty(globalThis, 'window');
});

describe('readApiAddress', () => {
  it('is the host of the page with the port that the page was given', () => {
    expect(readApiAddress(pageWith('4711'), { hostname: 'my-machine', origin: 'http://my-machine:1' })).toEqual({
      http: 'http://my-machine:4711',
      socket: 'ws://my-machine:4711',
    });
  });

  it('is 127.0.0.1 for a page at an IPv6 address, which a policy cannot name', () => {
    expect(readApiAddress(pageWith('4711'), { hostname: '[::1]', origin: 'http://[::1]:1' }).http).toBe(
      'http://127.0.0.1:4711',
    );
  });

  it('is the origin of the page itself where it was given no port', () => {
    expect(readApiAddress(pageWith(''), { hostname: 'talks.example', origin: 'https://talks.example' })).toEqual({
      http: 'https://talks.example',
      socket: 'wss://talks.example',
    });
  });
});

describe('callApi', () => {
  it('fills parameters and query in so that they stay what they are', async () => {
    const sent = answerWith(200, '{"events":[],"next_cursor":null}');
    await callApi('listEvents', { params: { id: 'a/b?c' }, query: { limit: 100, cursor: 'x&y' } });
    expect(sent[0]?.url).toBe('http://localhost:4711/api/sessions/a%2Fb%3Fc/events?limit=100&cursor=x%26y');
    expect(sent[0]?.options).toMatchObject({ method: 'GET', credentials: 'same-origin' });
    expect(sent[0]?.options.body).toBeUndefined();
  });

  it('sends JSON as JSON, with the headers of the call', async () => {
    const sent = answerWith(200, '{}');
    await callApi('takeTurn', { params: { id: 's' }, body: { text: 'Hi' }, headers: { 'idempotency-key': 'k' } });
    expect(sent[0]?.options).toMatchObject({
      method: 'POST',
      body: '{"text":"Hi"}',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'k' },
    });
  });

  it('says nothing of a content type where there is no body', async () => {
    const sent = answerWith(204, '');
    await expect(callApi('deleteSession', { params: { id: 's' } })).resolves.toBeUndefined();
    expect(sent[0]?.options.headers).toEqual({});
  });

  it('throws the problem that the service describes', async () => {
    const problem = { code: 'TURN_TIMEOUT', detail: 'Too slow. Try again.', retryable: true, details: { after: 1 } };
    answerWith(504, JSON.stringify(problem));
    const error = await callApi('getHealth', {}).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      code: 'TURN_TIMEOUT',
      status: 504,
      message: 'Too slow. Try again.',
      retryable: true,
      details: { after: 1 },
    });
  });

  it.each(['<html>', '[]', '"text"', ''])('throws UNEXPECTED for an error that says %p', async (body) => {
    answerWith(502, body);
    await expect(callApi('getHealth', {})).rejects.toMatchObject({ code: 'UNEXPECTED', status: 502 });
  });

  it('throws UNREACHABLE when no answer came', async () => {
    jest.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('failed to fetch'));
    await expect(callApi('getHealth', {})).rejects.toMatchObject({ code: 'UNREACHABLE', retryable: true });
  });
});
