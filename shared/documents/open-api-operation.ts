import type { z } from 'zod';
import {
  ERROR_KINDS,
  UPLOAD_LIMIT,
  type ErrorCode,
  type ResponseShape,
  type RouteShape,
} from '@parley/shared/contracts';
import { OPERATION_EXAMPLES, type AnyExample } from './examples';
import { schemaReference, wholeSchema, type JsonSchema } from './named-schemas';

export const COMPONENTS = '#/components/schemas/';

type Json = Record<string, unknown>;

const header = (description: string): Json => ({ description, schema: { type: 'string' } });

/** Headers that come with an error of this status. */
const ERROR_HEADERS: Readonly<Record<number, Json>> = {
  405: { Allow: header('The methods that the path takes.') },
  503: { 'Retry-After': header('With `OVERLOADED`: seconds after which it is worth trying again.') },
};

/** The errors that every call may answer, beside its own. */
function generalErrors(route: RouteShape): ErrorCode[] {
  const codes: ErrorCode[] = ['HOST_NOT_ALLOWED', 'ORIGIN_NOT_ALLOWED', 'METHOD_NOT_ALLOWED', 'INTERNAL'];
  if (route.audience !== 'player') codes.push('LOCAL_ONLY');
  // What cannot be stored because the disk is full.
  if (route.method !== 'GET' && route.service !== 'runtime_gateway') codes.push('SERVICE_UNAVAILABLE');
  if (route.body !== undefined || route.query !== undefined || route.headers !== undefined)
    codes.push('VALIDATION_ERROR');
  if (route.bodyKind !== 'none')
    codes.push('BAD_JSON', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  return codes;
}

/** The answers of these errors, by status. */
export function problemResponses(errors: readonly ErrorCode[]): Json {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set(errors)) {
    const { status } = ERROR_KINDS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const responses: Json = {};
  for (const [status, codes] of [...byStatus].sort(([a], [b]) => a - b))
    responses[String(status)] = {
      description: codes.map((code) => `\`${code}\`: ${ERROR_KINDS[code].meaning}.`).join(' '),
      ...(ERROR_HEADERS[status] === undefined ? {} : { headers: ERROR_HEADERS[status] }),
      content: { 'application/problem+json': { schema: { $ref: `${COMPONENTS}Problem` } } },
    };
  return responses;
}

/** What a query says of itself where its text means something else, for example a number. */
type ParameterSchema = JsonSchema & { readonly parameter?: JsonSchema };

/** As people write header names; callers may write them as they like. */
const capitalised = (name: string): string => name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());

function parametersOf(
  schema: z.ZodObject | undefined,
  place: 'path' | 'query' | 'header',
  examples: Readonly<Record<string, unknown>> = {},
): Json[] {
  if (schema === undefined) return [];
  const { properties, required } = wholeSchema(schema, 'input', 'draft-2020-12');
  return Object.entries((properties ?? {}) as Record<string, ParameterSchema>).map(
    ([name, { description, parameter, ...rest }]) => ({
      name: place === 'header' ? capitalised(name) : name,
      in: place,
      required: place === 'path' || ((required as string[] | undefined) ?? []).includes(name),
      ...(description === undefined ? {} : { description }),
      schema: parameter ?? rest,
      ...(examples[name] === undefined ? {} : { example: examples[name] }),
    }),
  );
}

const HEADER_EXAMPLES = { 'idempotency-key': 'b1946ac92492d2347c6235b4d2611184', prefer: 'respond-async' };

const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description:
    'The ETag of the answer that the caller holds: when nothing has changed the answer is 304, without a body.',
  schema: { type: 'string' },
  example: 'W/"2f1-uRkWJZCBHBrTYRQvGkCJxvKpPDk"',
};

function requestBody(route: RouteShape, example: AnyExample): Json {
  if (route.body === undefined)
    return route.bodyKind === 'empty'
      ? {
          requestBody: {
            required: false,
            description: 'Absent, empty or `{}`.',
            content: { 'application/json': { schema: { type: 'object', maxProperties: 0 }, example: {} } },
          },
        }
      : {};
  const content: Json = {
    'application/json': {
      schema: schemaReference(route.body, COMPONENTS, 'input'),
      ...(example.request === undefined ? {} : { example: example.request }),
    },
  };
  if (route.bodyKind === 'json_or_multipart')
    content['multipart/form-data'] = {
      schema: {
        type: 'object',
        required: ['file'],
        properties: {
          file: {
            type: 'string',
            contentMediaType: 'application/zip',
            description: `A zip of at most ${UPLOAD_LIMIT} bytes.`,
          },
        },
      },
    };
  return { requestBody: { required: route.bodyKind !== 'empty', content } };
}

/** A body that is no JSON: text, or bytes, whose media type says all that there is to say. */
const plainSchema = (media: string): JsonSchema => (/^(text\/|image\/svg)/.test(media) ? { type: 'string' } : {});

function contentOf(shape: ResponseShape, body: unknown, texts: AnyExample['texts']): Json {
  const content: Json = {};
  const first = (shape.contentType ?? 'application/json').replace(/;.*/, '');
  if (shape.schema !== undefined)
    content[first] = {
      schema: schemaReference(shape.schema, COMPONENTS, 'output'),
      ...(body === undefined ? {} : { example: body }),
    };
  const others = [
    ...(shape.schema === undefined && shape.contentType !== undefined ? [first] : []),
    ...(shape.otherTypes ?? []),
  ];
  for (const media of others)
    content[media] = {
      schema: plainSchema(media),
      ...(texts?.[media] === undefined ? {} : { example: texts[media] }),
    };
  return Object.keys(content).length === 0 ? {} : { content };
}

const TAGGED = {
  ETag: header('Send it back in If-None-Match.'),
  'Cache-Control': header('no-cache: it may be kept, and must be asked about.'),
};

function successResponses(route: RouteShape, example: AnyExample): Json {
  const responses: Json = {};
  for (const [status, shape] of Object.entries(route.responses))
    responses[status] = {
      description: shape.description,
      headers: {
        'X-Request-Id': header('Names the request in every log.'),
        ...(route.hasEntityTag === true ? TAGGED : {}),
        ...Object.fromEntries(Object.entries(shape.headers ?? {}).map(([name, text]) => [name, header(text)])),
      },
      ...contentOf(shape, example.responses[Number(status)], example.texts),
    };
  if (route.hasEntityTag === true)
    responses['304'] = { description: 'The caller holds the same already.', headers: TAGGED };
  return responses;
}

const AUDIENCES: Readonly<Record<RouteShape['audience'], string>> = {
  player: '',
  local: 'Only for callers on the machine where Parley runs.',
  internal: 'Only for callers on the machine where Parley runs, and not for pages.',
};

/** A row of the route table as an operation of OpenAPI. */
export function operationOf(route: RouteShape): Json {
  const example = OPERATION_EXAMPLES[route.operation] ?? { responses: {} };
  const description = [route.description ?? '', AUDIENCES[route.audience]].filter((part) => part !== '').join(' ');
  return {
    operationId: route.operation,
    tags: [route.tag],
    summary: route.summary,
    ...(description === '' ? {} : { description }),
    parameters: [
      ...parametersOf(route.params, 'path', example.params),
      ...parametersOf(route.query, 'query', example.query),
      ...parametersOf(route.headers, 'header', HEADER_EXAMPLES),
      ...(route.hasEntityTag === true ? [IF_NONE_MATCH] : []),
    ],
    ...requestBody(route, example),
    responses: { ...successResponses(route, example), ...problemResponses([...route.errors, ...generalErrors(route)]) },
  };
}
