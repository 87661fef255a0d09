import * as runtime from '../runtime';
import { CHAT_BODY_LIMIT, GATEWAY, ok, route } from './route-shape';

/** The gateway itself: what an engineer who puts another one in its place implements. */
export const GATEWAY_ROUTES = {
  getRuntime: route({
    ...GATEWAY,
    operation: 'getRuntime',
    method: 'GET',
    path: '/runtime',
    summary: 'The active runtime and what it can do',
    description: 'Which runtime plays and what it can do. It changes only when somebody chooses another one.',
    audience: 'internal',
    bodyKind: 'none',
    responses: ok(runtime.RuntimeInfo, 'The runtime.'),
    errors: [],
  }),
  getRuntimeHealth: route({
    ...GATEWAY,
    operation: 'getRuntimeHealth',
    method: 'GET',
    path: '/runtime/health',
    summary: 'Health of the active runtime',
    description: 'Whether the runtime can answer, and what to do when it cannot.',
    audience: 'internal',
    bodyKind: 'none',
    responses: ok(runtime.RuntimeHealth, 'Always 200.'),
    errors: [],
  }),
  listRuntimeModels: route({
    ...GATEWAY,
    operation: 'listRuntimeModels',
    method: 'GET',
    path: '/runtime/models',
    summary: 'Models of the active runtime',
    description: 'Models that the runtime lists, in its order.',
    audience: 'internal',
    bodyKind: 'none',
    // A model server may take 30 s to list what it has.
    patience: 3.5,
    responses: ok(runtime.RuntimeModels, 'The models.'),
    errors: ['RUNTIME_UNAVAILABLE', 'RUNTIME_ERROR'],
  }),
  chat: route({
    ...GATEWAY,
    operation: 'chat',
    method: 'POST',
    path: '/runtime/chat',
    summary: 'Generate: tokens, then exactly one final or error, one JSON item a line',
    description:
      'One generation. Before the first line a failure is a problem document; after it, an item of type error. A stream without a final item counts as lost. When the caller goes away the generation is cancelled.',
    audience: 'internal',
    bodyKind: 'json',
    bodyLimit: CHAT_BODY_LIMIT,
    headers: runtime.AffinityHeaders,
    body: runtime.ChatRequest,
    responses: {
      200: { description: 'Items, one a line.', schema: runtime.ChatItem, contentType: 'application/x-ndjson' },
    },
    errors: ['RUNTIME_UNAVAILABLE', 'TURN_TIMEOUT', 'RUNTIME_ERROR', 'OVERLOADED', 'PAYLOAD_TOO_LARGE'],
  }),
  prewarm: route({
    ...GATEWAY,
    operation: 'prewarm',
    method: 'POST',
    path: '/runtime/prewarm',
    summary: 'Read a prompt into the cache of the runtime while the player still types; generates nothing',
    description:
      'A runtime that can reads the prompt beforehand, so that a chat with the same beginning answers sooner.',
    audience: 'internal',
    bodyKind: 'json',
    // Reading a prompt takes a slow machine a while.
    patience: 6,
    bodyLimit: CHAT_BODY_LIMIT,
    headers: runtime.AffinityHeaders,
    body: runtime.ChatRequest,
    responses: { 204: { description: 'It is read.' } },
    errors: [
      'NOT_SUPPORTED_BY_RUNTIME',
      'RUNTIME_UNAVAILABLE',
      'TURN_TIMEOUT',
      'RUNTIME_ERROR',
      'OVERLOADED',
      'PAYLOAD_TOO_LARGE',
    ],
  }),
} as const;
