import { refusesMember } from './completion-errors';

/** Members that only llama.cpp knows. Other servers ignore them; the few that refuse them are asked again without. */
const EXTENSION_MEMBERS = [
  'repeat_penalty',
  'cache_prompt',
  'n_cache_reuse',
  'return_progress',
  'sse_ping_interval',
  'chat_template_kwargs',
] as const;

/** How an answer's form is asked for: enforced by its schema, as any JSON object, or by the words of the prompt alone. */
export type SchemaForm = 'json_schema' | 'json_object' | 'none';

/** What the members of a request are, as far as a server takes them. */
export interface RequestForm {
  /** Members that only llama.cpp knows. */
  readonly extensions: boolean;
  /** `stream_options`, which asks for the token counts. */
  readonly stream_options: boolean;
  readonly schema: SchemaForm;
}

const FULL: RequestForm = { extensions: true, stream_options: true, schema: 'json_schema' };

const NEXT_SCHEMA: Readonly<Record<SchemaForm, SchemaForm | null>> = {
  json_schema: 'json_object',
  json_object: 'none',
  none: null,
};

/** Statuses with which servers refuse a body. */
const REFUSALS: ReadonlySet<number> = new Set([400, 422, 500, 501]);

/**
 * What to leave out of a request that a server refused, so that it is worth asking again; null when its refusal names
 * nothing that Parley could do without.
 */
export function concession(refused: RequestForm, status: number, body: string): RequestForm | null {
  if (!REFUSALS.has(status)) return null;
  if (refused.stream_options && refusesMember(body, ['stream_options', 'include_usage']))
    return { ...refused, stream_options: false };
  if (refused.extensions && refusesMember(body, EXTENSION_MEMBERS)) return { ...refused, extensions: false };
  const schema = NEXT_SCHEMA[refused.schema];
  if (schema !== null && refusesMember(body, ['response_format', 'json_schema', 'json_object', 'schema', 'grammar']))
    return { ...refused, schema };
  return null;
}

/**
 * What one server takes, learned from what it refused: kept as long as the gateway runs, so that each member is tried once
 * and not at every turn.
 */
export class LearnedForm {
  private form = FULL;

  get current(): RequestForm {
    return this.form;
  }

  /** What a server has accepted, after a refusal of more. */
  learned(form: RequestForm): void {
    this.form = form;
  }

  forget(): void {
    this.form = FULL;
  }
}
