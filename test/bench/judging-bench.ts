import path from 'node:path';
import type { Difficulty, ScenarioContent } from '@parley/shared/contracts';
import { judgeLine, judgeTalk } from '@parley/shared/engine';
import { PROJECT_ROOT } from '../set/managed-process';
import { compiledPack } from '../set/compiled-pack';
import { ACTORS } from './judging/actors';
import { PLAYED_SCENARIOS, playsOf, type Play } from './judging/plays';
import { runPlay, type PlayResult } from './judging/run-play';
import { measurement, quantile, type Measurement } from './measurement';

const DIFFICULTY: Difficulty = 'standard';
/** Points by which the score of a play may differ between actors. */
const WITHIN = 3;

/** What a play of each kind must score at least and at most, whichever actor plays; null: it is not judged. */
const RANGES: Readonly<Record<Play['kind'], { readonly from: number; readonly to: number } | null>> = {
  skilled: { from: 85, to: 100 },
  incomplete: { from: 50, to: 80 },
  passive: { from: 0, to: 35 },
  hostile: { from: 0, to: 20 },
  stuffed: { from: 0, to: 40 },
  flattering: { from: 0, to: 40 },
  look_alike: { from: 0, to: 49 },
  nonsense: { from: 0, to: 40 },
  left: null,
};

export interface PlayedAll {
  readonly play: Play;
  readonly content: ScenarioContent;
  /** By actor. */
  readonly results: Readonly<Record<string, PlayResult>>;
}

/** Every play of the built-in packs with every actor. */
export async function playAll(): Promise<PlayedAll[]> {
  const all: PlayedAll[] = [];
  for (const pack of PLAYED_SCENARIOS) {
    const contents = new Map<string | undefined, ScenarioContent>();
    for (const play of playsOf(pack)) {
      const content =
        contents.get(play.language) ?? (await compiledPack(path.join(PROJECT_ROOT, 'packs', pack), play.language));
      contents.set(play.language, content);
      all.push({
        play,
        content,
        results: Object.fromEntries(
          Object.entries(ACTORS).map(([name, actor]) => [name, runPlay(content, DIFFICULTY, play, actor)]),
        ),
      });
    }
  }
  return all;
}

export const scoresOf = ({ results }: PlayedAll): number[] => Object.values(results).map(({ score }) => score);
export const spreadOf = (played: PlayedAll): number => Math.max(...scoresOf(played)) - Math.min(...scoresOf(played));

/** Whether every actor's score lies where the kind of the play says. */
export function isInRange(played: PlayedAll): boolean {
  const range = RANGES[played.play.kind];
  if (range === null) return Object.values(played.results).every(({ judged }) => !judged);
  return scoresOf(played).every((score) => score >= range.from && score <= range.to);
}

export interface MoveCounts {
  readonly right: number;
  readonly named: number;
  readonly labelled: number;
}

/** Moves that the signs found in the plays against those labelled by hand; the rest of a play after its end counts too. */
export function moveCounts(all: readonly PlayedAll[]): MoveCounts {
  let [right, named, labelled] = [0, 0, 0];
  for (const { play, content } of all) {
    const judged = judgeTalk(
      content,
      content.language,
      play.lines.flatMap(({ say }, at) => [
        { turn_index: 2 * at + 1, role: 'npc' as const, text: play.lines[at - 1]?.reply ?? content.opening.npc_says },
        { turn_index: 2 * at + 2, role: 'player' as const, text: say },
      ]),
    );
    for (const [at, { moves }] of play.lines.entries()) {
      const found = (judged[at]?.moves ?? []).map(({ id }) => id);
      right += found.filter((id) => moves.includes(id)).length;
      named += found.length;
      labelled += moves.length;
    }
  }
  return { right, named, labelled };
}

const pad = (text: string | number, width: number): string => String(text).padEnd(width);

/** The table for people: a row a play, a column an actor. */
export function table(all: readonly PlayedAll[]): string {
  const actors = Object.keys(ACTORS);
  const head = [pad('play', 42), ...actors.map((name) => pad(name, 22)), 'missed'].join('');
  const rows = all.map((played) => {
    const { play, results } = played;
    const cells = actors.map((name) => {
      const result = results[name];
      return pad(
        result === undefined ? '' : `${result.judged ? result.score : '--'} ${result.ending}/${result.lines}`,
        22,
      );
    });
    const mark = isInRange(played) && spreadOf(played) <= WITHIN ? ' ' : '!';
    const missed = results['fair']?.missed ?? [];
    return [mark, pad(`${play.scenario} ${play.id}`, 41), ...cells, missed.join(' ')].join('');
  });
  return [head, ...rows].join('\n');
}

/** Milliseconds that judging a line of 500 characters takes. */
function lineTimes(content: ScenarioContent): number[] {
  const sentence =
    "I'd like to go from 46,500 to 53,000, because since March I have done the claims as well. What limits you? ";
  const text = sentence.repeat(5).slice(0, 500);
  const context = {
    content,
    language: 'en',
    line: 1,
    turn: 2,
    lastNpcLine: 'There is a freeze on pay.',
    earlierLines: [],
  };
  for (let warm = 0; warm < 200; warm += 1) judgeLine(context, text);
  return Array.from({ length: 1_000 }, () => {
    const from = performance.now();
    judgeLine(context, text);
    return performance.now() - from;
  });
}

/**
 * Whether scores say what was said: every play of the built-in packs with a fair, a flattering and a sour actor. Prints the table
 * on stderr; the rows count plays (ours) of all plays, moves of those named or labelled, and times against their limits.
 */
export async function judgingBench(): Promise<Measurement[]> {
  const all = await playAll();
  process.stderr.write(`${table(all)}\n`);
  const counted = (holds: (played: PlayedAll) => boolean): number => all.filter(holds).length;
  const { right, named, labelled } = moveCounts(all);
  const [first] = all;
  const times = first === undefined ? [] : lineTimes(first.content);
  return [
    measurement(
      `judging: same score within ${WITHIN} points with each actor`,
      'plays',
      counted((one) => spreadOf(one) <= WITHIN),
      all.length,
      { kind: 'at_least', ratio: 1 },
    ),
    measurement('judging: score where the play belongs', 'plays', counted(isInRange), all.length, {
      kind: 'at_least',
      ratio: 1,
    }),
    measurement('judging: precision of moves', 'moves', right, named, { kind: 'at_least', ratio: 0.9 }),
    measurement('judging: recall of moves', 'moves', right, labelled, { kind: 'at_least', ratio: 0.85 }),
    measurement('judging: a line of 500 characters, median', 'ms', quantile(times, 0.5), 1, {
      kind: 'at_most',
      ratio: 1,
    }),
    measurement('judging: a line of 500 characters, p99', 'ms', quantile(times, 0.99), 3, {
      kind: 'at_most',
      ratio: 1,
    }),
  ];
}
