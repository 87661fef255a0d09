import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import Ajv from 'ajv';
import Ajv2020 from 'ajv/dist/2020';
import { ERROR_KINDS, MESSAGE_PAYLOADS, ROUTES, SocketMessage, type RouteShape } from '@parley/shared/contracts';
import { LIMITS } from './limits';
import {
  buildAsyncApi,
  buildJsonSchemas,
  buildOpenApi,
  packFormatMembers,
  renderDocsPage,
} from '@parley/shared/documents';

const routes = Object.values(ROUTES) as RouteShape[];
const references = (document: unknown): string[] =>
  [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference ?? '');
const resolve = (document: unknown, reference: string): unknown =>
  reference
    .slice(2)
    .split('/')
    .reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], document);

describe('the OpenAPI document', () => {
  const document = buildOpenApi();

  it('has every route of the table that callers from outside may use, and no internal one', () => {
    for (const route of routes) {
      const operation = document.paths[route.path]?.[route.method.toLowerCase()];
      const isPublic =
        (route.service === 'session_api' || route.via === 'session_api') && route.audience !== 'internal';
      expect([route.operation, operation?.['operationId']]).toEqual([
        route.operation,
        isPublic ? route.operation : undefined,
      ]);
    }
  });

  it('names every error code of a route at its status', () => {
    for (const route of routes) {
      const operation = document.paths[route.path]?.[route.method.toLowerCase()];
      const responses = operation?.['responses'] as Record<string, { description: string }> | undefined;
      if (responses === undefined) continue;
      for (const code of route.errors)
        expect(responses[String(ERROR_KINDS[code].status)]?.description).toContain(`\`${code}\``);
    }
  });

  it('declares every parameter that stands in a path', () => {
    for (const [path, methods] of Object.entries(document.paths))
      for (const operation of Object.values(methods)) {
        const declared = ((operation['parameters'] ?? []) as { name: string; in: string }[])
          .filter((one) => one.in === 'path')
          .map((one) => one.name);
        expect(declared.sort()).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort());
      }
  });

  it('refers only to what is in it, and holds nothing that nobody refers to', () => {
    const used = new Set(references(document));
    for (const reference of used) expect([reference, resolve(document, reference)]).not.toEqual([reference, undefined]);
    for (const name of Object.keys(document.components.schemas)) expect(used).toContain(`#/components/schemas/${name}`);
  });

  interface Media {
    readonly schema: Record<string, unknown>;
    readonly example?: unknown;
  }
  interface Operation {
    readonly operationId: string;
    readonly summary: string;
    readonly description?: string;
    readonly parameters?: { name: string; in: string; description?: string; schema: object; example?: unknown }[];
    readonly requestBody?: { content: Record<string, Media> };
    readonly responses: Record<string, { headers?: object; content?: Record<string, Media> }>;
  }
  const operations = [document, buildOpenApi('runtime_gateway')].flatMap((one) =>
    Object.entries(one.paths).flatMap(([path, methods]) =>
      Object.values(methods).map((operation) => ({ path, operation: operation as unknown as Operation, whole: one })),
    ),
  );
  const operationOf = (id: string): Operation => {
    const found = operations.find(({ operation }) => operation.operationId === id);
    if (found === undefined) throw new Error(`no operation ${id}`);
    return found.operation;
  };

  it('has an example of each request and each answer, which fits its schema', () => {
    const validators = new Map<object, Ajv2020>();
    for (const { path, operation, whole } of operations) {
      const ajv =
        validators.get(whole) ??
        new Ajv2020({ strict: false, validateFormats: false, validateSchema: false }).addSchema(whole, 'whole');
      validators.set(whole, ajv);
      const expectFits = (what: string, { schema, example }: Media): void => {
        const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"whole#/')) as object;
        const check = ajv.compile(absolute);
        expect([operation.operationId, what, check(example), check.errors]).toEqual([
          operation.operationId,
          what,
          true,
          null,
        ]);
      };
      for (const one of operation.parameters ?? []) {
        if (one.in !== 'path') continue;
        expectFits(one.name, one as unknown as Media);
        expect(path).toContain(`{${one.name}}`);
      }
      for (const [media, content] of Object.entries(operation.requestBody?.content ?? {}))
        if (media === 'application/json') expectFits(`request ${media}`, content);
      for (const [status, response] of Object.entries(operation.responses))
        for (const [media, content] of Object.entries(response.content ?? {})) {
          // Errors have one form, told once; bytes are no JSON.
          if (media === 'application/problem+json' || /^(image|audio)\/|zip$|octet/.test(media)) continue;
          if (media === 'text/plain' && operation.operationId === 'getPackAsset') continue;
          expectFits(`${status} ${media}`, content);
        }
    }
  });

  it('describes every operation, every parameter and every property', () => {
    const bare: string[] = [];
    for (const { operation } of operations) {
      if ((operation.description ?? '') === '') bare.push(operation.operationId);
      for (const one of operation.parameters ?? [])
        if ((one.description ?? '') === '') bare.push(`${operation.operationId} ${one.name}`);
    }
    for (const { whole } of operations.filter(({ path }) => path === '/livez')) {
      const { schemas } = whole.components;
      const look = (schema: Record<string, unknown>, at: string): void => {
        for (const [name, member] of Object.entries((schema['properties'] ?? {}) as typeof schemas)) {
          const referred = schemas[String(member['$ref']).split('/').at(-1) ?? ''];
          if (member['description'] === undefined && referred?.['description'] === undefined)
            bare.push(`${at}.${name}`);
          look(member, `${at}.${name}`);
        }
        for (const part of ['items', 'additionalProperties'])
          if (typeof schema[part] === 'object') look(schema[part] as typeof schema, `${at}[]`);
        for (const part of ['anyOf', 'oneOf'])
          for (const one of (schema[part] ?? []) as (typeof schema)[]) look(one, at);
      };
      for (const [name, schema] of Object.entries(schemas)) {
        if (schema['description'] === undefined) bare.push(name);
        look(schema, name);
      }
    }
    expect(bare).toEqual([]);
  });

  it('says what it took strangers a try to find out', () => {
    expect(document.security).toEqual([]);
    for (const { operation } of operations) expect(operation.responses).toHaveProperty('405');
    for (const list of ['listSessions', 'listEvents'])
      expect(operationOf(list).parameters?.find((one) => one.name === 'limit')?.schema).toEqual({
        type: 'integer',
        minimum: 1,
        maximum: 100,
        default: 20,
      });
    expect(operationOf('takeTurn').description).toMatch(/WebSocket.*\/api\/asyncapi\.json/);
    expect(document.components.schemas['TakeTurnRequest']).toMatchObject({
      properties: { text: { minLength: 1, maxLength: 2000 } },
    });
    expect(Object.keys(operationOf('exportSession').responses['200']?.content ?? {})).toEqual([
      'application/json',
      'text/markdown',
    ]);
    expect(Object.keys(operationOf('getPackAsset').responses['200']?.content ?? {})).toEqual(
      expect.arrayContaining(['image/svg+xml', 'image/png', 'audio/mpeg', 'text/plain']),
    );
    for (const tagged of ['listScenarios', 'getPack', 'getDocs'])
      expect(operationOf(tagged).responses).toHaveProperty('304');
    expect(operationOf('getSession').responses).not.toHaveProperty('304');
    expect(operationOf('createDebrief').responses['202']?.headers).toMatchObject({ Location: {}, 'Retry-After': {} });
    for (const { what } of LIMITS) expect(document.info.description).toContain(what);
    expect(document.info.description).toMatch(/a slash at the end of a path/);
  });

  it('does not forbid members that a later version may answer', () => {
    expect(document.components.schemas['Session']).not.toHaveProperty('additionalProperties');
    expect(document.components.schemas['CreateSessionRequest']).toMatchObject({ additionalProperties: false });
  });

  it('can describe the gateway contract alone, at the paths of the gateway', () => {
    const gateway = buildOpenApi('runtime_gateway');
    expect(Object.keys(gateway.paths)).toEqual(
      expect.arrayContaining(['/runtime', '/runtime/chat', '/runtime/sidecar']),
    );
    expect(Object.keys(gateway.paths).filter((path) => path.startsWith('/api'))).toEqual([]);
    for (const reference of references(gateway)) expect(resolve(gateway, reference)).toBeDefined();
  });
});

