import { Command, CommanderError, Option } from 'commander';
import { DIFFICULTIES, type Difficulty, type Finding } from '@parley/shared/contracts';
import type { PackChildOptions } from '../import/installing/run-pack-child';
import type { EndingReach } from '../lint/lint-pack';
import { buildPack } from './build-command';
import type { CommandOutput } from './command-output';
import { FORMATS, formatFindings, type Format, type PackReport } from './format-findings';
import { DEFAULT_URL, installPack } from './install-command';
import { migratePack } from './migrate-command';
import { newPack } from './new-command';
import type { GivenAnswers, Terminal } from './pack-answers';
import { NoPackError, packsAt, readPack, readPacks, type ReadPack } from './read-packs';
import { devPack } from './dev-command';
import { playAll, tellPlaythrough } from './play-all';
import { plural } from './plural';
import { ruleAddress } from './rule-address';
import type { PlaythroughResult } from './run-playthrough';
import { demoCommand, NoLinesError, readLines } from './demo-command';
import { UsageError } from './usage-error';

interface GivenOptions {
  readonly format: Format;
  readonly json?: boolean;
  readonly strict?: boolean;
  readonly demo?: boolean;
  readonly lines?: string;
  readonly rulesUrl?: string;
  readonly difficulty?: Difficulty;
}

/** Exit codes of all pack commands. */
const EXIT = { clean: 0, errors: 1, usage: 2 } as const;

const countOf = (findings: readonly Finding[], severity: Finding['severity']): number =>
  findings.filter((one) => one.severity === severity).length;

const isValid = ({ validation, findings }: ReadPack): boolean =>
  validation !== null && countOf(findings, 'error') === 0;

const reportOf = (pack: ReadPack, findings: readonly Finding[], extra: Record<string, unknown>): PackReport => ({
  prefix: pack.prefix,
  valid: isValid(pack),
  findings,
  extra,
});

/** What lint tells of a pack; of many packs the contents are not kept. */
interface LintedPack {
  readonly prefix: string;
  readonly valid: boolean;
  readonly findings: readonly Finding[];
  readonly endings: readonly EndingReach[];
}

function tellEndings(pack: LintedPack, output: CommandOutput): void {
  for (const { scenario_id: scenario, ending, difficulty, turns } of pack.endings)
    output.stderr(
      `${scenario}: ${ending} (${difficulty}) ${turns === null ? 'cannot be reached' : `after ${plural(turns, 'turn')} at the earliest`}\n`,
    );
}

/** What a command makes of its findings. */
interface Telling {
  readonly format: Format;
  readonly strict: boolean;
  /** Where the page of rules is published; undefined: that of this install. */
  readonly rulesAt: string | undefined;
}

/** Where the rules that were broken are explained: said once, below the findings. */
function tellRules(findings: readonly Finding[], { format, rulesAt }: Telling, output: CommandOutput): void {
  const [first] = findings;
  if (first !== undefined && format === 'text')
    output.stderr(`What each rule means: ${ruleAddress(first.rule, rulesAt)}\n`);
}

function lint(packs: readonly LintedPack[], telling: Telling, output: CommandOutput): number {
  const { format } = telling;
  const reports = packs.map(({ prefix, valid, findings, endings }) => ({
    prefix,
    valid,
    findings,
    extra: { endings },
  }));
  output.stdout(formatFindings(reports, format, telling.rulesAt));
  if (format === 'text') for (const pack of packs) tellEndings(pack, output);
  const all = packs.flatMap((pack) => pack.findings);
  tellRules(all, telling, output);
  const errors = countOf(all, 'error');
  output.stderr(
    `${plural(packs.length, 'pack')}: ${plural(errors, 'error')}, ${plural(countOf(all, 'warning'), 'warning')}.\n`,
  );
  return errors > 0 ? EXIT.errors : EXIT.clean;
}

function test(packs: readonly ReadPack[], telling: Telling, output: CommandOutput): number {
  const { format, strict } = telling;
  const results = packs.map((pack) => ({ pack, runs: playAll(pack) }));
  const reports = results.map(({ pack, runs }) =>
    reportOf(
      pack,
      [...pack.findings.filter((one) => one.severity === 'error'), ...runs.flatMap((run) => run.findings)],
      {
        playthroughs: runs.map(({ findings: _findings, ...run }) => run),
      },
    ),
  );
  output.stdout(formatFindings(reports, format, telling.rulesAt));
  const runs = results.flatMap((one) => one.runs);
  if (format === 'text' || format === 'github') for (const run of runs) tellPlaythrough(run, output);
  const count = (result: PlaythroughResult['result']): number => runs.filter((run) => run.result === result).length;
  output.stderr(
    `${plural(runs.length, 'playthrough')}: ${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped.\n`,
  );
  const refused = strict && count('skipped') > 0;
  if (refused) output.stderr('--strict: a skipped playthrough is an error.\n');
  return refused || reports.some((report) => report.findings.length > 0) ? EXIT.errors : EXIT.clean;
}

/**
 * Runs a pack command.
 * @param argv what stands after the name of the program.
 * @param stop ends a command that watches; null: an interrupt from the keyboard does.
 * @returns the exit code: 0 clean or warnings only, 1 errors, 2 usage.
 */
