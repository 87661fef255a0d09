import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { PROJECT_ROOT } from '../../set/managed-process';

const PlayedLine = z.strictObject({
  say: z.string(),
  /** Moves that the line makes, labelled by hand. */
  moves: z.array(z.string()),
  /** Flags that the line raises, labelled by hand. */
  flags: z.array(z.string()).default([]),
  /** What the character says after it. */
  reply: z.string().default('I see.'),
});

export const PLAY_KINDS = [
  'skilled',
  'incomplete',
  'passive',
  'hostile',
  'stuffed',
  'flattering',
  'look_alike',
  'nonsense',
  'left',
] as const;

const Play = z.strictObject({
  id: z.string(),
  kind: z.enum(PLAY_KINDS),
  /** Another language of the pack than its first. */
  language: z.string().optional(),
  lines: z.array(PlayedLine),
});
const PlayFile = z.strictObject({ scenario: z.string(), plays: z.array(Play) });

export type PlayedLine = z.infer<typeof PlayedLine>;
export type Play = z.infer<typeof Play> & { readonly scenario: string };

const FOLDER = path.join(PROJECT_ROOT, 'test', 'bench', 'judging', 'plays');
/** Those in `strangers` are by somebody who had read only what a player sees. */
const FOLDERS = [FOLDER, path.join(FOLDER, 'strangers')];

/** The built-in scenarios that have scripted plays, in the order of the alphabet. */
export const PLAYED_SCENARIOS: readonly string[] = [
  ...new Set(
    FOLDERS.flatMap((folder) => readdirSync(folder))
      .filter((name) => name.endsWith('.yaml'))
      .map((name) => path.basename(name, '.yaml')),
  ),
].sort();

/** The scripted plays of a built-in scenario. */
export function playsOf(scenario: string): Play[] {
  return FOLDERS.map((folder) => path.join(folder, `${scenario}.yaml`))
    .filter((file) => existsSync(file))
    .flatMap((file) => PlayFile.parse(parse(readFileSync(file, 'utf8'))).plays)
    .map((play) => ({ ...play, scenario }));
}
