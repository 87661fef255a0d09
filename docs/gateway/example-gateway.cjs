'use strict';
/**
 * Another gateway, as an example: plain node:http, no dependencies, in front of one OpenAI-style model server. It answers
 * the four calls that a play needs and passes the conformance run. Start it, and point Parley at it:
 *
 *   EXAMPLE_PORT=7370 EXAMPLE_MODEL_SERVER=http://127.0.0.1:7356 node docs/gateway/example-gateway.cjs
 *   SIM_GATEWAY_URL=http://127.0.0.1:7370 npm start
 */
const http = require('node:http');
const { randomUUID } = require('node:crypto');

const PORT = Number(process.env.EXAMPLE_PORT ?? 7370);
const SERVER = process.env.EXAMPLE_MODEL_SERVER ?? 'http://127.0.0.1:7356';
const QUIET_MS = Number(process.env.EXAMPLE_QUIET_MS ?? 180_000);
const BODY_LIMIT = 1024 * 1024;
const agent = new http.Agent({ keepAlive: true });

const KINDS = {
  BAD_JSON: [400, false],
  VALIDATION_ERROR: [400, false],
  HOST_NOT_ALLOWED: [403, false],
  NOT_FOUND: [404, false],
  METHOD_NOT_ALLOWED: [405, false],
  PAYLOAD_TOO_LARGE: [413, false],
  UNSUPPORTED_MEDIA_TYPE: [415, false],
  INTERNAL: [500, false],
  RUNTIME_ERROR: [502, false],
  RUNTIME_UNAVAILABLE: [503, true],
  TURN_TIMEOUT: [504, true],
};

class Failure extends Error {
  constructor(code, detail) {
    super(detail);
    this.code = code;
  }
}

const unavailable = () =>
  new Failure('RUNTIME_UNAVAILABLE', 'The model server cannot be reached; start it and try again.');
const wrongAnswer = () => new Failure('RUNTIME_ERROR', 'The model server answered with an error; its log says more.');
const timedOut = () => new Failure('TURN_TIMEOUT', 'The model server was silent for too long; try again.');

