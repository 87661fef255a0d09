import type { Debrief, SessionExport, Turn } from '@parley/shared/contracts';

/** Text of people and packs stays text: nothing in it becomes a heading, a link or HTML. */
const escaped = (text: string): string =>
  text
    .replace(/[\\`*_{}[\]<>#|~&]/g, (char) => `\\${char}`)
    .replace(/^([^\S\r\n\u2028\u2029]*)([-+=])/gm, '$1\\$2') // list items, rules, and lines that make a heading of what is above
    .replace(/^([^\S\r\n\u2028\u2029]*\d+)([.)])(?=\s|$)/gm, '$1\\$2');

const paragraph = (text: string): string => escaped(text).replace(/\r?\n/g, '  \n');

function debriefLines(debrief: Debrief): string[] {
  const list = (items: readonly string[]): string[] => items.map((item) => `- ${escaped(item)}`);
  const section = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [`### ${title}`, '', ...lines, ''];
  return [
    '## Debrief',
    '',
    paragraph(debrief.summary),
    '',
    ...section('Next time', list(debrief.improvements)),
    ...section(
      'Retry',
      debrief.replay_suggestions.map((one) => `- Turn ${one.turn}: ${escaped(one.suggestion)}`),
    ),
    ...section('What worked', list(debrief.strengths)),
    ...section(
      'Where it turned',
      debrief.turning_points.map((one) => `- Turn ${one.turn}: ${escaped(one.description)}`),
    ),
    `### Scores: ${debrief.overall_score} of 100`,
    '',
    '| dimension | score | your own rating | evidence |',
    '| --- | --- | --- | --- |',
    ...debrief.dimensions.map((one) => {
      const score = one.observed ? String(one.score) : 'not observed';
      const turns = one.observations.map((seen) => `turn ${seen.turn} (${seen.delta > 0 ? '+' : ''}${seen.delta})`);
      return `| ${escaped(one.name)} | ${score} | ${one.self_rating ?? ''} | ${turns.join(', ')} |`;
    }),
    '',
  ];
}

function turnLines(turn: Turn, npcId: string): string[] {
  const who = turn.role === 'player' ? 'You' : escaped(npcId);
  const emotion = turn.emotion === null ? '' : ` *${escaped(turn.emotion)}*`;
  const which = (turn.variants ?? 1) > 1 ? ` (answer ${turn.variant} of ${turn.variants})` : '';
  return [
    `**${turn.index}. ${who}**${emotion}${which}`,
    '',
    turn.text === null ? '*(not kept)*' : paragraph(turn.text),
    '',
  ];
}

/** A session as Markdown for reading: what was said, by turn number, and the debrief. */
export function markdownOf(document: SessionExport): string {
  const { session, turns, variants, debrief } = document;
  const facts = [
    `Scenario: ${escaped(session.scenario_id)}`,
    `Started: ${session.started_at ?? 'not yet'}`,
    `Ended: ${session.ended_at === null ? 'not yet' : `${session.ended_at}, ${session.ending_type}`}`,
    `Difficulty: ${session.difficulty}`,
    `Turns: ${session.turn_count}`,
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
    ...(debrief === null ? [] : debriefLines(debrief)),
  ].join('\n');
}
