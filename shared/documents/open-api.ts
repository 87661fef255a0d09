import type { z } from 'zod';
import {
  DEFAULT_PORTS, ERROR_KINDS, Livez, PROBE_PATHS, ROUTES, Readyz, UPLOAD_LIMIT, VERSION,
  type ErrorCode, type RouteShape, type ServiceName,
} from '@parley/shared/contracts'; // prettier-ignore
import { componentSchemas, schemaReference, wholeSchema, type JsonSchema } from './named-schemas';

const COMPONENTS = '#/components/schemas/';

const TAG_DESCRIPTIONS: Readonly<Record<string, string>> = {
  Sessions: 'A session is one practice conversation: created, started, played turn by turn, ended, debriefed.',
  Privacy: 'What is remembered, and how to make it go away.',
  'Packs and scenarios': 'Scenarios come from packs: data that is validated before it is used, never code.',
  Models: 'Models of the active runtime. Only the install call downloads anything.',
  Sidecar: 'The local model server as a process that Parley runs.',
  System: 'Health, settings, diagnostics and these documents.',
  Probes: 'For supervisors and monitors.',
  'Runtime gateway': 'The language model behind one contract: what an alternative gateway implements.',
};

/** The errors that every call may answer, beside its own. */
function generalErrors(route: RouteShape): ErrorCode[] {
  const codes: ErrorCode[] = ['HOST_NOT_ALLOWED', 'ORIGIN_NOT_ALLOWED', 'INTERNAL'];
  if (route.audience !== 'player') codes.push('LOCAL_ONLY');
  // What cannot be stored because the disk is full.
  if (route.method !== 'GET' && route.service !== 'runtime_gateway') codes.push('SERVICE_UNAVAILABLE');
  if (route.body !== undefined || route.query !== undefined || route.headers !== undefined)
    codes.push('VALIDATION_ERROR');
  if (route.bodyKind !== 'none') codes.push('BAD_JSON', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE');
  if (route.bodyKind !== 'none') codes.push('UNSUPPORTED_MEDIA_TYPE');
  return codes;
}

function errorResponses(route: RouteShape): Record<string, unknown> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of [...new Set([...route.errors, ...generalErrors(route)])]) {
    const { status } = ERROR_KINDS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const responses: Record<string, unknown> = {};
  for (const [status, codes] of [...byStatus].sort(([a], [b]) => a - b))
    responses[String(status)] = {
      description: codes.map((code) => `\`${code}\`: ${ERROR_KINDS[code].title}.`).join(' '),
      content: { 'application/problem+json': { schema: { $ref: `${COMPONENTS}Problem` } } },
    };
  return responses;
}

function parametersOf(schema: z.ZodObject | undefined, place: 'path' | 'query' | 'header'): unknown[] {
  if (schema === undefined) return [];
  const { properties, required } = wholeSchema(schema, 'input', 'draft-2020-12');
  return Object.entries((properties ?? {}) as Record<string, JsonSchema>).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: place === 'path' || ((required as string[] | undefined) ?? []).includes(name),
    ...(description === undefined ? {} : { description }),
    schema: rest,
  }));
}

