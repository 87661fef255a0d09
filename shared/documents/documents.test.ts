import { createHash } from 'node:crypto';
import Ajv from 'ajv';
import { ERROR_KINDS, MESSAGE_PAYLOADS, ROUTES, type RouteShape } from '@parley/shared/contracts';
import { buildAsyncApi, buildJsonSchemas, buildOpenApi, renderDocsPage } from '@parley/shared/documents';

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

describe('the documentation page', () => {
  const page = renderDocsPage();

  it('holds every public operation, every message and every error code', () => {
    for (const route of routes)
      if (route.audience !== 'internal' && (route.service === 'session_api' || route.via === 'session_api'))
        expect(page.html).toContain(`id="${route.operation}"`);
    for (const type of Object.keys(MESSAGE_PAYLOADS)) expect(page.html).toContain(`<code>${type}</code>`);
    for (const code of Object.keys(ERROR_KINDS)) expect(page.html).toContain(`<code>${code}</code>`);
  });

  it('needs no script and no other host, and its policy allows exactly its own style', () => {
    expect(page.html).not.toMatch(/<script|<link|<img|\son\w+=|https?:\/\//);
    const style = /<style>([\s\S]*)<\/style>/.exec(page.html)?.[1] ?? '';
    expect(page.contentSecurityPolicy).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`);
    expect(page.contentSecurityPolicy).not.toContain('unsafe');
  });

  it('leads every link to a place that exists', () => {
    const ids = new Set([...page.html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id));
    const targets = [...page.html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(targets.length).toBeGreaterThan(50);
    expect(targets.filter((target) => !ids.has(target))).toEqual([]);
  });
});
