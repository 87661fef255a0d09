import * as choice from '../runtime-choice';
import { GATEWAY, MODELS, ok, route } from './route-shape';

const RUNTIME = { service: 'session_api', tag: 'Models' } as const;

/** Choosing who plays, and looking for what there is to choose. */
export const CHOICE_ROUTES = {
  getRuntimeChoice: route({
    ...RUNTIME,
    operation: 'getRuntimeChoice',
    method: 'GET',
    path: '/api/runtime/choice',
    summary: 'Who plays, and what decides that',
    description:
      'The runtime that plays and whether it can be changed here: variables of the environment win over a choice, and another gateway may know no choices.',
    audience: 'local',
    bodyKind: 'none',
    responses: ok(choice.RuntimeChoiceState, 'Who plays.'),
    errors: ['SERVICE_UNAVAILABLE'],
  }),
  putRuntimeChoice: route({
    ...RUNTIME,
    operation: 'putRuntimeChoice',
    method: 'PUT',
    path: '/api/runtime/choice',
    summary: 'Choose who plays',
    description:
      'Keeps the choice and has the gateway play with it from the next turn on; turns that run are finished by the runtime that began them. It stays until somebody chooses anew: when the chosen one is ill, no other takes its place.',
    audience: 'local',
    bodyKind: 'json',
    // The gateway may be asked twice over it.
    patience: 3,
    body: choice.RuntimeChoice,
    responses: ok(choice.RuntimeChoiceState, 'Who plays now.'),
    errors: ['SETTING_READ_ONLY', 'NOT_SUPPORTED_BY_RUNTIME', 'SERVICE_UNAVAILABLE'],
  }),
  tryRuntime: route({
    ...RUNTIME,
    operation: 'tryRuntime',
    method: 'POST',
    path: '/api/runtime/try',
    summary: 'Have the runtime say one line',
    description:
      'Sends one short question to the runtime that plays and answers how its reply begins and how long it took. Nothing is stored.',
    audience: 'local',
    bodyKind: 'empty',
    // A model that has to be loaded first takes its time.
    patience: 18,
    responses: ok(choice.RuntimeTrial, 'What it said.'),
    errors: ['RUNTIME_UNAVAILABLE', 'RUNTIME_ERROR', 'TURN_TIMEOUT', 'OVERLOADED'],
  }),
  findRuntimes: route({
    ...MODELS,
    operation: 'findRuntimes',
    method: 'GET',
    path: '/api/runtime/found',
    ownerPath: '/runtime/found',
    summary: 'Look for model servers on this machine',
    description:
      "Asks the usual ports of Ollama, llama-server and LM Studio on this machine, each for about a second, whether such a program listens there. Nothing looks unless this is called; Ollama's cloud models are left out.",
    audience: 'local',
    bodyKind: 'none',
    responses: ok(choice.FoundPrograms, 'What answered.'),
    errors: ['NOT_SUPPORTED_BY_RUNTIME', 'SERVICE_UNAVAILABLE'],
  }),
  listFittingModels: route({
    ...MODELS,
    operation: 'listFittingModels',
    method: 'GET',
    path: '/api/models/fitting',
    ownerPath: '/runtime/models/fitting',
    summary: 'Suggested models that fit this machine; fetches nothing',
    description: 'At most three of the suggested models, for the memory that is free and the cores of this machine.',
    audience: 'local',
    bodyKind: 'none',
    responses: ok(choice.FittingModels, 'What fits.'),
    errors: ['NOT_SUPPORTED_BY_RUNTIME', 'SERVICE_UNAVAILABLE'],
  }),
  getGatewayChoice: route({
    ...GATEWAY,
    operation: 'getGatewayChoice',
    method: 'GET',
    path: '/runtime/choice',
    summary: 'Who plays, and what decides that',
    description: 'Optional: a gateway that does not know it decides by itself what plays.',
    audience: 'internal',
    bodyKind: 'none',
    responses: ok(choice.RuntimeChoiceState, 'Who plays.'),
    errors: [],
  }),
  putGatewayChoice: route({
    ...GATEWAY,
    operation: 'putGatewayChoice',
    method: 'PUT',
    path: '/runtime/choice',
    summary: 'Play with another runtime from now on',
    description:
      'Optional, as getGatewayChoice. Chats that run are finished by the runtime that began them. The choice is kept by whoever makes it.',
    audience: 'internal',
    bodyKind: 'json',
    body: choice.RuntimeChoice,
    responses: ok(choice.RuntimeChoiceState, 'Who plays now.'),
    errors: ['SETTING_READ_ONLY'],
  }),
} as const;
