import {
  DEFAULT_PORTS,
  MESSAGE_PAYLOADS,
  MESSAGE_SUMMARIES,
  REPLAY_CAP,
  RESERVED_MESSAGE_TYPES,
  Timestamp,
  VERSION,
  type MessageType,
} from '@parley/shared/contracts';
import { messageExample, SESSION_ID } from './examples';
import { wholeSchema, type JsonSchema } from './named-schemas';
import { CONTACT, LICENSE } from './open-api';

const TYPES = Object.keys(MESSAGE_PAYLOADS) as MessageType[];

export interface AsyncApiMessage {
  readonly name: MessageType;
  readonly summary: string;
  readonly contentType: 'application/json';
  readonly payload: JsonSchema;
  readonly examples?: readonly { readonly name: string; readonly payload: unknown }[];
}

export interface AsyncApiDocument {
  readonly asyncapi: '3.0.0';
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly contact: typeof CONTACT;
    readonly license: { readonly name: string; readonly url: string };
    readonly tags: readonly { readonly name: string; readonly description: string }[];
  };
  readonly defaultContentType: 'application/json';
  readonly servers: {
    readonly local: { readonly host: string; readonly protocol: 'ws'; readonly description: string };
  };
  readonly channels: Readonly<Record<string, unknown>>;
  readonly operations: Readonly<Record<string, unknown>>;
  readonly components: { readonly messages: Readonly<Record<string, AsyncApiMessage>> };
}

function envelope(type: MessageType): JsonSchema {
  return {
    type: 'object',
    required: ['seq', 'session_id', 'type', 'ts', 'payload'],
    properties: {
      seq: {
        type: 'integer',
        minimum: 1,
        description: 'Per session, strictly increasing. A gap means: fetch the session again.',
      },
      session_id: { type: 'string', description: 'The session.' },
      type: { const: type, description: 'What happened.' },
      ts: wholeSchema(Timestamp, 'output', 'draft-7'),
      payload: wholeSchema(MESSAGE_PAYLOADS[type], 'output', 'draft-7'),
    },
  };
}

const examplesOf = (type: MessageType): Pick<AsyncApiMessage, 'examples'> => {
  const payload = messageExample(type);
  return payload === undefined ? {} : { examples: [{ name: type, payload }] };
};

/** The AsyncAPI 3.0 document of the WebSocket of a session, made from the table of messages. */
export function buildAsyncApi(): AsyncApiDocument {
  const messages: Record<string, AsyncApiMessage> = {};
  for (const type of TYPES)
    messages[type] = {
      name: type,
      summary: MESSAGE_SUMMARIES[type],
      contentType: 'application/json',
      payload: envelope(type),
      ...examplesOf(type),
    };
  const reference = (type: MessageType): unknown => ({ $ref: `#/channels/session/messages/${type}` });
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Parley live session',
      version: VERSION,
      description:
        'What happens in a session, as it happens. Messages from the client are ignored. ' +
        `Reserved types, never sent yet, which clients accept and ignore: ${RESERVED_MESSAGE_TYPES.join(', ')}. ` +
        'Close codes: 4404 no such session, 1013 the client does not read, 1009 a message from the client is too ' +
        'large, 1001 the service stops. What an operation caused is answered by it too, in its `events`: see /api/openapi.json.',
      contact: CONTACT,
      license: { name: LICENSE.name, url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      tags: [{ name: 'live', description: 'What happens in a session, as it happens.' }],
    },
    defaultContentType: 'application/json',
    servers: {
      local: {
        host: `127.0.0.1:${DEFAULT_PORTS.session_api}`,
        protocol: 'ws',
        description: 'The process that answers the API.',
      },
    },
    channels: {
      session: {
        address: '/ws/session/{id}',
        description:
          'On connect the server sends session.state. With after_seq=0 the first ' +
          `${REPLAY_CAP} stored events follow; any other value is ignored.`,
        parameters: { id: { description: 'The id of the session.', examples: [SESSION_ID] } },
        bindings: {
          ws: {
            method: 'GET',
            query: {
              type: 'object',
              properties: { after_seq: { type: 'string', description: 'Only 0 means anything.' } },
            },
          },
        },
        messages: Object.fromEntries(TYPES.map((type) => [type, { $ref: `#/components/messages/${type}` }])),
      },
    },
    operations: {
      sendSessionMessages: {
        action: 'send',
        channel: { $ref: '#/channels/session' },
        summary: 'The service tells every open socket of the session what happened.',
        description:
          'Words of the character stream as npc.token while the model speaks; npc.final replaces them when the turn is stored. What was missed is found with getSession and listEvents.',
        messages: TYPES.map(reference),
      },
    },
    components: { messages },
  };
}
