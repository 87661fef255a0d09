import type { AsyncApiMessage } from './async-api';
import type { JsonSchema } from './named-schemas';

/** Text is escaped, then words between backticks become code. */
export function text(value: unknown): string {
  const escaped = String(value ?? '').replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0) ?? 0};`);
  return escaped.replace(/`([^`]+)`/g, '<code>$1</code>');
}

const plain = (value: string): string => value.replace(/[&<>]/g, (character) => `&#${character.codePointAt(0) ?? 0};`);
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

export function table(caption: string, headings: readonly string[], rows: string): string {
  if (rows === '') return '';
  const head = headings.map((heading) => `<th scope="col">${text(heading)}</th>`).join('');
  return (
    `<div class="wide" tabindex="0" role="region" aria-label="${text(caption)}"><table>` +
    `<caption>${text(caption)}</caption><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table></div>`
  );
}

const block = (title: string, value: string): string =>
  `<h3>${text(title)}</h3><pre tabindex="0"><code>${plain(value)}</code></pre>`;
const json = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

interface Media {
  readonly schema: JsonSchema;
  readonly example?: unknown;
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}
interface Content {
  readonly description?: string;
  readonly headers?: Record<string, { description: string }>;
  readonly content?: Record<string, Media>;
}
export interface Operation {
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

const quoted = (value: string): string => `'${value.replaceAll("'", String.raw`'\''`)}'`;

/** The operation as a line for a shell, with the values of its example. */
function asCommand(address: string, method: string, path: string, { parameters = [], requestBody }: Operation): string {
  const query = new URLSearchParams();
  let filled = path;
  const words: string[] = [];
  for (const { name, in: place, example } of parameters) {
    if (example === undefined || name === 'If-None-Match') continue;
    if (place === 'path') filled = filled.replace(`{${name}}`, String(example));
    else if (place === 'query') query.set(name, String(example));
    else words.push(`-H ${quoted(`${name}: ${String(example)}`)}`);
  }
  const body = requestBody?.content?.['application/json']?.example;
  if (body !== undefined && JSON.stringify(body) !== '{}')
    words.push(`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body))}`);
  const target = `http://${address}${filled}${query.size > 0 ? `?${query.toString()}` : ''}`;
  const verb = method === 'get' ? [] : [`-X ${method.toUpperCase()}`];
  return [['curl', ...verb, quoted(target)].join(' '), ...words].join(' \\\n  ');
}

/** An operation as an entry of the page: what it takes, what it answers, and an example of both. */
export function operationEntry(address: string, method: string, path: string, operation: Operation): string {
  const parameters = (operation.parameters ?? [])
    .map(
      (one) =>
        `<tr><th scope="row"><code>${text(one.name)}</code> <small>${text(one.in)}${one.required ? '' : ', optional'}</small></th>` +
        `<td>${inWords(one.schema)}</td><td>${text(one.description)}</td></tr>`,
    )
    .join('');
  const body = operation.requestBody;
  const inlineBody = Object.values(body?.content ?? {})
    .map(({ schema }) => memberRows(schema))
    .join('');
  const responses = Object.entries(operation.responses)
    .map(([status, { description, content, headers = {} }]) => {
      const named = Object.entries(headers).filter(([name]) => name !== 'X-Request-Id');
      const told = named.map(([name, one]) => `<br><small><code>${text(name)}</code> ${text(one.description)}</small>`);
      return `<tr><th scope="row">${text(status)}</th><td>${bodyInWords(content)}</td><td>${text(description)}${told.join('')}</td></tr>`;
    })
    .join('');
  const answers = Object.entries(operation.responses).flatMap(([status, { content }]) =>
    Object.entries(content ?? {}).flatMap(([media, { example }]) =>
      example === undefined ? [] : [block(`Example: ${status} ${media}`, json(example))],
    ),
  );
  return (
    `<details class="entry" id="${text(operation.operationId)}"><summary><span class="method ${method}">${text(method.toUpperCase())}</span> ` +
    `<code>${text(path)}</code> <span class="what">${text(operation.summary)}</span></summary>` +
    (operation.description === undefined ? '' : `<p>${text(operation.description)}</p>`) +
    table(`Parameters of ${operation.operationId}`, ['Name', 'Type', 'Meaning'], parameters) +
    (body === undefined ? '' : `<p>Body: ${bodyInWords(body.content)} ${text(body.description)}</p>`) +
    table(`Body of ${operation.operationId}`, ['Member', 'Type', 'Meaning'], inlineBody) +
    table(`Answers of ${operation.operationId}`, ['Status', 'Body', 'When'], responses) +
    block('Example: call', asCommand(address, method, path, operation)) +
    answers.join('') +
    '</details>'
  );
}

/** A message of the WebSocket as an entry of the page. */
export function messageEntry(message: AsyncApiMessage): string {
  const [example] = message.examples ?? [];
  return (
    `<details class="entry" id="message-${text(message.name)}"><summary><code>${text(message.name)}</code> <span class="what">${text(message.summary)}</span></summary>` +
    table(`Members of ${message.name}`, ['Member', 'Type', 'Meaning'], memberRows(message.payload)) +
    (example === undefined ? '' : block('Example', json(example.payload))) +
    '</details>'
  );
}

/** An object of the interface as an entry of the page. */
export function schemaEntry(name: string, schema: JsonSchema): string {
  const rows = memberRows(schema);
  return (
    `<details class="entry" id="${text(name)}"><summary><code>${text(name)}</code> <span class="what">${text(schema['description'])}</span></summary>` +
    (rows === '' ? `<p>${inWords(schema)}</p>` : table(`Members of ${name}`, ['Member', 'Type', 'Meaning'], rows)) +
    '</details>'
  );
}