describe('the AsyncAPI document', () => {
  const document = buildAsyncApi();

  it('has every message that is emitted, and every reference leads somewhere', () => {
    expect(Object.keys(document.components.messages)).toEqual(Object.keys(MESSAGE_PAYLOADS));
    for (const reference of references(document)) expect(resolve(document, reference)).toBeDefined();
  });

  it('has an example of each message', () => {
    for (const { name, examples } of Object.values(document.components.messages)) {
      const [example] = examples ?? [];
      expect([name, SocketMessage.safeParse(example?.payload).error]).toEqual([name, undefined]);
      expect(example?.payload).toMatchObject({ type: name });
    }
  });

  it('describes a message as it is sent', () => {
    const check = new Ajv({ strict: false }).compile(document.components.messages['npc.token']?.payload ?? {});
    const message = {
      seq: 3,
      session_id: 'abcdefghijklmnopqrstuvwx',
      type: 'npc.token',
      ts: '2026-01-31T09:30:00.000Z',
      payload: { text: 'Well' },
    };
    expect(check(message)).toBe(true);
    expect(check({ ...message, ts: 'today' })).toBe(false);
    expect(check({ ...message, type: 'npc.final' })).toBe(false);
  });
});

describe('the JSON Schemas', () => {
  const files = buildJsonSchemas();

  it('are draft-07 schemas that a validator of another maker accepts, each by itself', () => {
    for (const [file, schema] of Object.entries(files)) {
      expect(schema['$schema']).toBe('http://json-schema.org/draft-07/schema#');
      const { $id: _id, ...anonymous } = schema;
      expect(() => [file, new Ajv({ strict: false }).compile(anonymous)]).not.toThrow();
    }
  });

  it('let authors leave out what has a default', () => {
    const check = new Ajv({ strict: false }).compile({ ...files['chat-request.json'], $id: undefined } as object);
    expect(check({ messages: [{ role: 'user', content: 'Hello' }] })).toBe(true);
    expect(check({ messages: [] })).toBe(false);
  });
});

