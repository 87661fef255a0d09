import { parseArgs } from 'node:util';
import { soak } from './soak';

const USAGE = 'npm run soak [-- --minutes N] [--seed N]';

/** Exit code 1 when something did not hold, 2 for words that it does not know. */
async function main(words: readonly string[]): Promise<number> {
  let values: { minutes?: string; seed?: string };
  try {
    ({ values } = parseArgs({ args: [...words], options: { minutes: { type: 'string' }, seed: { type: 'string' } } }));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${USAGE}\n`);
    return 2;
  }
  const minutes = Number(values.minutes ?? 20);
  const seed = Number(values.seed ?? 20_261_122);
  if (!(minutes > 0) || !Number.isInteger(seed)) {
    process.stderr.write(`--minutes must be a number above 0, --seed a whole number\n${USAGE}\n`);
    return 2;
  }
  process.stderr.write(`soaking for ${minutes} minutes with seed ${seed} …\n`);
  const { summary, failures } = await soak({ minutes, seed, say: (line) => void process.stderr.write(`${line}\n`) });
  process.stdout.write(`${summary.join('\n')}\n`);
  for (const failure of failures) process.stdout.write(`FAILED ${failure}\n`);
  process.stdout.write(failures.length === 0 ? 'held\n' : `${failures.length} did not hold\n`);
  return failures.length === 0 ? 0 : 1;
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
