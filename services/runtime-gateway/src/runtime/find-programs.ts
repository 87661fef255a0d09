import type { FoundProgram } from '@parley/shared/contracts';
import { taggedModels } from '../providers/local-native/native-models';
import { UpstreamClient, type WholeAnswer } from '../upstream/upstream-client';
import type { Place } from './usual-places';

/** For all that one place is asked: a person waits for it. */
const LOOK_MS = 1_000;
const MAX_BYTES = 1024 * 1024;

export interface LookOptions {
  /** The key of the server at an address, where Parley itself has started it with one; null: none is known. */
  readonly keyFor: (baseUrl: string) => string | null;
  readonly signal: AbortSignal;
}

type Ask = (path: string, key?: string | null) => Promise<WholeAnswer>;
type Finding = Pick<FoundProgram, 'product' | 'models' | 'problem'>;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

async function lookForOllama(ask: Ask): Promise<Finding | null> {
  const { status, text } = await ask('/api/tags');
  const tags = status === 200 ? taggedModels(parsed(text)) : null;
  if (tags === null) return null;
  // What runs on somebody else's machine is none of ours to offer.
  const models = tags.filter((model) => !model.is_remote).map((model) => model.id);
  return {
    product: 'ollama',
    models,
    problem: models.length > 0 ? null : 'It has no model on this machine yet; get one below, or with "ollama pull".',
  };
}

/** The ids of an OpenAI-style list; null when it is none. */
function listedIds(body: unknown): string[] | null {
  const data = (body as { data?: unknown } | null | undefined)?.data;
  if (!Array.isArray(data)) return null;
  return data.flatMap((entry: unknown) => {
    const id = (entry as { id?: unknown } | null)?.id;
    return typeof id === 'string' && id !== '' ? [id] : [];
  });
}

const isOwnedByLlama = (text: string): boolean => /"owned_by"\s*:\s*"llamacpp"/.test(text);

/** Speech and embedding models are listed by such servers too; they cannot hold a talk. */
const cannotTalk = (id: string): boolean => /(^|[-_/])(text-)?embed|whisper/i.test(id);

const ASKS_FOR_A_KEY =
  'It asks for a key. Start it without one, or start Parley with SIM_LOCAL_SERVER_BASE_URL and SIM_LOCAL_SERVER_API_KEY set to its address and key.';

async function lookForServer(place: Place, ask: Ask, key: string | null): Promise<Finding | null> {
  const [health, list] = await Promise.all([ask('/health').catch(() => null), ask('/v1/models', key)]);
  const isLlama =
    (health?.status === 200 && (parsed(health.text) as { status?: unknown } | undefined)?.status === 'ok') ||
    (health?.status === 503 && /loading model/i.test(health.text)) ||
    isOwnedByLlama(list.text);
  const product = place.product === 'llama_server' && !isLlama ? 'other' : place.product;
  if (list.status === 503 && isLlama)
    return { product, models: [], problem: 'It is loading its model; look again in a minute.' };
  // Only a program that is known to be a model server: many others ask for a key.
  if (list.status === 401 || list.status === 403)
    return isLlama || place.product === 'lm_studio' ? { product, models: [], problem: ASKS_FOR_A_KEY } : null;
  const ids = list.status === 200 ? listedIds(parsed(list.text)) : null;
  if (ids === null) return null;
  const models = ids.filter((id) => !cannotTalk(id));
  return {
    product,
    models,
    problem: models.length > 0 ? null : 'It has no model loaded; load one there, then look again.',
  };
}

/** What listens at a place; null when nothing does, or something else. */
async function lookAt(place: Place, { keyFor, signal }: LookOptions): Promise<FoundProgram | null> {
  const client = new UpstreamClient({ baseUrl: place.base_url, connectTimeoutMs: LOOK_MS });
  const limit = AbortSignal.any([signal, AbortSignal.timeout(LOOK_MS)]);
  const ask: Ask = (path, key = null) =>
    client.readWhole(
      {
        method: 'GET',
        path,
        signal: limit,
        quietMs: LOOK_MS,
        headers: key === null ? {} : { authorization: `Bearer ${key}` },
      },
      MAX_BYTES,
    );
  try {
    const isOllama = place.product === 'ollama';
    const finding = await (isOllama ? lookForOllama(ask) : lookForServer(place, ask, keyFor(place.base_url)));
    if (finding === null) return null;
    return { ...finding, runtime_id: isOllama ? 'local_native' : 'local_server', base_url: place.base_url };
  } catch {
    // Refused, silent, too long, no HTTP: nothing that can be used is there.
    return null;
  } finally {
    await client.close();
  }
}

/**
 * Looks on this machine for programs that can play, at all places side by side. A place that answers with a redirect is not
 * followed anywhere.
 */
export async function findPrograms(places: readonly Place[], options: LookOptions): Promise<FoundProgram[]> {
  const found = await Promise.all(places.map((place) => lookAt(place, options)));
  return found.filter((one) => one !== null);
}
