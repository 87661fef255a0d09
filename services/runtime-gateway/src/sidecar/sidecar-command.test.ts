import { installAdvice, knownFlags, sidecarArguments, splitCommand } from './sidecar-command';
import { readConfig } from '../config';

const HELP = `
-m,    --model FNAME             model path to load
-c,    --ctx-size N              size of the prompt context
-t,    --threads N               number of CPU threads
-ngl,  --gpu-layers, --n-gpu-layers N   layers in VRAM
-np,   --parallel N              number of server slots
--cache-reuse N                  min chunk size to attempt reusing
--cache-ram N                    maximum cache size in MiB
--host HOST  --port PORT
--api-key KEY                    API key (env: LLAMA_API_KEY)
--cors-origins ORIGINS           allowed origins
`;

const settings = readConfig({
  SIM_LOCAL_SERVER_CONTEXT_LENGTH: '6144',
  SIM_LOCAL_SERVER_THREADS: '3',
  SIM_LOCAL_SERVER_GPU_LAYERS: '12',
}).sidecar;

const GIB = 1024 ** 3;
const start = {
  modelPath: null as string | null,
  key: 'k',
  trained_context: 131_072,
  spare_talks: 1,
  machine: { cores: 8, free_bytes: 4 * GIB },
};

describe('the arguments of the model server', () => {
  it('carry context length, threads and GPU layers, bind this machine and shut other origins out', () => {
    const { args } = sidecarArguments(settings, HELP, { ...start, modelPath: '/m/a.gguf' });
    expect(args).toEqual([
      '-m', '/m/a.gguf', '--host', '127.0.0.1', '--port', '7356', '-c', '12288', '-t', '3', '-ngl', '12', '-np', '2',
      '--cache-reuse', '64', '--cache-ram', '512', '--cors-origins', 'localhost',
    ]); // prettier-ignore
  });

  it('take the length of one talk for each slot, a core less than there are, and a bounded cache where nothing is set', () => {
    const unset = readConfig({}).sidecar;
    const flag = (name: string, changes: Partial<typeof start> = {}): string | undefined => {
      const { args } = sidecarArguments(unset, HELP, { ...start, ...changes });
      return args[args.indexOf(name) + 1];
    };
    expect(flag('-c')).toBe('16384');
    expect(flag('-c', { trained_context: 2048 })).toBe('4096');
    expect(flag('-t')).toBe('7');
    expect(flag('-t', { machine: { cores: 1, free_bytes: GIB } })).toBe('1');
    expect(flag('--cache-ram', { machine: { cores: 2, free_bytes: 64 * GIB } })).toBe('2048');
  });

  it('keep one more talk where memory has room for it and the server knows how', () => {
    const own = `${HELP}\n      --spare N          talks beside them`;
    const { args } = sidecarArguments(settings, own, start);
    expect(args[args.indexOf('--spare') + 1]).toBe('1');
    expect(sidecarArguments(settings, own, { ...start, spare_talks: 0 }).args).not.toContain('--spare');
    expect(sidecarArguments(settings, HELP, start).args).not.toContain('--spare');
  });

  it('hold the key back where the binary reads it from its environment, and pass it where it does not', () => {
    const secret = { ...start, key: 'secret' };
    expect(sidecarArguments(settings, HELP, secret)).toMatchObject({
      environment: { LLAMA_API_KEY: 'secret' },
      key: 'secret',
    });
    expect(sidecarArguments(settings, HELP, secret).args).not.toContain('secret');
    const older = sidecarArguments(settings, HELP.replace(' (env: LLAMA_API_KEY)', ''), secret);
    expect(older.args.slice(-2)).toEqual(['--api-key', 'secret']);
    expect(older.environment).toEqual({});
  });

  it('leave out what the binary does not know', () => {
    const { args, key } = sidecarArguments(settings, 'usage: -m FNAME --host --port -t', start);
    expect(args).toEqual(['--host', '127.0.0.1', '--port', '7356', '-t', '3']);
    expect(key).toBeNull();
  });

  it('are found in help texts of any layout', () => {
    expect(knownFlags('-c, --ctx-size N\n[--offline] | --no-webui')).toEqual(
      new Set(['-c', '--ctx-size', '--offline', '--no-webui']),
    );
  });
});

describe('splitCommand', () => {
  it('takes quotes around what holds spaces', () => {
    expect(splitCommand('"/opt/my tools/llama-server" -v \'a b\'')).toEqual({
      program: '/opt/my tools/llama-server',
      args: ['-v', 'a b'],
    });
    expect(splitCommand('llama-server --grammar-file="/my files/a b" -x\'"c d"\'e')).toEqual({
      program: 'llama-server',
      args: ['--grammar-file=/my files/a b', '-x"c d"e'],
    });
    expect(splitCommand('llama-server')).toEqual({ program: 'llama-server', args: [] });
  });
});

describe('installAdvice', () => {
  it.each(['linux', 'darwin', 'win32', 'freebsd'] as const)('says on %s what to do', (platform) => {
    expect(installAdvice('llama-server', platform)).toMatch(
      /^llama-server was not found\. Install .*SIM_SIDECAR_COMMAND/,
    );
  });

  it('names the model server that comes with Parley where nothing was set', () => {
    expect(installAdvice(null, 'linux')).toMatch(
      /^llama-server was not found\. Install the model server that comes with Parley .*SIM_SIDECAR_COMMAND/,
    );
  });
});
