import type { RuntimeModel } from '@parley/shared/contracts';

type Json = Record<string, unknown>;

/** A model of the tag list. */
export interface NativeModel {
  readonly id: string;
  readonly size_bytes: number | null;
  /** Changes when the model does. */
  readonly digest: string;
  /** Runs on somebody else's machine: never listed, never used. */
  readonly is_remote: boolean;
}

/** Whether a model goes by this name; the tag `latest` may be left out of it. */
export const isNamed =
  (name: string) =>
  ({ id }: NativeModel): boolean =>
    id === name || id === `${name}:latest`;

const textOr = (value: unknown): string => (typeof value === 'string' ? value : '');
const countOr = (value: unknown): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : null;

function entriesOf(body: unknown): Json[] {
  const models = (body as { models?: unknown } | null | undefined)?.models;
  return Array.isArray(models)
    ? models.filter((one: unknown): one is Json => typeof one === 'object' && one !== null)
    : [];
}

/** The answer of GET /api/tags, in its order; null when it is none. */
export function taggedModels(body: unknown): NativeModel[] | null {
  const models = (body as { models?: unknown } | null | undefined)?.models;
  if (models === undefined || (models !== null && !Array.isArray(models))) return null;
  return entriesOf(body).flatMap((entry): NativeModel[] => {
    const id = textOr(entry['name']) || textOr(entry['model']);
    if (id === '') return [];
    return [
      {
        id,
        size_bytes: countOr(entry['size']),
        digest: textOr(entry['digest']),
        is_remote: textOr(entry['remote_host']) !== '' || textOr(entry['remote_model']) !== '',
      },
    ];
  });
}

/** Names in the answer of GET /api/ps: what is in memory now. */
export function loadedNames(body: unknown): Set<string> {
  return new Set(entriesOf(body).map((entry) => textOr(entry['name']) || textOr(entry['model'])));
}

/** The context length that a model was made for, in tokens, out of the answer of POST /api/show; null when it does not say. */
export function madeForContext(body: unknown): number | null {
  const info = (body as { model_info?: unknown } | null | undefined)?.model_info;
  if (typeof info !== 'object' || info === null) return null;
  for (const [name, value] of Object.entries(info)) if (name.endsWith('.context_length')) return countOr(value);
  return null;
}

/** The model as the gateway lists it. Its context is what calls ask for, or less when it was made for less. */
export function asRuntimeModel(
  model: NativeModel,
  options: { loaded: boolean; askedContext: number; madeFor: number | null },
): RuntimeModel {
  return {
    id: model.id,
    name: model.id.replace(/:latest$/, ''),
    context_length: Math.min(options.askedContext, options.madeFor ?? options.askedContext),
    size_bytes: model.size_bytes,
    loaded: options.loaded,
  };
}
