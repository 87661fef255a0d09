import { parseArgs } from 'node:util';
import { people } from './people';

const USAGE = 'npm run people [-- --people N] [--minutes N] [--pause SECONDS]';
const NUMBER = { type: 'string' } as const;

/** Exit code 1 when somebody was not answered, 2 for words that it does not know. */
async function main(words: readonly string[]): Promise<number> {
  let values: { people?: string; minutes?: string; pause?: string };
  try {
    ({ values } = parseArgs({ args: [...words], options: { people: NUMBER, minutes: NUMBER, pause: NUMBER } }));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${USAGE}\n`);
    return 2;
  }
  const [count = 0, minutes = 0, pause = 0] = [values.people ?? 500, values.minutes ?? 10, values.pause ?? 30].map(
    Number,
  );
  if (!Number.isInteger(count) || !(count > 0 && minutes > 0 && pause > 0)) {
    process.stderr.write(`All three must be numbers above 0.\n${USAGE}\n`);
    return 2;
  }
  process.stderr.write(`${count} people talk for ${minutes} minutes on two session-apis …\n`);
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  const { turns, later, memory, errors } = await people({ people: count, minutes, pause, say });
  process.stdout.write(`${turns} turns, ${Math.round(turns / minutes / 60)} a second\n`);
  process.stdout.write(`later than alone: median ${later.median.toFixed(1)} ms, p99 ${later.p99.toFixed(1)} ms\n`);
  process.stdout.write(`memory of both session-apis: ${memory.map((pair) => pair.join(' and ')).join(', ')} MB\n`);
  for (const error of new Set(errors)) process.stdout.write(`ERROR ${error}\n`);
  process.stdout.write(`${errors.length} errors\n`);
  return errors.length === 0 ? 0 : 1;
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = 1;
  },
);
