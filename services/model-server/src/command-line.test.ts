import { readCommandLine } from './command-line';

const read = (words: string, environment = {}): ReturnType<typeof readCommandLine> =>
  readCommandLine(words.split(' '), environment);

describe('the command line', () => {
  it('takes what the gateway gives to llama-server', () => {
    const words = '-m /m/a.gguf --host ::1 --port 8123 -c 12288 -t 3 -np 4 --spare 1';
    expect(read(words, { LLAMA_API_KEY: 'secret' })).toEqual({
      model: '/m/a.gguf',
      host: '::1',
      port: 8123,
      context: 12_288,
      threads: 3,
      slots: 4,
      spare: 1,
      key: 'secret',
    });
  });

  it('has defaults for everything but the model', () => {
    expect(read('--model a.gguf')).toEqual({
      model: 'a.gguf',
      host: '127.0.0.1',
      port: 7356,
      context: null,
      threads: null,
      slots: 2,
      spare: 0,
      key: null,
    });
  });

  it('knows when its help is wanted', () => {
    expect(read('-m a.gguf --help')).toBeNull();
  });

  it.each([
    ['-m a.gguf -ngl 99', '-ngl is not known; --help lists what is.'],
    ['-m a.gguf --constructor 1', '--constructor is not known; --help lists what is.'],
    ['-m a.gguf -c', '-c needs a value; --help says which.'],
    ['-m a.gguf -t many', '-t many cannot be used; give a whole number from 1 to 1024.'],
    [
      '-m a.gguf --host 0.0.0.0',
      '--host 0.0.0.0 cannot be used: this server answers its own machine only; use 127.0.0.1.',
    ],
    ['--port 1', 'Name the model to load: -m FILE.gguf.'],
  ])('refuses %s', (words, message) => {
    expect(() => read(words)).toThrow(message);
  });
});
