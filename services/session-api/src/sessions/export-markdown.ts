import type { Debrief, SessionExport, Turn } from '@parley/shared/contracts';
import { capitalised, lineName, withLines } from './line-names';

/** Text of people and packs stays text: nothing in it becomes a heading, a link or HTML. */
const escaped = (text: string): string =>
  text
    .replace(/[\\`*_{}[\]<>#|~&]/g, (char) => `\\${char}`)
    .replace(/^([^\S\r\n\u2028\u2029]*)([-+=])/gm, '$1\\$2') // list items, rules, and lines that make a heading of what is above
    .replace(/^([^\S\r\n\u2028\u2029]*\d+)([.)])(?=\s|$)/gm, '$1\\$2');

const paragraph = (text: string): string => escaped(text).replace(/\r?\n/g, '  \n');

function debriefLines(debrief: Debrief, lastTurn: number): string[] {
  const told = (text: string): string => withLines(text, lastTurn);
  const list = (items: readonly string[]): string[] => items.map((item) => `- ${escaped(told(item))}`);
  const section = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [`### ${title}`, '', ...lines, ''];
  return [
    '## Debrief',
    '',
    paragraph(told(debrief.summary)),
    '',
    ...section(
      'What came of it',
      (debrief.outcome ?? []).map(({ text, line, said }) => {
        const where = line === null ? '' : ` Your line ${line}${said === null ? '.' : `: “${escaped(said)}”`}`;
        return `- ${escaped(text)}${where}`;
      }),
    ),
    ...section('Next time', list(debrief.improvements)),
    ...section(
      'Retry',
      debrief.replay_suggestions.map((one) => `- ${capitalised(lineName(one.turn))}: ${escaped(told(one.suggestion))}`),
    ),
    ...section('What worked', list(debrief.strengths)),
    ...section(
      'Turning points',
      debrief.turning_points.map((one) => `- ${capitalised(lineName(one.turn))}: ${escaped(told(one.description))}`),
    ),
    `### Scores: ${debrief.overall_score} of 100`,
    '',
    '| dimension | score | your own rating | evidence |',
    '| --- | --- | --- | --- |',
    ...debrief.dimensions.map((one) => {
      const score = one.observed ? String(one.score) : 'not observed';
      const lines = one.observations.map(
        (seen) => `${lineName(seen.turn)} (${seen.delta > 0 ? '+' : ''}${seen.delta})`,
      );
      return `| ${escaped(one.name)} | ${score} | ${one.self_rating ?? ''} | ${lines.join(', ')} |`;
    }),
    '',
  ];
}

function turnLines(turn: Turn, npcId: string): string[] {
  const who = turn.role === 'player' ? `${turn.index >> 1}. You` : escaped(npcId);
  const emotion = turn.emotion === null ? '' : ` *${escaped(turn.emotion)}*`;
  const which = (turn.variants ?? 1) > 1 ? ` (answer ${turn.variant} of ${turn.variants})` : '';
  return [`**${who}**${emotion}${which}`, '', turn.text === null ? '*(not kept)*' : paragraph(turn.text), ''];
}

/** A session as Markdown for reading: what was said, with the player's lines counted from 1, and the debrief. */
export function markdownOf(document: SessionExport): string {
  const { session, turns, variants, debrief } = document;
  const facts = [
    `Scenario: ${escaped(session.scenario_id)}`,
    `Started: ${session.started_at ?? 'not yet'}`,
    `Ended: ${session.ended_at === null ? 'not yet' : `${session.ended_at}, ${session.ending_type}`}`,
    `Difficulty: ${session.difficulty}`,
    `Your lines: ${session.player_turn_count}`,
    ...(session.demo === true ? ['Demo: the character spoke prepared lines; no model was asked.'] : []),
  ];
  return [
    `# ${escaped(session.scenario_title)}`,
    '',
    ...facts.map((fact) => `- ${fact}`),
    '',
    '## Transcript',
    '',
    ...turns.flatMap((turn) => turnLines(turn, session.npc_id)),
    ...(variants.length === 0 ? [] : ['## Answers that were put aside', '']),
    ...variants.flatMap((turn) => turnLines(turn, session.npc_id)),
    ...(debrief === null ? [] : debriefLines(debrief, session.turn_count)),
  ].join('\n');
}
