import type { ServerResponse } from 'node:http';
import { TemplateError } from '../chat/chat-template';
import { PromptTooLongError, type LoadedModel, type Outcome } from '../engine/loaded-model';
import type { Wish } from '../engine/sampling';
import { ApiError, invalidRequest } from './api-error';
import { CompletionAnswer, errorEvent, PING } from './completion-answer';
import { readCompletionRequest, type CompletionRequest } from './completion-request';
import { sendJson } from './send-json';

/** A refusal before the first byte. */
function refusalOf(error: unknown): unknown {
  if (error instanceof PromptTooLongError)
    return new ApiError(400, 'exceed_context_size_error', error.message, {
      n_prompt_tokens: error.promptTokens,
      n_ctx: error.contextTokens,
    });
  return error instanceof TemplateError ? new ApiError(500, 'server_error', error.message) : error;
}

async function wishOf(model: LoadedModel, request: CompletionRequest): Promise<Wish> {
  if (request.grammar !== null)
    await model.prepareGrammar(request.grammar).catch(() => {
      throw invalidRequest('The json_schema is too large for a grammar; make it smaller.');
    });
  try {
    const prompt = model.promptOf(request.messages, { enable_thinking: false, ...request.templateValues });
    return { ...request, prompt };
  } catch (error) {
    throw refusalOf(error);
  }
}

/** Resolves at once when the caller keeps up, else when it has taken what is written, or is gone. */
function drained(response: ServerResponse): Promise<void> | undefined {
  if (!response.writableNeedDrain || response.destroyed) return undefined;
  return new Promise((resolve) => {
    const settle = (): void => {
      response.off('drain', settle).off('close', settle);
      resolve();
    };
    response.once('drain', settle).once('close', settle);
  });
}

/** The answer as server-sent events. The head goes with the first byte, so that what fails before it has a status. */
async function stream(
  model: LoadedModel,
  request: CompletionRequest,
  wish: Wish,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const answer = new CompletionAnswer(model.name);
  let isOpen = false;
  let saidAt = performance.now();
  const write = (text: string): void => {
    if (response.destroyed) return;
    if (!response.headersSent)
      response.writeHead(200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
    response.write(text);
    saidAt = performance.now();
  };
  const open = (): void => {
    if (!isOpen) write(answer.opening());
    isOpen = true;
  };
  const pings = setInterval(() => {
    if (performance.now() - saidAt >= request.pingMs / 2) write(PING);
  }, request.pingMs);
  try {
    const outcome = await model.answer(wish, signal, (text) => {
      open();
      write(answer.piece(text));
      return drained(response);
    });
    open();
    write(answer.ending(outcome, request.includeUsage));
    response.end();
  } catch (error) {
    if (signal.aborted || !response.headersSent) throw error;
    process.stderr.write(`An answer broke off: ${String(error)}\n`);
    write(errorEvent(new ApiError(500, 'server_error', 'The answer broke off; the log says why.').body));
    response.end();
  } finally {
    clearInterval(pings);
  }
}

/** POST /v1/chat/completions. @throws ApiError before the first byte; the signal's reason when the caller has left. */
export async function chatCompletions(
  model: LoadedModel,
  body: string,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const request = readCompletionRequest(body);
  const wish = await wishOf(model, request);
  if (request.stream) return stream(model, request, wish, response, signal);
  let text = '';
  const outcome: Outcome = await model.answer(wish, signal, (piece) => void (text += piece));
  sendJson(response, 200, new CompletionAnswer(model.name).whole(text, outcome));
}
