import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { ProcessExit } from './guarded-process';
import type { SidecarSettings } from './sidecar-settings';

const HELP_MS = 20_000;
/** Smallest stretch of a prompt, in tokens, that is reused from the cache although it has moved. */
const CACHE_REUSE_TOKENS = 64;
/** Tokens that the server reads of a prompt at once: a cancelled request holds its slot until such a batch is done. */
const BATCH_TOKENS = 512;

/**
 * A command line in its parts: an existing file as it is, else split at spaces, with quotes around what holds some, also in
 * the middle of a part, as in `--chat-template-file="my templates/x"`.
 */
export function splitCommand(command: string): { program: string; args: string[] } {
  if (existsSync(command)) return { program: command, args: [] };
  const parts = [...command.matchAll(/(?:"[^"]*"|'[^']*'|\S)+/g)].map(([part]) =>
    part.replace(/"([^"]*)"|'([^']*)'/g, (_all, double?: string, single?: string) => double ?? single ?? ''),
  );
  return { program: parts[0] ?? command, args: parts.slice(1) };
}

/**
 * What a binary's own help says of its flags. A program that is not there throws ENOENT; one that knows no --help, or
 * exits with an error after it, still has its output read.
 */
export function readHelp(command: string): Promise<string> {
  const { program, args } = splitCommand(command);
  return new Promise((resolve, reject) => {
    execFile(
      program,
      [...args, '--help'],
      { timeout: HELP_MS, maxBuffer: 4 * 1024 * 1024, windowsHide: true },
      (error, stdout, stderr) => {
        const isMissing = error !== null && ['ENOENT', 'EACCES'].includes(String(error.code));
        if (isMissing) reject(error);
        else resolve(`${stdout}\n${stderr}`);
      },
    );
  });
}

/** The flags that a help text names. */
export function knownFlags(help: string): ReadonlySet<string> {
  return new Set([...help.matchAll(/(?:^|[\s,|[(])(--?[A-Za-z][\w-]*)/gm)].map((match) => match[1] ?? ''));
}

/** Length of a talk, in tokens, where none is set: a talk of 14 turns fits twice over, and the memory stays small. */
const TALK_TOKENS = 8_192;
/** The server's own cache of prompts grows to 8 GiB unless it is told: at most this much, and an eighth of what is free. */
const MOST_CACHE_MIB = 2_048;
const CACHE_SHARE = 8;
const MIB = 1024 * 1024;

/** What the machine has to give. */
interface Machine {
  readonly cores: number;
  readonly free_bytes: number;
}

export interface SidecarStart {
  /** Path of the model's file; null: the command names it, or the server chooses. */
  readonly modelPath: string | null;
  /** Random; asked for with every call but the health probe. */
  readonly key: string;
  /** Tokens that the model was made for; null where its file does not say. */
  readonly trained_context: number | null;
  /** Talks beside those that are answered at once whose cache memory has room for. */
  readonly spare_talks: number;
  readonly machine: Machine;
}

export interface SidecarArguments {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** The key that the server will ask for; null when it knows none. */
  readonly key: string | null;
}

/**
 * The context of all slots together, in tokens: the server divides it by them. Without the flag it takes the model's whole
 * trained context for each slot, which can be gigabytes.
 */
export function contextOfAllSlots({ context_length: set, parallel }: SidecarSettings, trained: number | null): number {
  return (set ?? Math.min(TALK_TOKENS, trained ?? TALK_TOKENS)) * parallel;
}

/** One core stays free for the rest: with all of them busy, a thread that waits for another makes all of them slow. */
const threadsFor = ({ cores }: Machine): number => Math.max(1, cores - 1);

/**
 * The arguments of the model server: bound to this machine, its own key, pages of other origins shut out, and what the
 * environment sets. A flag that the binary's help does not name is left out, but for address, port and model, without which
 * it would be useless. The key goes through the environment where the binary reads it there: arguments can be seen by
 * every user of the machine.
 */
export function sidecarArguments(settings: SidecarSettings, help: string, start: SidecarStart): SidecarArguments {
  const flags = knownFlags(help);
  const firstKnown = (names: readonly string[]): string | undefined => names.find((name) => flags.has(name));
  const optional = (names: readonly string[], value: string | number | null): string[] => {
    const name = value === null ? undefined : firstKnown(names);
    return name === undefined ? [] : [name, String(value)];
  };
  const keyByEnvironment = help.includes('LLAMA_API_KEY');
  const keyByFlag = !keyByEnvironment && flags.has('--api-key');
  return {
    args: [
      ...(start.modelPath === null ? [] : ['-m', start.modelPath]),
      '--host',
      settings.host,
      '--port',
      String(settings.port),
      ...optional(['-c', '--ctx-size'], contextOfAllSlots(settings, start.trained_context)),
      ...optional(['-t', '--threads'], settings.threads ?? threadsFor(start.machine)),
      ...optional(['-ngl', '--gpu-layers', '--n-gpu-layers'], settings.gpu_layers),
      ...optional(['-np', '--parallel'], settings.parallel),
      // Of the one that comes with Parley; llama.cpp's keeps further talks in --cache-ram.
      ...optional(['--spare'], start.spare_talks > 0 ? start.spare_talks : null),
      ...optional(['--cache-reuse'], CACHE_REUSE_TOKENS),
      ...optional(['--cache-ram'], Math.min(MOST_CACHE_MIB, Math.floor(start.machine.free_bytes / CACHE_SHARE / MIB))),
      ...optional(['-b', '--batch-size'], BATCH_TOKENS),
      ...optional(['--cors-origins'], 'localhost'),
      ...(firstKnown(['--offline']) === undefined ? [] : ['--offline']),
      ...(firstKnown(['--no-webui']) === undefined ? [] : ['--no-webui']),
      ...(keyByFlag ? ['--api-key', start.key] : []),
    ],
    environment: keyByEnvironment ? { LLAMA_API_KEY: start.key } : {},
    key: keyByEnvironment || keyByFlag ? start.key : null,
  };
}

/** How to get the model server on this system. @param command The one that was set and is not there; null: none was set. */
export function installAdvice(command: string | null, platform: NodeJS.Platform): string {
  const how: Partial<Record<NodeJS.Platform, string>> = {
    darwin: 'nstall it with "brew install llama.cpp"',
    win32: 'nstall it with "winget install llama.cpp"',
    linux: 'nstall llama.cpp with your package manager or from a release of the project',
  };
  const advice = `${how[platform] ?? 'nstall llama.cpp'}, or set SIM_SIDECAR_COMMAND to where it is.`;
  return command === null
    ? `llama-server was not found. Install the model server that comes with Parley on the page "Connect a model", or i${advice}`
    : `${splitCommand(command).program} was not found. I${advice}`;
}

/** What it means that the model server ended before it was ready. */
export function endedTooSoon(exit: ProcessExit): string {
  const how = exit.signal === null ? `with code ${exit.code ?? 'unknown'}` : `by ${exit.signal}`;
  return `It ended ${how} before it was ready; its log says why. Often the model does not fit into memory: choose a smaller one.`;
}
