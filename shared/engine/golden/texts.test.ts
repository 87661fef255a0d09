import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ChatMessage, EndingType, Recap } from '@parley/shared/contracts';
import { scenarioFixture } from '../../testing/scenario-fixture';
import { compileScenario } from '../compiled-scenario';
import { composeDebrief } from '../debrief/compose-debrief';
import { buildDebriefPrompt } from '../debrief/debrief-prompt';
import { debriefSchema } from '../debrief/debrief-schema';
import { fallbackNarrative } from '../debrief/fallback-narrative';
import { content, ending, events, points, scores, turns } from '../../testing/engine/finished-talk';
import { relationshipRecap } from '../debrief/relationship-recap';
import { scoreSession } from '../debrief/scoring';
import { stateSeries } from '../debrief/turning-points';
import { openSession } from '../open-session';
import { buildPrompt, type PromptInput } from '../prompt/build-prompt';
import { NO_SUMMARY, summaryUpTo } from '../prompt/memory-summary';
import type { PromptTurn } from '../prompt/prompt-turn';

const whole = (messages: readonly ChatMessage[]): string =>
  messages.map(({ role, content: text }) => `=== ${role} ===\n${text}\n`).join('\n');
const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const { state } = openSession(content, 'standard');
const base: PromptInput = {
  scenario: compileScenario(content),
  difficulty: 'standard',
  language: 'en',
  focus_dimension: null,
  fence: '9f8e7',
  state,
  turns: turns.slice(0, 1),
  summary: NO_SUMMARY,
  recap: null,
  player_text: 'Hello Ines.',
  context_length: 32_768,
};

/** Nineteen turns; the one with a figure and a day is not shown any more. */
const LATE_TURNS = Array.from({ length: 19 }, (_, index): PromptTurn => ({
  index: index + 1,
  role: index % 2 === 0 ? 'npc' : 'player',
  text: index === 3 ? 'Am Freitag werden es 40 Teile. Das ist alles.' : `line ${index + 1}`,
}));

/** A scenario in which all that may be absent is absent. */
function bareScenario() {
  const bare = scenarioFixture({
    scene: null, moves: [], flags: {}, events: [], endings: [], hints: [], skills: [], ladder_position: null,
    goals: { player_visible: [], hidden: [] }, taught_dimensions: [], tested_dimensions: [],
    duration: { max_turns: 10, soft_time_limit_minutes: null },
    response_style: { max_words: null, verbosity: null, formality: null },
    policy: { ...content.policy, description: null, redirect_message: null, content_categories: {}, allow_profanity: true },
  }); // prettier-ignore
  const nobody = {
    hidden_agenda: [],
    biases_to_simulate: [],
    boundaries: [],
    sample_lines: [],
    emotional_triggers: [],
  };
  return { ...bare, npc: { ...bare.npc, ...nobody } };
}

const debriefBase = {
  content,
  difficulty: 'standard' as const,
  fence: '9f8e7',
  language: 'en',
  turns,
  events,
  scores,
  turning_points: points,
  ending,
  focus_dimension: 'listening',
  context_length: null,
};
const ended = (type: EndingType, id: string | null) => ({ type, id });
const nothingObserved = scoreSession(content, [], null);

const RECAP: Recap = {
  npc_id: 'ines',
  pack_id: 'late_delivery',
  schema_version: '1',
  session_count: 2,
  last_session_at: '2026-01-01T00:00:00.000Z',
  key_observations: ['Ask for the need sooner', 'Say the week'],
  player_style_tags: ['strong: clarity', 'calm'],
  last_outcome: 'timeout',
};
const document = () =>
  composeDebrief({
    session_id: 'abcdefghijklmnopqrstuvwx',
    content,
    difficulty: 'standard',
    ending_type: 'failure',
    events,
    scores,
    narrative: fallbackNarrative({ content, turns, events, scores, turning_points: points, ending }),
    used_fallback: false,
    model_id: 'fake-small',
    generated_at: '2026-01-01T00:00:00.000Z',
    dropped_turns: 4,
    text_lost: true,
  });

/** Every text that the engine makes, as it stands: a change of wording is seen in review. */
const TEXTS: Record<string, () => string> = {
  'first-turn': () => whole(buildPrompt(base).messages),
  'later-turn': () =>
    whole(
      buildPrompt({
        ...base,
        language: 'de',
        focus_dimension: 'listening',
        difficulty: 'hard',
        state: {
          ...state, turn_index: 19, player_turns: 9, flags: ['plain_news'], fired_events: ['customer_calls', 'coffee_offered'],
          pending_instructions: ['customer_calls', 'coffee_offered'],
        },
        turns: LATE_TURNS,
        summary: summaryUpTo({ content, language: 'de' }, 6, {
          turns: LATE_TURNS,
          events: [
            ...events,
            { turn_index: 5, kind: 'scenario_event', payload: { flags: ['customer_calls'], narration: null } },
            { turn_index: 5, kind: 'safety_redirect', payload: { action: 'redirect', reason: 'hidden' } },
          ],
        }),
        recap: RECAP,
      }).messages,
    ),
  'bare-scenario': () => whole(buildPrompt({ ...base, scenario: compileScenario(bareScenario()), difficulty: 'warm', language: 'xx1' }).messages),
  'small-context': () => {
    const { messages, ...counts } = buildPrompt({ ...base, scenario: compileScenario(scenarioFixture({ summary: 'Long ago. '.repeat(700) })), context_length: 4096 });
    return `${json(counts)}${whole(messages).replace(/(Long ago. )+/, 'Long ago. ')}`;
  },
  debrief: () => {
    const { messages, ...counts } = buildDebriefPrompt(debriefBase);
    return `${json(counts)}${whole(messages)}`;
  },
  'bare-debrief': () =>
    whole(
      buildDebriefPrompt({
        ...debriefBase, content: bareScenario(), language: 'de', turns: [], events: [], scores: scoreSession(bareScenario(), [], null),
        turning_points: [], ending: ended('player_exit', null), focus_dimension: null,
      }).messages,
    ),
  'debrief-schema': () => json([debriefSchema(), debriefSchema([2, 4])]),
  narratives: () =>
    json([
      fallbackNarrative({ content, turns, events, scores, turning_points: points, ending }),
      ...(['success', 'failure', 'timeout', 'safety_stop', 'player_exit'] as const).map((type) =>
        fallbackNarrative({
          content, turns: turns.slice(0, 1), events: [], scores: nothingObserved, turning_points: [], ending: ended(type, null),
        }),
      ),
    ]),
  'turning-points': () => json([points, stateSeries(content, 'standard', events), scores]),
  document: () => json(document()),
  recaps: () =>
    json(
      [null, RECAP].flatMap((previous) =>
        [turns.map((turn) => turn.text), [null]].map((texts) =>
          relationshipRecap({ content, previous, debrief: document(), texts, at: '2026-01-02T00:00:00.000Z' }),
        ),
      ),
    ),
}; // prettier-ignore

describe('texts of the engine', () => {
  it.each(Object.keys(TEXTS))('are the reviewed ones: %s (UPDATE_GOLDEN=1 writes them anew)', (name) => {
    const file = path.join(__dirname, `${name}.txt`);
    const text = TEXTS[name]?.() ?? '';
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, text);
    expect(text).toBe(readFileSync(file, 'utf8'));
  });
});
