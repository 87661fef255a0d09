import { HELP, UsageError, type ServerOptions } from './command-line';
import { readOptions, threadsOf } from './config';
import { loadLlamaLibrary, loadTemplateLibrary } from './engine/llama-library';
import { LoadedModel } from './engine/loaded-model';
import { ModelServer } from './http/model-server';

const EXIT_USAGE = 2;
/** Longer than a piece of a prompt takes to be read; then the process ends as it is. */
const STOP_MS = 4_000;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function listen(options: ServerOptions): Promise<ModelServer> {
  try {
    return await ModelServer.listen(options);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw code === 'EADDRINUSE'
      ? new UsageError(`Port ${options.port} is taken by another program; stop that program or give another --port.`)
      : cause;
  }
}

async function run(options: ServerOptions): Promise<void> {
  const begun = performance.now();
  const server = await listen(options);
  say(`listening on ${options.host}:${server.port}, loading ${options.model}`);
  const loading = new AbortController();
  let model: LoadedModel | null = null;
  let isStopping = false;
  const stop = async (): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(0), STOP_MS).unref();
    loading.abort();
    await server.close();
    await model?.unload();
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop());
  process.on('SIGINT', () => void stop());
  try {
    const [library, templates] = await Promise.all([loadLlamaLibrary(), loadTemplateLibrary()]);
    model = await LoadedModel.load(library, templates, {
      file: options.model,
      context: options.context,
      slots: options.slots,
      spare: options.spare,
      threads: threadsOf(options),
      signal: loading.signal,
      log: (line) => process.stderr.write(`${line}\n`),
    });
  } catch (error) {
    if (isStopping) return;
    throw error;
  }
  server.serve(model);
  say(
    `ready after ${Math.round(performance.now() - begun)} ms: ${options.slots} slots of ${model.slotTokens} tokens, ${threadsOf(options)} threads`,
  );
}

async function main(): Promise<void> {
  const options = readOptions();
  if (options === null) return say(HELP);
  await run(options);
}

main().catch((error: unknown) => {
  const isUsage = error instanceof UsageError;
  process.stderr.write(isUsage ? `${error.message}\n` : `The model could not be loaded: ${(error as Error).message}\n`);
  process.exit(isUsage ? EXIT_USAGE : 1);
});
