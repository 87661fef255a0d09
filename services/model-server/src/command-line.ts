import type { Environment } from '@parley/shared/service';

/** What the server was started with. */
export interface ServerOptions {
  /** Path of a GGUF file. */
  readonly model: string;
  readonly host: string;
  readonly port: number;
  /** Tokens of all slots together; null: 8,192 for each, or what the model was made for where that is less. */
  readonly context: number | null;
  /** null: one less than there are cores. */
  readonly threads: number | null;
  /** Generations at once. */
  readonly slots: number;
  /** Talks beside those that are answered at once whose cache is kept. */
  readonly spare: number;
  /** Asked for with every call but the health probe; null: none. */
  readonly key: string | null;
}

/** The program was started in a way that cannot work. The message is one sentence for a person. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

export const HELP = `The model server that comes with Parley: plays a GGUF model on the processor of this machine.

-m,   --model FILE       the GGUF file to load
      --host HOST        127.0.0.1 (default) or ::1; it serves this machine only
      --port PORT        default 7356
-c,   --ctx-size N       tokens of context, divided by the slots (default: 8192 for each)
-t,   --threads N        threads of the processor (default: one less than there are cores)
-np,  --parallel N       slots: chats that are answered at once (default 2)
      --spare N          talks beside them of which nothing is forgotten; each takes the memory of a slot (default 0)
-h,   --help             this text

The key that callers have to send is read from the environment (env: LLAMA_API_KEY).
`;

const FLAGS: Readonly<Record<string, 'model' | 'host' | 'port' | 'context' | 'threads' | 'slots' | 'spare'>> = {
  '-m': 'model',
  '--model': 'model',
  '--host': 'host',
  '--port': 'port',
  '-c': 'context',
  '--ctx-size': 'context',
  '-t': 'threads',
  '--threads': 'threads',
  '-np': 'slots',
  '--parallel': 'slots',
  '--spare': 'spare',
};

const LOOPBACK: readonly string[] = ['127.0.0.1', '::1'];
const DEFAULT_PORT = 7356;
const DEFAULT_SLOTS = 2;

/**
 * @returns null when the help was asked for.
 * @throws UsageError
 */
export function readCommandLine(words: readonly string[], environment: Environment): ServerOptions | null {
  if (words.includes('-h') || words.includes('--help')) return null;
  const given = new Map<string, { flag: string; value: string }>();
  for (let at = 0; at < words.length; at += 2) {
    const flag = words[at] ?? '';
    const name = Object.hasOwn(FLAGS, flag) ? FLAGS[flag] : undefined;
    if (name === undefined) throw new UsageError(`${flag} is not known; --help lists what is.`);
    const value = words[at + 1];
    if (value === undefined) throw new UsageError(`${flag} needs a value; --help says which.`);
    given.set(name, { flag, value });
  }
  const integer = <D extends number | null>(name: string, fallback: D, min: number, max: number): number | D => {
    const one = given.get(name);
    if (one === undefined) return fallback;
    const number = Number(one.value);
    if (!/^\d+$/.test(one.value) || number < min || number > max)
      throw new UsageError(`${one.flag} ${one.value} cannot be used; give a whole number from ${min} to ${max}.`);
    return number;
  };
  const model = given.get('model')?.value;
  if (model === undefined || model === '') throw new UsageError('Name the model to load: -m FILE.gguf.');
  const host = given.get('host')?.value ?? '127.0.0.1';
  if (!LOOPBACK.includes(host))
    throw new UsageError(`--host ${host} cannot be used: this server answers its own machine only; use 127.0.0.1.`);
  const key = environment['LLAMA_API_KEY'];
  return {
    model,
    host,
    port: integer('port', DEFAULT_PORT, 0, 65_535),
    context: integer('context', null, 64, 100_000_000),
    threads: integer('threads', null, 1, 1024),
    slots: integer('slots', DEFAULT_SLOTS, 1, 64),
    spare: integer('spare', 0, 0, 64),
    key: key === undefined || key === '' ? null : key,
  };
}
