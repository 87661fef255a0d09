import { readFile } from 'node:fs/promises';
import type { Difficulty, ScenarioContent } from '@parley/shared/contracts';
import { contentIn } from '../catalogue/compile-pack';
import { formatDemoTalk, playDemo, type DemoTalk } from './demo-talk';
import type { CommandOutput } from './command-output';
import type { ReadPack } from './read-packs';

/** A file of lines that cannot be used. */
export class NoLinesError extends Error {
  constructor(file: string, why: string) {
    super(`${file} ${why}: write what the player says, one line a row.`);
    this.name = 'NoLinesError';
  }
}

/** What the player says, one line a row; rows without words are left out. @throws NoLinesError */
export async function readLines(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) throw new NoLinesError(file, 'cannot be read');
  const lines = text.split(/\r?\n/).flatMap((line) => line.trim() || []);
  if (lines.length === 0) throw new NoLinesError(file, 'is empty');
  return lines;
}

export interface DemoOptions {
  readonly json: boolean;
  /** null: those of the pack's scripted playthroughs. */
  readonly lines: readonly string[] | null;
  /** null: that of the script, else the scenario's own. */
  readonly difficulty: Difficulty | null;
}

interface Play {
  readonly content: ScenarioContent;
  /** The file or script that the lines are from. */
  readonly from: string;
  readonly lines: readonly string[];
  readonly difficulty: Difficulty;
}

function playsOf({ validation }: ReadPack, options: DemoOptions): Play[] {
  if (validation === null || !validation.valid) return [];
  const contents = validation.scenarios.map(({ content }) => content);
  const { lines, difficulty } = options;
  if (lines !== null)
    return contents.map((content) => ({
      content,
      from: 'the given lines',
      lines,
      difficulty: difficulty ?? content.difficulty.default,
    }));
  return validation.pack.playthroughs.flatMap(({ content: script }) => {
    const scenario = validation.scenarios.find(({ content }) => content.scenario_id === script.scenario_id);
    if (scenario === undefined) return [];
    const content = contentIn(scenario, script.language);
    const scripted = script.turns.map((turn) => turn.player_input);
    const chosen = difficulty ?? script.difficulty ?? content.difficulty.default;
    return [{ content, from: script.fixture_id, lines: scripted, difficulty: chosen }];
  });
}

/** How much of an author's `demo` these talks used. */
function usage(content: ScenarioContent, talks: readonly DemoTalk[]): string {
  const said = new Set(talks.flatMap(({ turns }) => turns.map((turn) => turn.demo_line)));
  const never = content.demo.flatMap((_line, index) => (said.has(index) ? [] : [index]));
  const canned = talks.flatMap(({ turns }) => turns).filter((turn) => turn.demo_line === null).length;
  const unsaid = never.length === 0 ? '' : ` Not said in these talks: ${never.map((at) => `demo[${at}]`).join(', ')}.`;
  return `${content.scenario_id}: ${content.demo.length - never.length} of ${content.demo.length} demo lines were said; ${canned} answers were not from demo.${unsaid}\n`;
}

/**
 * Plays scripts or given lines with the demo voice and prints the talks.
 * @returns whether every pack could be played.
 */
export function demoCommand(packs: readonly ReadPack[], output: CommandOutput, options: DemoOptions): boolean {
  const played = packs.flatMap((pack) => {
    const plays = playsOf(pack, options);
    const why =
      pack.validation?.valid === true
        ? 'has no scripts in tests/; name a file with --lines'
        : 'has errors: lint it first';
    if (plays.length === 0) output.stderr(`${pack.prefix === '' ? 'The pack' : pack.prefix} ${why}.\n`);
    return plays.map((play) => ({ play, talk: playDemo(play.content, play.difficulty, play.lines) }));
  });
  if (options.json) {
    const talks = played.map(({ play, talk }) => ({ from: play.from, ...talk }));
    output.stdout(`${JSON.stringify({ talks }, null, 2)}\n`);
  } else
    for (const { play, talk } of played)
      output.stdout(`## ${talk.scenario_id}, ${talk.difficulty}: ${play.from}\n\n${formatDemoTalk(talk)}\n`);
  for (const content of new Set(played.map(({ play }) => play.content)))
    output.stderr(
      usage(
        content,
        played.filter(({ play }) => play.content === content).map(({ talk }) => talk),
      ),
    );
  return packs.every((pack) => pack.validation?.valid === true) && played.length > 0;
}