function requestBody(route: RouteShape): Record<string, unknown> {
  if (route.body === undefined)
    return route.bodyKind === 'empty'
      ? {
          requestBody: {
            required: false,
            description: 'Absent, empty or `{}`.',
            content: { 'application/json': { schema: { type: 'object', maxProperties: 0 } } },
          },
        }
      : {};
  const content: Record<string, unknown> = {
    'application/json': { schema: schemaReference(route.body, COMPONENTS, 'input') },
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

function successResponses(route: RouteShape): Record<string, unknown> {
  const responses: Record<string, unknown> = {};
  for (const [status, shape] of Object.entries(route.responses)) {
    const media = shape.contentType ?? 'application/json';
    const hasBody = shape.schema !== undefined || shape.contentType !== undefined;
    const schema = shape.schema === undefined ? {} : schemaReference(shape.schema, COMPONENTS, 'output');
    responses[status] = {
      description: shape.description,
      headers: {
        'X-Request-Id': { description: 'Names the request in every log.', schema: { type: 'string' } },
        ...Object.fromEntries(
          Object.entries(shape.headers ?? {}).map(([name, description]) => [
            name,
            { description, schema: { type: 'string' } },
          ]),
        ),
      },
      ...(hasBody ? { content: { [media]: { schema } } } : {}),
    };
  }
  return responses;
}

const AUDIENCES: Readonly<Record<RouteShape['audience'], string>> = {
  player: '',
  local: 'Only for callers on the machine where Parley runs.',
  internal: 'Only for callers on the machine where Parley runs, and not for pages.',
};

function operationOf(route: RouteShape): Record<string, unknown> {
  const description = AUDIENCES[route.audience];
  return {
    operationId: route.operation,
    tags: [route.tag],
    summary: route.summary,
    ...(description === '' ? {} : { description }),
    parameters: [
      ...parametersOf(route.params, 'path'),
      ...parametersOf(route.query, 'query'),
      ...parametersOf(route.headers, 'header'),
    ],
    ...requestBody(route),
    responses: { ...successResponses(route), ...errorResponses(route) },
  };
}

function probe(operation: string, summary: string, schema: z.ZodType | null): Record<string, Record<string, unknown>> {
  const content =
    schema === null
      ? { 'text/plain': { schema: { type: 'string' } } }
      : { 'application/json': { schema: schemaReference(schema, COMPONENTS, 'output') } };
  return {
    get: {
      operationId: operation,
      tags: ['Probes'],
      summary,
      responses: { '200': { description: 'It does.', content } },
    },
  };
}

/** The routes that a process answers to callers from outside, and the path at which it does. */
function publicRoutes(service: 'session_api' | 'runtime_gateway'): [string, RouteShape][] {
  const all = Object.values(ROUTES) as RouteShape[];
  if (service === 'runtime_gateway')
    return all.filter((route) => route.service === service).map((route) => [route.ownerPath ?? route.path, route]);
  const own = (name: ServiceName | undefined): boolean => name === service;
  return all
    .filter((route) => route.audience !== 'internal' && (own(route.service) || own(route.via)))
    .map((route) => [route.path, route]);
}

/** Keeps the components that something in the document refers to, directly or through others. */
function usedComponents(paths: unknown): Record<string, JsonSchema> {
  const all = componentSchemas(COMPONENTS);
  const used = new Set<string>();
  const look = (part: unknown): void => {
    for (const [, name] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (name === undefined || used.has(name)) continue;
      used.add(name);
      look(all[name] ?? {});
    }
  };
  look(paths);
  return Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name)));
}

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly unknown[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Record<string, unknown>>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

/**
 * The OpenAPI 3.1 document of what one process answers, made from the route table: session_api is the interface that
 * players and programs use, runtime_gateway the contract that an alternative gateway implements.
 */
export function buildOpenApi(service: 'session_api' | 'runtime_gateway' = 'session_api'): OpenApiDocument {
  const paths: Record<string, Record<string, Record<string, unknown>>> = {};
  const tags = new Set<string>();
  for (const [path, route] of publicRoutes(service)) {
    tags.add(route.tag);
    (paths[path] ??= {})[route.method.toLowerCase()] = operationOf(route);
  }
  paths[PROBE_PATHS.livez] = probe('livez', 'Whether the process lives', Livez);
  paths[PROBE_PATHS.readyz] = probe('readyz', 'Whether the process answers', Readyz);
  paths[PROBE_PATHS.metrics] = probe('metrics', 'Metrics as Prometheus text', null);
  tags.add('Probes');
  return {
    openapi: '3.1.0',
    info: {
      title: service === 'session_api' ? 'Parley' : 'Parley runtime gateway',
      version: VERSION,
      description:
        service === 'session_api'
          ? 'Practise hard conversations with a character that a local language model plays. Everything stays on this machine.'
          : 'What Parley asks of the process in front of a language model. Any program that answers these calls can take its place.',
    },
    servers: [
      {
        url: 'http://127.0.0.1:{port}',
        variables: { port: { default: String(DEFAULT_PORTS[service]) } },
      },
    ],
    tags: [...tags].map((name) => ({ name, description: TAG_DESCRIPTIONS[name] ?? name })),
    paths,
    components: { schemas: usedComponents(paths) },
  };
}
