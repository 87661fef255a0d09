import { createHash } from 'node:crypto';
import { ERROR_KINDS } from '@parley/shared/contracts';
import { buildAsyncApi } from './async-api';
import { DOCS_STYLE } from './docs-style';
import type { JsonSchema } from './named-schemas';
import { buildOpenApi } from './open-api';

/** Text is escaped, then words between backticks become code. */
function text(value: unknown): string {
  const escaped = String(value ?? '').replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0) ?? 0};`);
  return escaped.replace(/`([^`]+)`/g, '<code>$1</code>');
}

const link = (name: string): string => `<a href="#${text(name)}">${text(name)}</a>`;
const referred = (schema: JsonSchema): string | undefined => (schema['$ref'] as string | undefined)?.split('/').pop();
const members = (schema: JsonSchema): [string, JsonSchema][] =>
  Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);

/** A schema in a few words: `array of Turn`, `string or null`, `"a" or "b"`. */
function inWords(schema: JsonSchema): string {
  const name = referred(schema);
  if (name !== undefined) return link(name);
  const choices = (schema['anyOf'] ?? schema['oneOf']) as JsonSchema[] | undefined;
  if (choices !== undefined) return choices.map(inWords).join(' or ');
  if ('const' in schema) return `<code>${text(JSON.stringify(schema['const']))}</code>`;
  if (Array.isArray(schema['enum'])) return schema['enum'].map((one) => `<code>${text(one)}</code>`).join(' ');
  if (schema['type'] === 'array') return `list of ${inWords((schema['items'] ?? {}) as JsonSchema)}`;
  if (schema['type'] === 'object' && members(schema).length > 0) return 'object, see below';
  if (schema['type'] === 'object') {
    const values = schema['additionalProperties'];
    return typeof values === 'object' && values !== null ? `names to ${inWords(values as JsonSchema)}` : 'object';
  }
  const low = schema['minimum'] ?? schema['minLength'];
  const high = schema['maximum'] ?? schema['maxLength'];
  const isSafeBound = (bound: unknown): boolean => bound !== undefined && Math.abs(Number(bound)) < 1e9;
  const bounds = [isSafeBound(low) ? `at least ${text(low)}` : '', isSafeBound(high) ? `at most ${text(high)}` : ''];
  const unit = schema['type'] === 'string' && (isSafeBound(low) || isSafeBound(high)) ? ' characters' : '';
  const limits = bounds.filter((bound) => bound !== '').join(', ');
  return text(schema['type'] ?? 'anything') + (limits === '' ? '' : ` (${limits}${unit})`);
}

/** Members of an object as rows; members of nested objects follow with their path. */
function memberRows(schema: JsonSchema, prefix = ''): string {
  const required = (schema['required'] ?? []) as string[];
  return members(schema)
    .map(([name, member]) => {
      const item = member['type'] === 'array' ? ((member['items'] ?? {}) as JsonSchema) : member;
      const path = `${prefix}${name}${member['type'] === 'array' ? '[]' : ''}`;
      const optional = required.includes(name) ? '' : ' <small>optional</small>';
      return (
        `<tr><th scope="row"><code>${text(path)}</code>${optional}</th><td>${inWords(member)}</td>` +
        `<td>${text(member['description'])}</td></tr>${memberRows(item, `${path}.`)}`
      );
    })
    .join('');
}

function table(caption: string, headings: readonly string[], rows: string): string {
  if (rows === '') return '';
  const head = headings.map((heading) => `<th scope="col">${text(heading)}</th>`).join('');
  return (
    `<div class="wide" tabindex="0" role="region" aria-label="${text(caption)}"><table>` +
    `<caption>${text(caption)}</caption><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table></div>`
  );
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}
interface Content {
  readonly description?: string;
  readonly content?: Record<string, { schema: JsonSchema }>;
}
interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Record<string, Content>;
}

const bodyInWords = (content: Content['content']): string =>
  Object.entries(content ?? {})
    .map(([media, { schema }]) => `${inWords(schema)} <small>${text(media)}</small>`)
    .join('<br>');

