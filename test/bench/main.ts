import type { BenchOptions } from './bench-options';
import { growthBench } from './growth-bench';
import { hopBench } from './hop-bench';
import { judgedTurnsBench } from './judged-turns';
import { judgingBench } from './judging-bench';
import { memoryBench } from './memory-bench';
import { reached, type Measurement } from './measurement';
import { safetyBench } from './safety-bench';
import { signsBench } from './signs-bench';
import { prewarmBench } from './prewarm-bench';
import { packsBench } from './packs-bench';
import { promptBench } from './prompt-bench';
import { startBench } from './start-bench';
import { streamingBench } from './streaming-bench';
import { throughputBench } from './throughput-bench';
import { turnBench } from './turn-bench';

const BENCHES: Readonly<Record<string, (options: BenchOptions) => Promise<Measurement[]>>> = {
  turn: async (options) => [...(await turnBench()), ...(await judgedTurnsBench(options))],
  throughput: throughputBench,
  streaming: streamingBench,
  growth: growthBench,
  prompt: promptBench,
  prewarm: prewarmBench,
  memory: memoryBench,
  start: startBench,
  hop: hopBench,
  safety: safetyBench,
  judging: judgingBench,
  signs: signsBench,
  packs: packsBench,
};

const number = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));

/** `npm run bench [-- NAME…] [--quick] [--json]`: ratios against a baseline of the same run. Exit code 1 when a goal is missed, 2 on a wrong name. */
async function main(words: readonly string[]): Promise<number> {
  const asJson = words.includes('--json');
  const options = { quick: words.includes('--quick') };
  const names = words.filter((word) => !word.startsWith('--'));
  const unknown = names.filter((name) => !Object.hasOwn(BENCHES, name));
  if (unknown.length > 0) {
    process.stderr.write(`No bench is called ${unknown.join(', ')}; there are ${Object.keys(BENCHES).join(', ')}.\n`);
    return 2;
  }
  const rows: Measurement[] = [];
  for (const [name, bench] of Object.entries(BENCHES)) {
    if (names.length > 0 && !names.includes(name)) continue;
    process.stderr.write(`measuring ${name} …\n`);
    for (const row of await bench(options)) {
      rows.push(row);
      if (asJson) continue;
      const goal = row.goal === null ? '' : ` (goal ${row.goal.kind === 'at_most' ? '≤' : '≥'} ${row.goal.ratio}×)`;
      const mark = reached(row) ? '' : '  MISSED';
      process.stdout.write(
        `${row.name}: ${number(row.ours)} ${row.unit} against ${number(row.baseline)} ${row.unit} = ${row.ratio.toFixed(2)}×${goal}${mark}\n`,
      );
    }
  }
  if (asJson) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
  return rows.every(reached) ? 0 : 1;
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