describe('what is served out of schemas/', () => {
  it.each([
    ['openapi.json', buildOpenApi()],
    ['asyncapi.json', buildAsyncApi()],
    ['docs-page.json', renderDocsPage()],
    ['pack-members.json', packFormatMembers()],
  ])('%s is what the contracts make; npm run generate writes it anew', (name, made) => {
    const file = path.resolve(__dirname, '../../schemas', name);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(JSON.stringify(made)));
  });
});

describe('the documentation page', () => {
  const page = renderDocsPage();

  it('holds every public operation, every message and every error code', () => {
    for (const route of routes)
      if (route.audience !== 'internal' && (route.service === 'session_api' || route.via === 'session_api'))
        expect(page.html).toContain(`id="${route.operation}"`);
    for (const type of Object.keys(MESSAGE_PAYLOADS)) expect(page.html).toContain(`<code>${type}</code>`);
    for (const code of Object.keys(ERROR_KINDS)) expect(page.html).toContain(`<code>${code}</code>`);
  });

  it('needs no other host, and its policy allows exactly its own style and its own script', () => {
    expect(page.html).not.toMatch(/<img|\son\w+=|(?:src|href|action)="(?:https?:)?\/\//);
    for (const [element, directive] of [
      ['style', 'style-src'],
      ['script', 'script-src'],
    ] as const) {
      const contents = [...page.html.matchAll(new RegExp(`<${element}>([\\s\\S]*?)</${element}>`, 'g'))];
      expect(contents).toHaveLength(1);
      const hash = createHash('sha256')
        .update(contents[0]?.[1] ?? '')
        .digest('base64');
      expect(page.contentSecurityPolicy).toContain(`${directive} 'sha256-${hash}';`);
    }
    expect(page.contentSecurityPolicy).not.toMatch(/unsafe|'self'|https?:/);
  });

  it('holds a menu, the limits, and an example of every call', () => {
    for (const { what } of LIMITS) expect(page.html).toContain(what);
    const menu = /<nav[\s\S]*<\/nav>/.exec(page.html)?.[0] ?? '';
    for (const route of routes)
      if (route.audience !== 'internal' && (route.service === 'session_api' || route.via === 'session_api'))
        expect(menu).toContain(`href="#${route.operation}"`);
    expect(page.html).toContain(`curl -X POST 'http://${page.address}/api/sessions'`);
    expect(page.html).toContain('Example: 200 application/json');
  });

  it('leads every link to a place that exists', () => {
    const ids = new Set([...page.html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id));
    const targets = [...page.html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(targets.length).toBeGreaterThan(50);
    expect(targets.filter((target) => !ids.has(target))).toEqual([]);
  });
});
