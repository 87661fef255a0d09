import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { EndingType, ScenarioContent } from '@parley/shared/contracts';
import { scenarioFixture } from '../../testing/scenario-fixture';
import { buildDebriefPrompt } from '../debrief/debrief-prompt';
import { fallbackNarrative } from '../debrief/fallback-narrative';
import { delta, npcTurn } from '../../testing/engine/finished-talk';
import { scoreSession, type ScoredObservation } from '../debrief/scoring';
import { turningPoints } from '../debrief/turning-points';
import type { StoredEventLike } from '../engine-state';

/** Four dimensions with names of all kinds, and moves of which some are made. */
function wideScenario(): ScenarioContent {
  const base = scenarioFixture();
  const [first] = base.rubric.dimensions;
  const dimension = (id: string, name: string, high: string) => ({
    ...first!,
    id,
    name,
    scoring: { ...first!.scoring, high },
    moves: ['a', 'b'],
    sources: ['S1', 'S2'],
  });
  return {
    ...base,
    goals: { ...base.goals, player_visible: ['Agree on a date.', 'Keep her.'] },
    rubric: {
      ...base.rubric,
      dimensions: [
        dimension('clarity', 'Clarity', 'Says it. Then stops '),
        dimension('batna', 'BATNA', 'Knows the way out!'),
        dimension('warmth', 'Warmth', 'Is kind… ?'),
        dimension('pace', 'Pace of Talk', 'Waits'),
        dimension('unseen', 'Never seen', 'Shows it'),
      ],
    },
  };
}

const content = wideScenario();
const turns = Array.from({ length: 21 }, (_, index) => ({
  index: index + 1,
  role: index % 2 === 0 ? ('npc' as const) : ('player' as const),
  text: `words ${index + 1} ${'and so on '.repeat(30)}`,
}));
const seen = (turn: number, dimension: string, change: number, note: string | null = null): ScoredObservation => ({
  turn,
  dimension,
  delta: change,
  note,
});
const observations = [
  seen(2, 'clarity', 2, 'early'),
  seen(4, 'clarity', 6, 'Said it. Plainly...'),
  seen(6, 'clarity', -1),
  seen(8, 'clarity', 6, 'again'),
  seen(6, 'batna', -4, 'You said "never said"'),
  seen(10, 'batna', -7, 'Threatened!?'),
  seen(12, 'batna', 3),
  seen(4, 'warmth', 1, null),
  seen(14, 'warmth', 9, 'named it'),
  seen(16, 'warmth', 0, 'flat'),
  seen(18, 'pace', 0, 'nothing'),
];
const events: StoredEventLike[] = [
  delta(3, { trust: 2 }, { trust: 52 }),
  npcTurn(5, ['plain_news', 'false_promise']),
  delta(5, { trust: 8, alarm: -4 }, { trust: 60, alarm: 6 }),
  { turn_index: 7, kind: 'scenario_event', payload: { flags: ['customer_calls'], narration: null } },
  { turn_index: 9, kind: 'safety_redirect', payload: { action: 'redirect', reason: null } },
  delta(11, { patience: -15, trust: -5 }, { patience: 45, trust: 55 }),
  npcTurn(13, ['odd']),
  delta(15, { objective_progress: 18 }, { objective_progress: 70 }),
  delta(17, { rapport: -14 }, { rapport: 36 }),
  { turn_index: 19, kind: 'safety_stop', payload: { action: 'stop', reason: null } },
];
const scores = scoreSession(content, observations, null);
const points = turningPoints(content, events);
const input = {
  content,
  difficulty: 'standard' as const,
  fence: '9f8e7',
  language: 'en',
  turns,
  events,
  scores,
  turning_points: points,
  ending: { type: 'failure' as const, id: 'shown_out' },
  focus_dimension: null,
};

const narrative = (changes: Partial<Parameters<typeof fallbackNarrative>[0]>) =>
  fallbackNarrative({
    content,
    turns,
    events,
    scores,
    turning_points: points,
    ending: { type: 'failure', id: 'shown_out' },
    ...changes,
  });
const scored = (...list: ScoredObservation[]) => scoreSession(content, list, null);
const both = [...events, npcTurn(19, ['asks_need'])];

const TEXTS: Record<string, () => unknown> = {
  'eventful-debrief': () => {
    const { messages } = buildDebriefPrompt({ ...input, turns: turns.slice(0, 3), context_length: 32_768 });
    return messages.map((message) => message.content.split('\n'));
  },
  'eventful-narratives': () => [
    narrative({}),
    narrative({ events: both, turning_points: turningPoints(content, both) }),
    narrative({ turning_points: points.filter((point) => point.kind !== 'state_change') }),
    narrative({ turning_points: points, scores: scored(), events: [] }),
    narrative({ scores: scored(...['clarity', 'batna', 'warmth', 'pace', 'unseen'].flatMap((id) => [2, 4, 6].map((turn) => seen(turn, id, 10)))) }),
    narrative({ scores: scored(seen(3, 'clarity', -5, ''), seen(4, 'batna', -5), seen(4, 'warmth', -5)) }),
    narrative({ scores: scored(seen(2, 'clarity', -1), seen(4, 'clarity', -3), seen(6, 'clarity', -2)), turns: turns.slice(0, 5) }),
    ...(['success', 'failure', 'timeout', 'player_exit', 'safety_stop'] as EndingType[]).map(
      (type) => narrative({ ending: { type, id: type === 'success' ? 'date_agreed' : 'no_such' }, turns: turns.slice(0, 2) }).summary,
    ),
  ],
  // What is left of the talk when the room for it shrinks: the least eventful exchanges go first.
  'fitted-transcripts': () =>
    Array.from({ length: 24 }, (_, step) => {
      const { messages, dropped_turns, estimated_tokens } = buildDebriefPrompt({ ...input, context_length: 4_600 - step * 100 });
      const kept = [...(messages[1]?.content ?? '').matchAll(/words (\d+) /g)].map((match) => match[1]);
      return `${4_600 - step * 100}: ${estimated_tokens} tokens, without ${dropped_turns}: ${kept.join(' ')}`;
    }),
}; // prettier-ignore

describe('an eventful talk', () => {
  it.each(Object.keys(TEXTS))('leads to the reviewed texts: %s (UPDATE_GOLDEN=1 writes them anew)', (name) => {
    const file = path.join(__dirname, `${name}.txt`);
    const text = `${JSON.stringify(TEXTS[name]?.(), null, 2)}\n`;
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, text);
    expect(text).toBe(readFileSync(file, 'utf8'));
  });
});
