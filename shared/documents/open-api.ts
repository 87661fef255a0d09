import type { z } from 'zod';
import {
  DEFAULT_PORTS,
  Livez,
  PROBE_PATHS,
  PublicReadyz,
  ROUTES,
  VERSION,
  type ErrorCode,
  type RouteShape,
  type ServiceName,
} from '@parley/shared/contracts';
import { componentSchemas, schemaReference, type JsonSchema } from './named-schemas';
import { COMPONENTS, operationOf, problemResponses } from './open-api-operation';
import { LIMITS } from './limits';

const TAG_DESCRIPTIONS: Readonly<Record<string, string>> = {
  Sessions: 'A session is one practice conversation: created, started, played turn by turn, ended, debriefed.',
  Privacy: 'What is remembered, and how to make it go away.',
  'Packs and scenarios': 'Scenarios come from packs: data that is validated before it is used, never code.',
  Workbench: 'Packs are written here: drafts in the data folder, for callers on this machine alone.',
  Models: 'Models of the active runtime. Only the install call downloads anything.',
  Sidecar: 'The local model server as a process that Parley runs.',
  System: 'Health, settings, diagnostics and these documents.',
  Probes: 'For supervisors and monitors.',
  'Runtime gateway': 'The language model behind one contract: what an alternative gateway implements.',
};

/** How the whole interface behaves; words between backticks are code. */
export const CONVENTIONS = [
  'Bodies are JSON in UTF-8 with members in `snake_case`; times are ISO 8601 in UTC with milliseconds. A request with a member that is not known is refused; answers may grow, so ignore what you do not know.',
  'Errors are problem documents (RFC 9457) with a stable `code`. `retryable` says whether the same request may succeed later.',
  'Send an `X-Request-Id` of your own, or find ours in the answer: every log line of the request has it.',
  '`HEAD` is answered wherever `GET` is. Any other method on a path is 405 with `Allow`. Letters of any case and a slash at the end of a path are taken too; write paths as they stand here.',
  'JSON over 1 KB is compressed with br or gzip for callers that accept it. Scenarios, packs and documents carry an `ETag`; nothing about a session does.',
  'There are no accounts. Callers on this machine may do everything; those on the network, when they are let in, may play. Pages of other origins are refused unless `SIM_ALLOWED_ORIGINS` names them.',
];

export const API_SUMMARY =
  'Practise hard conversations with a character that a local language model plays. Everything stays on this machine.';

const API_DESCRIPTION = [
  API_SUMMARY,
  ...CONVENTIONS.map((one) => `- ${one}`),
  [
    '| limit | value | beyond |',
    '| --- | --- | --- |',
    ...LIMITS.map(({ what, value, beyond }) => `| ${what} | ${value} | ${beyond} |`),
  ].join('\n'),
];

const GATEWAY_DESCRIPTION =
  'What Parley asks of the process in front of a language model. Any program that answers these calls can take its place.';

export const CONTACT = { name: 'Whoever runs this Parley' } as const;
export const LICENSE = { name: 'Apache License 2.0', identifier: 'Apache-2.0' } as const;

interface Probe {
  readonly operation: string;
  readonly summary: string;
  readonly description: string;
  readonly example: unknown;
  readonly schema?: z.ZodType;
  readonly notReady?: unknown;
  readonly errors: readonly ErrorCode[];
}

const READY = {
  status: 'ready',
  service: 'session_api',
  version: VERSION,
  uptime_s: 5400,
  pid: 4172,
  memory_bytes: 62_914_560,
  restarts: 0,
};

const PROBES: Readonly<Record<keyof typeof PROBE_PATHS, Probe>> = {
  livez: {
    operation: 'livez',
    summary: 'Whether the process lives',
    description: 'Answered by every process, at once, whatever the others do.',
    schema: Livez,
    example: { status: 'ok' },
    errors: ['HOST_NOT_ALLOWED', 'ORIGIN_NOT_ALLOWED', 'METHOD_NOT_ALLOWED'],
  },
  readyz: {
    operation: 'readyz',
    summary: 'Whether the process answers',
    description: 'Answered by every process: 200 once it takes requests, 503 while it starts and stops.',
    schema: PublicReadyz,
    example: READY,
    notReady: { ...READY, status: 'not_ready' },
    errors: ['HOST_NOT_ALLOWED', 'ORIGIN_NOT_ALLOWED', 'METHOD_NOT_ALLOWED'],
  },
  metrics: {
    operation: 'metrics',
    summary: 'Metrics as Prometheus text',
    description: 'Counts and times of this process; no ids and no text. Only for callers on this machine.',
    example:
      '# HELP parley_turns_running Turns that run now.\n# TYPE parley_turns_running gauge\nparley_turns_running{service="session_api"} 0\n',
    errors: ['HOST_NOT_ALLOWED', 'ORIGIN_NOT_ALLOWED', 'LOCAL_ONLY', 'METHOD_NOT_ALLOWED'],
  },
};

function probe({ operation, summary, description, schema, example, notReady, errors }: Probe): Record<string, unknown> {
  const content = (value: unknown): Record<string, unknown> =>
    schema === undefined
      ? { 'text/plain': { schema: { type: 'string' }, example: value } }
      : { 'application/json': { schema: schemaReference(schema, COMPONENTS, 'output'), example: value } };
  return {
    operationId: operation,
    tags: ['Probes'],
    summary,
    description,
    responses: {
      '200': { description: 'It does.', content: content(example) },
      ...problemResponses(errors),
      ...(notReady === undefined ? {} : { '503': { description: 'Not yet, or no more.', content: content(notReady) } }),
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
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly contact: typeof CONTACT;
    readonly license: typeof LICENSE;
  };
  readonly servers: readonly { readonly url: string }[];
  /** There are no credentials. */
  readonly security: readonly never[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Record<string, unknown>>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

/**
 * The OpenAPI 3.1 document of what one process answers, made from the route table: session_api is the interface that
 * players and programs use, runtime_gateway the contract that an alternative gateway implements. Its server is the usual
 * address; a process that serves the document puts its own in the place.
 */
export function buildOpenApi(service: 'session_api' | 'runtime_gateway' = 'session_api'): OpenApiDocument {
  const paths: Record<string, Record<string, Record<string, unknown>>> = {};
  const tags = new Set<string>();
  for (const [path, route] of publicRoutes(service)) {
    tags.add(route.tag);
    (paths[path] ??= {})[route.method.toLowerCase()] = operationOf(route);
  }
  for (const [name, path] of Object.entries(PROBE_PATHS) as [keyof typeof PROBE_PATHS, string][])
    paths[path] = { get: probe(PROBES[name]) };
  tags.add('Probes');
  return {
    openapi: '3.1.0',
    info: {
      title: service === 'session_api' ? 'Parley' : 'Parley runtime gateway',
      version: VERSION,
      description: service === 'session_api' ? API_DESCRIPTION.join('\n\n') : GATEWAY_DESCRIPTION,
      contact: CONTACT,
      license: LICENSE,
    },
    servers: [{ url: `http://127.0.0.1:${DEFAULT_PORTS[service]}` }],
    security: [],
    tags: [...tags].map((name) => ({ name, description: TAG_DESCRIPTIONS[name] ?? name })),
    paths,
    components: { schemas: usedComponents(paths) },
  };
}