export async function packsCommand(
  argv: readonly string[],
  output: CommandOutput,
  unpack: PackChildOptions = {},
  terminal: Terminal | null = null,
  stop: AbortSignal | null = null,
): Promise<number> {
  let exit: number = EXIT.clean;
  const program = new Command('packs')
    .description('Makes, checks, plays and shares packs of scenarios.')
    .exitOverride()
    .configureOutput({ writeOut: (text) => output.stdout(text), writeErr: (text) => output.stderr(text) });
  const command = (
    name: string,
    description: string,
    run: (paths: readonly string[], telling: Telling, options: GivenOptions) => Promise<number>,
  ): Command =>
    program
      .command(name)
      .description(description)
      .argument('<paths...>', 'folders of packs, or zips')
      .addOption(new Option('-f, --format <format>', 'form of the findings').choices(FORMATS).default('text'))
      .option('--json', 'the same as --format json')
      .option('--rules-url <address>', 'where the page of rules is published, for reports that are read elsewhere')
      .action(async (paths: string[], options: GivenOptions) => {
        const format = options.json === true ? 'json' : options.format;
        exit = await run(paths, { format, strict: options.strict === true, rulesAt: options.rulesUrl }, options);
      });
  const lintAt = async (paths: readonly string[], telling: Telling): Promise<number> => {
    const packs = await Promise.all(paths.map(packsAt));
    const linted: LintedPack[] = [];
    for (const given of packs.flat()) {
      const pack = await readPack(given, unpack);
      const { prefix, findings, validation } = pack;
      linted.push({ prefix, valid: isValid(pack), findings, endings: validation?.endings ?? [] });
    }
    return lint(linted, telling, output);
  };
  const testAt = async (paths: readonly string[], telling: Telling, options: GivenOptions): Promise<number> => {
    const packs: ReadPack[] = [];
    for (const given of paths) packs.push(...(await readPacks(given, unpack)));
    if (options.demo !== true) return test(packs, telling, output);
    const lines = options.lines === undefined ? null : await readLines(options.lines);
    const { json = false, difficulty = null } = options;
    return demoCommand(packs, output, { json, lines, difficulty }) ? EXIT.clean : EXIT.errors;
  };
  program
    .command('new')
    .description('Writes a new pack out of three answers; asks for those that are not given.')
    .argument('[folder]', 'where it goes; named after the talk when left out')
    .option('--who <person>', 'whom the talk is with, as "Marta, my team lead"')
    .option('--want <wish>', 'what the player wants from them')
    .option('--need <need>', 'what the other fears or needs')
    .option('--title <title>', 'name of the scenario')
    .option('--id <pack_id>', 'id of the pack')
    .option('--author <name>', 'who wrote it')
    .option('--language <code>', 'en or de: the language of the answers and of the talk')
    .action(async (folder: string | undefined, { id, ...given }: GivenAnswers & { id?: string }) => {
      await newPack(folder, id === undefined ? given : { ...given, pack_id: id }, output, terminal);
    });
  program
    .command('build')
    .description('Makes the zip of a pack, to be shared. The same files make the same bytes.')
    .argument('<folder>', 'folder of the pack')
    .option('-o, --out <file>', 'the zip; named after the pack and its version when left out')
    .action(async (folder: string, { out }: { out?: string }) => {
      exit = (await buildPack(folder, out, output)) ? EXIT.clean : EXIT.errors;
    });
  program
    .command('install')
    .description('Puts a pack into the Parley that runs here, in the place of a lower version of itself.')
    .argument('<path>', 'folder of the pack, or a zip')
    .option('--url <address>', 'where Parley answers', DEFAULT_URL)
    .action(async (given: string, { url }: { url: string }) => {
      const pack = await installPack(given, url, output);
      if (pack !== null)
        output.stderr(`${pack.name} ${pack.version} is installed. Open Parley and choose it in the library.\n`);
      exit = pack === null ? EXIT.errors : EXIT.clean;
    });
  program
    .command('dev')
    .description('Watches the folder of a pack: what is saved is checked, installed and played through at once.')
    .argument('<folder>', 'folder of the pack')
    .option('--url <address>', 'where Parley answers', DEFAULT_URL)
    .action(async (folder: string, { url }: { url: string }) => {
      exit = (await devPack(folder, url, output, stop)) ? EXIT.clean : EXIT.errors;
    });
  program
    .command('migrate')
    .description('Turns a pack of format 0.1 into 0.2: shows what changes and asks before it is written.')
    .argument('<folder>', 'folder of the pack')
    .option('--write', 'write without asking')
    .action(async (folder: string, { write = false }: { write?: boolean }) => {
      exit = (await migratePack(folder, write, output, terminal)) ? EXIT.clean : EXIT.errors;
    });
  command('lint', 'Validates packs and proves what can be proved without a model.', lintAt);
  command('test', 'Plays the scripted playthroughs of packs with the engine.', testAt)
    .option('--strict', 'exit with 1 when a playthrough was skipped')
    .option('--demo', 'play them with the demo voice instead, and print what was said and which line answered why')
    .option('--lines <file>', 'with --demo: play the lines of this file instead, one a row')
    .addOption(new Option('--difficulty <preset>', 'with --demo: play at this difficulty').choices(DIFFICULTIES));
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return exit;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.clean : EXIT.usage;
    if ([NoPackError, NoLinesError, UsageError].some((kind) => error instanceof kind)) {
      output.stderr(`${(error as Error).message}\n`);
      return EXIT.usage;
    }
    throw error;
  }
}
