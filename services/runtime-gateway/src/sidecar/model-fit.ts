import { GgufError } from '../models/gguf-header';
import { readGgufTensors, type GgufTensors } from '../models/gguf-tensors';
import { NotAFileError } from '../models/open-regular-file';
import type { SidecarModel } from './choose-model';
import { contextOfAllSlots } from './sidecar-command';
import type { SidecarSettings } from './sidecar-settings';

/** What a model server needs beside model and context: itself, and what it computes with. In bytes. */
const MARGIN_BYTES = 300_000_000;
/** A key and a value of the cache have two bytes each (f16). */
const BYTES_OF_A_NUMBER = 2;
/** What has to stay free beside a talk more than are answered at once, which is a comfort. In bytes. */
const COMFORT_BYTES = 1_000_000_000;
/** Contexts smaller than this hold no talk. */
const SMALLEST_TALK = 1_024;

export interface Fit {
  /** Context of one slot, in tokens. */
  readonly tokens: number;
  readonly slots: number;
  /** A graphics card holds a part of it: nobody here knows how much. */
  readonly onGpu: boolean;
  /** Bytes of memory that are free; null: not known. */
  readonly free: number | null;
}

/** Bytes that each token of context takes; null where the file does not say. */
function bytesOfAToken({ layers, key_heads: heads, key_length: key, value_length: value }: GgufTensors): number | null {
  if (layers === null || heads === null || key === null || value === null) return null;
  return layers * heads * (key + value) * BYTES_OF_A_NUMBER;
}

const gigabytes = (bytes: number): string => `${(Math.max(0, bytes) / 1e9).toFixed(1)} GB`;

/** Why memory does not hold a model with its context, with the numbers and what would fit; null when it does. */
export function refuseForMemory(model: GgufTensors, { tokens, slots, onGpu, free }: Fit): string | null {
  if (onGpu || free === null) return null;
  const ofAToken = bytesOfAToken(model);
  const context = (ofAToken ?? 0) * tokens * slots;
  const needed = model.tensor_bytes + context + MARGIN_BYTES;
  if (needed <= free) return null;
  const left = free - model.tensor_bytes - MARGIN_BYTES;
  const fitting = ofAToken === null || left <= 0 ? 0 : Math.floor(left / ofAToken / slots / 256) * 256;
  const advice =
    fitting >= SMALLEST_TALK
      ? `set SIM_LOCAL_SERVER_CONTEXT_LENGTH to ${fitting} or less`
      : `choose a model of at most ${gigabytes(free - MARGIN_BYTES - (ofAToken ?? 0) * SMALLEST_TALK * slots)}`;
  return `The model needs about ${gigabytes(needed)} of memory (${gigabytes(model.tensor_bytes)} for itself, ${gigabytes(context)} for ${slots} talks of ${tokens} tokens), and ${gigabytes(free)} are free. Close other programs, or ${advice}.`;
}

/** How many talks beside those that are answered at once memory has room for: one or none. */
export function spareTalks(model: GgufTensors, { tokens, slots, onGpu, free }: Fit): number {
  const ofAToken = bytesOfAToken(model);
  if (onGpu || free === null || ofAToken === null) return 0;
  const needed = model.tensor_bytes + ofAToken * tokens * (slots + 1) + MARGIN_BYTES;
  return needed + COMFORT_BYTES <= free ? 1 : 0;
}

export interface Verdict {
  /** Why the model server cannot be started; null: nothing speaks against it. */
  readonly refusal: string | null;
  /** Talks whose cache there is room for beside those that are answered at once. */
  readonly spare: number;
}

const UNKNOWN: Verdict = { refusal: null, spare: 0 };

/**
 * Whether the model server can be started with a model: not when its file is cut off or damaged, or memory does not hold it.
 * A file that cannot be read at all is left to the model server, which says so itself.
 * @param free Bytes of memory that are free; null: not known.
 */
export async function judgeStart(
  model: SidecarModel,
  settings: SidecarSettings,
  free: number | null,
): Promise<Verdict> {
  if (model.path === null) return UNKNOWN;
  const slots = settings.parallel;
  const tokens = contextOfAllSlots(settings, model.context) / slots;
  try {
    const tensors = await readGgufTensors(model.path);
    const fit: Fit = { tokens, slots, onGpu: (settings.gpu_layers ?? 0) > 0, free };
    return { refusal: refuseForMemory(tensors, fit), spare: spareTalks(tensors, fit) };
  } catch (error) {
    const isFault = error instanceof GgufError || error instanceof NotAFileError;
    return isFault ? { ...UNKNOWN, refusal: error.message } : UNKNOWN;
  }
}
