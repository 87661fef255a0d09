import type { RuntimeModel } from '@parley/shared/contracts';

type Json = Record<string, unknown>;

const countOr = (value: unknown): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : null;

/**
 * The models of an OpenAI-style list, in its order.
 * @param contextLength What the user has set; wins over what the server says of its training.
 */
export function listedModels(body: unknown, contextLength: number | null): RuntimeModel[] {
  const data = (body as { data?: unknown } | null | undefined)?.data;
  if (!Array.isArray(data)) return [];
  return data.flatMap((entry: unknown): RuntimeModel[] => {
    const { id, meta, status } = (entry ?? {}) as { id?: unknown; meta?: Json | null; status?: { value?: unknown } };
    if (typeof id !== 'string' || id === '') return [];
    return [
      {
        id,
        name: (id.split(/[/\\]/).at(-1) ?? id).replace(/\.gguf$/i, ''),
        context_length: countOr(meta?.['n_ctx']) ?? contextLength ?? countOr(meta?.['n_ctx_train']),
        size_bytes: countOr(meta?.['size']),
        // Servers that manage several models say which is in memory; the others serve what they have loaded.
        loaded: typeof status?.value === 'string' ? status.value === 'loaded' : true,
      },
    ];
  });
}
