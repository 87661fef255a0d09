import {
  DEFAULT_PORTS, MESSAGE_PAYLOADS, MESSAGE_SUMMARIES, REPLAY_CAP, RESERVED_MESSAGE_TYPES, Timestamp, VERSION,
  type MessageType,
} from '@parley/shared/contracts'; // prettier-ignore
import { wholeSchema, type JsonSchema } from './named-schemas';

const TYPES = Object.keys(MESSAGE_PAYLOADS) as MessageType[];

export interface AsyncApiMessage {
  readonly name: MessageType;
  readonly summary: string;
  readonly contentType: 'application/json';
  readonly payload: JsonSchema;
}

export interface AsyncApiDocument {
  readonly asyncapi: '3.0.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly defaultContentType: 'application/json';
  readonly servers: Readonly<Record<string, unknown>>;
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
      session_id: { type: 'string' },
      type: { const: type },
      ts: wholeSchema(Timestamp, 'output', 'draft-7'),
      payload: wholeSchema(MESSAGE_PAYLOADS[type], 'output', 'draft-7'),
    },
  };
}

/** The AsyncAPI 3.0 document of the WebSocket of a session, made from the table of messages. */
export function buildAsyncApi(): AsyncApiDocument {
  const messages: Record<string, AsyncApiMessage> = {};
  for (const type of TYPES)
    messages[type] = {
      name: type,
      summary: MESSAGE_SUMMARIES[type],
      contentType: 'application/json',
      payload: envelope(type),
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
        'large, 1001 the service stops.',
    },
    defaultContentType: 'application/json',
    servers: {
      local: {
        host: '127.0.0.1:{port}',
        protocol: 'ws',
        variables: { port: { default: String(DEFAULT_PORTS.session_api) } },
      },
    },
    channels: {
      session: {
        address: '/ws/session/{id}',
        description:
          'On connect the server sends session.state. With after_seq=0 the first ' +
          `${REPLAY_CAP} stored events follow; any other value is ignored.`,
        parameters: { id: { description: 'The id of the session.' } },
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
        messages: TYPES.map(reference),
      },
    },
    components: { messages },
  };
}