/** Sends a request to the model server. Resolves with the answer when its headers are here; every byte calms the timer. */
function ask(method, path, body, signal) {
  return new Promise((resolve, reject) => {
    const request = http.request(SERVER + path, {
      method,
      agent,
      signal,
      headers: { 'accept-encoding': 'identity', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    });
    request.setTimeout(QUIET_MS, () => {
      request.wasQuiet = true;
      request.destroy(timedOut());
    });
    request.once('response', resolve);
    request.once('error', (error) => reject(error instanceof Failure ? error : unavailable()));
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

async function askJson(path) {
  const answer = await ask('GET', path);
  let text = '';
  for await (const chunk of answer) text += chunk;
  return { status: answer.statusCode, body: answer.statusCode === 200 ? JSON.parse(text) : null };
}

const runtime = () => ({
  id: 'example',
  display_name: 'Example gateway',
  capabilities: { streaming: true, json_schema: true, grammar: false, tool_calling: false, embeddings: false },
});

async function health() {
  const begun = performance.now();
  let status = 'UNAVAILABLE';
  try {
    const answer = await askJson('/health');
    status = answer.status === 200 ? 'READY' : answer.status === 503 ? 'STARTING' : 'ERROR';
  } catch {
    // It stays UNAVAILABLE.
  }
  return {
    runtime_id: 'example',
    runtime_name: 'Example gateway',
    status,
    model_id: null,
    latency_ms: status === 'UNAVAILABLE' ? null : performance.now() - begun,
    message:
      status === 'READY' ? null : 'The model server is not ready; start it, or wait until it has loaded its model.',
    checked_at: new Date().toISOString(),
  };
}

async function models() {
  const { status, body } = await askJson('/v1/models');
  if (status !== 200) throw wrongAnswer();
  const list = body.data.map(({ id, meta }) => ({
    id,
    name: id,
    context_length: meta?.n_ctx ?? null,
    size_bytes: meta?.size ?? null,
    loaded: true,
  }));
  return { models: list };
}

// `cue` is the author's line for the demo voice: a gateway with a model takes it and does nothing with it.
const MEMBERS = ['messages', 'model_id', 'max_tokens', 'temperature', 'json_schema', 'cue'];

function validChat(body) {
  const issue = (path, message) => new Failure('VALIDATION_ERROR', `${path}: ${message}`);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw issue('', 'must be an object');
  for (const name of Object.keys(body)) if (!MEMBERS.includes(name)) throw issue(name, 'is unknown');
  const { messages, model_id = null, max_tokens = 512, temperature = 0.8, json_schema = null } = body;
  const isMessage = (one) => ['system', 'user', 'assistant'].includes(one?.role) && typeof one.content === 'string';
  if (!Array.isArray(messages) || messages.length === 0 || !messages.every(isMessage))
    throw issue('messages', 'must be a list of messages');
  if (!Number.isInteger(max_tokens) || max_tokens < 1) throw issue('max_tokens', 'must be a whole number from 1');
  if (typeof temperature !== 'number') throw issue('temperature', 'must be a number');
  if (json_schema !== null && typeof json_schema !== 'object') throw issue('json_schema', 'must be an object or null');
  return { messages, model_id, max_tokens, temperature, json_schema };
}

/** Yields the content of each chunk; throws unless the stream says that it is complete. */
async function* contents(answer, counts) {
  let rest = '';
  let isComplete = false;
  const decoder = new TextDecoder();
  try {
    for await (const bytes of answer) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
      rest = lines.pop();
      for (const line of lines) {
        if (!line.startsWith('data:')) continue;
        const data = line.slice(5).trim();
        if (data === '[DONE]') return;
        const chunk = JSON.parse(data);
        if (chunk.error) throw wrongAnswer();
        counts.model = chunk.model ?? counts.model;
        counts.usage = chunk.usage ?? counts.usage;
        const [choice] = chunk.choices ?? [];
        if (choice?.finish_reason) isComplete = true;
        if (choice?.delta?.content) yield choice.delta.content;
      }
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    if (answer.req.wasQuiet) throw timedOut();
    throw error instanceof SyntaxError ? wrongAnswer() : unavailable();
  }
  if (!isComplete) throw unavailable();
}

async function chat(request, response) {
  const wish = validChat(await readBody(request));
  const leave = new AbortController();
  response.once('close', () => leave.abort());
  const answer = await ask('POST', '/v1/chat/completions', upstreamBody(wish), leave.signal);
  if (answer.statusCode !== 200) {
    answer.resume();
    throw answer.statusCode === 503 ? unavailable() : wrongAnswer();
  }
  const counts = { model: 'unknown', usage: {} };
  const pieces = contents(answer, counts);
  // Whatever fails before the first piece is an HTTP error; after it, an error line.
  let piece = await pieces.next();
  response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  let text = '';
  const write = async (item) => {
    if (response.write(`${JSON.stringify(item)}\n`) || response.destroyed) return;
    // A caller that does not read holds the model server up: its silence then is ours.
    answer.socket.setTimeout(0);
    await new Promise((resolve) => {
      const settle = () => resolve(response.off('drain', settle).off('close', settle));
      response.once('drain', settle).once('close', settle);
    });
    answer.socket.setTimeout(QUIET_MS);
  };
  try {
    for (; !piece.done && !response.destroyed; piece = await pieces.next()) {
      text += piece.value;
      await write({ type: 'token', text: piece.value });
    }
    await write({
      type: 'final',
      text,
      ...finalCounts(counts),
      structured: wish.json_schema === null ? null : parsed(text),
    });
  } catch (error) {
    await write({ type: 'error', code: error.code ?? 'INTERNAL', message: error.message });
  } finally {
    answer.destroy();
    response.end();
  }
}

const finalCounts = ({ model, usage }) => ({
  model_id: model,
  input_tokens: usage.prompt_tokens ?? null,
  output_tokens: usage.completion_tokens ?? null,
});

function upstreamBody({ messages, model_id, max_tokens, temperature, json_schema }) {
  return {
    messages,
    ...(model_id === null ? {} : { model: model_id }),
    max_tokens,
    temperature,
    stream: true,
    ...(json_schema === null
      ? {}
      : {
          response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: false, schema: json_schema } },
        }),
  };
}

function parsed(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

async function readBody(request) {
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? ''))
    throw new Failure('UNSUPPORTED_MEDIA_TYPE', 'Send JSON.');
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > BODY_LIMIT) throw new Failure('PAYLOAD_TOO_LARGE', 'At most 1 MiB.');
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new Failure('BAD_JSON', 'The body is no JSON.');
  }
}

const ROUTES = {
  '/runtime': { GET: runtime },
  '/runtime/health': { GET: health },
  '/runtime/models': { GET: models },
  '/runtime/chat': { POST: chat },
};

async function answer(request, response) {
  const id = /^[A-Za-z0-9._-]{1,128}$/.test(request.headers['x-request-id'] ?? '')
    ? request.headers['x-request-id']
    : randomUUID();
  response.setHeader('x-request-id', id);
  try {
    if (!['127.0.0.1', 'localhost', '[::1]'].some((name) => request.headers.host === `${name}:${PORT}`))
      throw new Failure('HOST_NOT_ALLOWED', 'Call this gateway by a loopback name.');
    const route = ROUTES[request.url];
    if (route === undefined) throw new Failure('NOT_FOUND', 'There is nothing at this path.');
    const handler = route[request.method];
    if (handler === undefined) throw new Failure('METHOD_NOT_ALLOWED', `Use ${Object.keys(route).join()}.`);
    const body = await handler(request, response);
    if (response.headersSent) return;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(body));
  } catch (error) {
    const code = error instanceof Failure ? error.code : 'INTERNAL';
    const [status, retryable] = KINDS[code];
    const detail = error instanceof Failure ? error.message : 'Something went wrong.';
    if (response.headersSent) return response.destroy();
    response.writeHead(status, { 'content-type': 'application/problem+json', connection: 'close' });
    response.end(
      JSON.stringify({
        type: 'about:blank',
        title: http.STATUS_CODES[status],
        status,
        detail,
        code,
        retryable,
        request_id: id,
      }),
    );
  }
}

http
  .createServer((request, response) => void answer(request, response))
  .listen(PORT, '127.0.0.1', () => console.log(`listening on ${PORT}`));
