import type { LineJudgement, ScenarioContent } from '@parley/shared/contracts';
import { EARLIER_LINES, judgeLine } from './judge-line';

/** A stored turn as far as judging reads it. */
export interface SpokenLine {
  readonly turn_index: number;
  readonly role: 'player' | 'npc';
  /** null when it is not kept. */
  readonly text: string | null;
}

/**
 * Judges every line of a talk again from its text: what rescoring does. Lines whose text is not kept are left out.
 * @param turns oldest first.
 */
export function judgeTalk(content: ScenarioContent, language: string, turns: readonly SpokenLine[]): LineJudgement[] {
  const judgements: LineJudgement[] = [];
  const earlierLines: string[] = [];
  let lastNpcLine: string | null = null;
  let line = 0;
  for (const { role, text, turn_index: turn } of turns) {
    if (role === 'npc') {
      lastNpcLine = text;
      continue;
    }
    line += 1;
    if (text === null) continue;
    judgements.push(
      judgeLine({ content, language, line, turn, lastNpcLine, earlierLines: earlierLines.slice(-EARLIER_LINES) }, text),
    );
    earlierLines.push(text);
  }
  return judgements;
}
