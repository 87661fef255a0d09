import { availableParallelism } from 'node:os';
import { readCommandLine, type ServerOptions } from './command-line';

/** The command line and the environment of this process. null: its help was asked for. @throws UsageError */
export const readOptions = (): ServerOptions | null => readCommandLine(process.argv.slice(2), process.env);

/** One core stays free for the rest: with all of them busy, a thread that waits for another makes all of them slow. */
export const threadsOf = ({ threads }: ServerOptions): number => threads ?? Math.max(1, availableParallelism() - 1);