function operationSection(method: string, path: string, operation: Operation): string {
  const parameters = (operation.parameters ?? [])
    .map(
      (one) =>
        `<tr><th scope="row"><code>${text(one.name)}</code> <small>${text(one.in)}${one.required ? '' : ', optional'}</small></th>` +
        `<td>${inWords(one.schema)}</td><td>${text(one.description)}</td></tr>`,
    )
    .join('');
  const body = operation.requestBody;
  const schemas = Object.values(body?.content ?? {}).map(({ schema }) => schema);
  const inlineBody = schemas.map((schema) => memberRows(schema)).join('');
  const responses = Object.entries(operation.responses)
    .map(
      ([status, { description, content }]) =>
        `<tr><th scope="row">${text(status)}</th><td>${bodyInWords(content)}</td><td>${text(description)}</td></tr>`,
    )
    .join('');
  return (
    `<details id="${text(operation.operationId)}"><summary><span class="method ${method}">${text(method.toUpperCase())}</span> ` +
    `<code>${text(path)}</code> <span class="what">${text(operation.summary)}</span></summary>` +
    (operation.description === undefined ? '' : `<p>${text(operation.description)}</p>`) +
    table(`Parameters of ${operation.operationId}`, ['Name', 'Type', 'Meaning'], parameters) +
    (body === undefined ? '' : `<p>Body: ${bodyInWords(body.content)} ${text(body.description)}</p>`) +
    table(`Body of ${operation.operationId}`, ['Member', 'Type', 'Meaning'], inlineBody) +
    table(`Answers of ${operation.operationId}`, ['Status', 'Body', 'When'], responses) +
    '</details>'
  );
}

function schemaSection(name: string, schema: JsonSchema): string {
  const rows = memberRows(schema);
  return (
    `<details id="${text(name)}"><summary><code>${text(name)}</code> <span class="what">${text(schema['description'])}</span></summary>` +
    (rows === '' ? `<p>${inWords(schema)}</p>` : table(`Members of ${name}`, ['Member', 'Type', 'Meaning'], rows)) +
    '</details>'
  );
}

export interface DocsPage {
  readonly html: string;
  /** Allows nothing but the one style sheet of the page, by its hash: the value of Content-Security-Policy. */
  readonly contentSecurityPolicy: string;
}

/**
 * The interface as one page to read: every call, message, error and object. It needs no script, no network and no file
 * beside it.
 */
export function renderDocsPage(): DocsPage {
  const api = buildOpenApi();
  const socket = buildAsyncApi();
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method,
      operation: operation as unknown as Operation,
    })),
  );
  const groups = api.tags
    .map(
      (tag) =>
        `<section><h2 id="tag-${text(tag.name.toLowerCase().replaceAll(' ', '-'))}">${text(tag.name)}</h2><p>${text(tag.description)}</p>` +
        operations
          .filter(({ operation }) => operation.tags.includes(tag.name))
          .map(({ path, method, operation }) => operationSection(method, path, operation))
          .join('') +
        '</section>',
    )
    .join('');
  const messages = Object.values(socket.components.messages)
    .map(
      (message) =>
        `<details><summary><code>${text(message.name)}</code> <span class="what">${text(message.summary)}</span></summary>` +
        `${table(`Members of ${message.name}`, ['Member', 'Type', 'Meaning'], memberRows(message.payload))}</details>`,
    )
    .join('');
  const errors = Object.entries(ERROR_KINDS)
    .map(
      ([code, kind]) =>
        `<tr><th scope="row"><code>${text(code)}</code></th><td>${kind.status}</td><td>${text(kind.title)}</td><td>${kind.retryable ? 'yes' : 'no'}</td></tr>`,
    )
    .join('');
  const schemas = Object.entries(api.components.schemas)
    .map(([name, schema]) => schemaSection(name, schema))
    .join('');
  const navigation = [
    ...api.tags.map((tag) => [`tag-${tag.name.toLowerCase().replaceAll(' ', '-')}`, tag.name] as const),
    ['socket', 'WebSocket'] as const,
    ['errors', 'Errors'] as const,
    ['objects', 'Objects'] as const,
  ]
    .map(([id, name]) => `<li><a href="#${text(id)}">${text(name)}</a></li>`)
    .join('');
  const hash = createHash('sha256').update(DOCS_STYLE).digest('base64');
  return {
    contentSecurityPolicy: `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    html:
      '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">' +
      `<meta name="color-scheme" content="light dark"><title>Parley: the interface</title><style>${DOCS_STYLE}</style></head><body>` +
      `<header><h1>The interface of Parley</h1><p>${text(api.info.description)} Version ${text(api.info.version)}. ` +
      'The same as data: <a href="/api/openapi.json">OpenAPI 3.1</a>, <a href="/api/asyncapi.json">AsyncAPI 3.0</a>.</p>' +
      `<nav aria-label="Parts"><ul>${navigation}</ul></nav></header><main>${groups}` +
      `<section><h2 id="socket">WebSocket</h2><p><code>ws://127.0.0.1:7355/ws/session/{id}</code></p><p>${text(socket.info.description)}</p>${messages}</section>` +
      '<section><h2 id="errors">Errors</h2><p>Every error is a problem document (<code>application/problem+json</code>) with a stable <code>code</code>.</p>' +
      `${table('Error codes', ['Code', 'Status', 'Meaning', 'Retry'], errors)}</section>` +
      `<section><h2 id="objects">Objects</h2>${schemas}</section></main></body></html>`,
  };
}
