import { createHash } from 'node:crypto';
import { DEFAULT_PORTS, ERROR_KINDS } from '@parley/shared/contracts';
import { buildAsyncApi } from './async-api';
import { messageEntry, operationEntry, schemaEntry, table, text, type Operation } from './docs-entries';
import { DOCS_SCRIPT } from './docs-script';
import { DOCS_STYLE } from './docs-style';
import { LIMITS } from './limits';
import { API_SUMMARY, buildOpenApi, CONVENTIONS, type OpenApiDocument } from './open-api';

export interface DocsPage {
  readonly html: string;
  /** Stands in the page for host and port of the API: whoever serves it puts its own in the place. */
  readonly address: string;
  /** Allows nothing but the one style sheet and the one script of the page, by their hashes: Content-Security-Policy. */
  readonly contentSecurityPolicy: string;
}

interface Entry {
  readonly id: string;
  /** As it stands in the menu; HTML. */
  readonly label: string;
  readonly html: string;
}

interface Section {
  readonly id: string;
  readonly title: string;
  readonly introduction: string;
  readonly entries: readonly Entry[];
}

const hashOf = (content: string): string => `'sha256-${createHash('sha256').update(content).digest('base64')}'`;

function operationSections(address: string, api: OpenApiDocument): Section[] {
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method,
      operation: operation as unknown as Operation,
    })),
  );
  return api.tags.map((tag) => ({
    id: `tag-${tag.name.toLowerCase().replaceAll(' ', '-')}`,
    title: tag.name,
    introduction: `<p>${text(tag.description)}</p>`,
    entries: operations
      .filter(({ operation }) => operation.tags.includes(tag.name))
      .map(({ path, method, operation }) => ({
        id: operation.operationId,
        label: `<span class="method">${text(method.toUpperCase())}</span> ${text(operation.summary)}`,
        html: operationEntry(address, method, path, operation),
      })),
  }));
}

function socketSection(address: string): Section {
  const socket = buildAsyncApi();
  return {
    id: 'socket',
    title: 'WebSocket',
    introduction: `<p><code>ws://${text(address)}/ws/session/{id}</code></p><p>${text(socket.info.description)}</p>`,
    entries: Object.values(socket.components.messages).map((message) => ({
      id: `message-${message.name}`,
      label: text(message.name),
      html: messageEntry(message),
    })),
  };
}

function tableSections(): Section[] {
  const limits = LIMITS.map(
    ({ what, value, beyond }) =>
      `<tr><th scope="row">${text(what)}</th><td>${text(value)}</td><td>${text(beyond)}</td></tr>`,
  );
  const errors = Object.entries(ERROR_KINDS).map(
    ([code, kind]) =>
      `<tr><th scope="row"><code>${text(code)}</code></th><td>${kind.status}</td><td>${text(kind.meaning)}</td><td>${kind.retryable ? 'yes' : 'no'}</td></tr>`,
  );
  return [
    {
      id: 'conventions',
      title: 'Conventions',
      introduction: `<ul>${CONVENTIONS.map((one) => `<li>${text(one)}</li>`).join('')}</ul>`,
      entries: [],
    },
    {
      id: 'limits',
      title: 'Limits',
      introduction: table('Limits of the interface', ['Limit', 'Value', 'Beyond'], limits.join('')),
      entries: [],
    },
    {
      id: 'errors',
      title: 'Errors',
      introduction:
        '<p>Every error is a problem document (<code>application/problem+json</code>) with a stable <code>code</code>.</p>' +
        table('Error codes', ['Code', 'Status', 'Meaning', 'Retry'], errors.join('')),
      entries: [],
    },
  ];
}

function objectSection(api: OpenApiDocument): Section {
  return {
    id: 'objects',
    title: 'Objects',
    introduction: '',
    entries: Object.entries(api.components.schemas).map(([name, schema]) => ({
      id: name,
      label: text(name),
      html: schemaEntry(name, schema),
    })),
  };
}

function menu(sections: readonly Section[]): string {
  const item = (id: string, label: string): string => `<a href="#${text(id)}">${label}</a>`;
  return sections
    .map(({ id, title, entries }) => {
      const inside = entries.map((entry) => `<li>${item(entry.id, entry.label)}</li>`).join('');
      return `<li class="group" data-section="${text(id)}">${item(id, text(title))}${inside === '' ? '' : `<ul>${inside}</ul>`}</li>`;
    })
    .join('');
}

/**
 * The interface as one page to read: every call, message, error, limit and object, with a menu, a search and examples. It
 * needs no network and no file beside it.
 */
export function renderDocsPage(): DocsPage {
  const address = `127.0.0.1:${DEFAULT_PORTS.session_api}`;
  const api = buildOpenApi();
  const [conventions, ...tables] = tableSections() as [Section, ...Section[]];
  const sections = [
    conventions,
    ...operationSections(address, api),
    socketSection(address),
    ...tables,
    objectSection(api),
  ];
  const content = sections
    .map(
      ({ id, title, introduction, entries }) =>
        `<section><h2 id="${text(id)}">${text(title)}</h2>${introduction}${entries.map(({ html }) => html).join('')}</section>`,
    )
    .join('');
  return {
    address,
    contentSecurityPolicy: `default-src 'none'; style-src ${hashOf(DOCS_STYLE)}; script-src ${hashOf(DOCS_SCRIPT)}; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    html:
      '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">' +
      `<meta name="color-scheme" content="light dark"><title>Parley: the interface</title><link rel="icon" href="data:,"><style>${DOCS_STYLE}</style></head><body>` +
      '<aside><div id="searching" role="search" hidden><label for="search">Search</label>' +
      '<input id="search" type="search" autocomplete="off" spellcheck="false" placeholder="turn, 409, Idempotency-Key …">' +
      `<output id="found" for="search"></output></div><nav aria-label="Contents"><ul>${menu(sections)}</ul></nav></aside>` +
      `<main><h1>The interface of Parley</h1><p>${text(API_SUMMARY)} Version ${text(api.info.version)}. ` +
      'The same as data: <a href="/api/openapi.json">OpenAPI 3.1</a>, <a href="/api/asyncapi.json">AsyncAPI 3.0</a>.</p>' +
      `${content}</main><script>${DOCS_SCRIPT}</script></body></html>`,
  };
}
