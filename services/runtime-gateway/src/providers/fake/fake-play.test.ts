import type { ChatFinal, ScenarioContent } from '@parley/shared/contracts';
import {
  buildDebriefPrompt,
  buildPrompt,
  checkNarrative,
  NO_SUMMARY,
  compileScenario,
  openSession,
  parseReply,
  resolveTurn,
  type PromptTurn,
} from '@parley/shared/engine';
import { scenarioFixture } from '@parley/shared/testing';
import { Fake } from './fake';

const fake = new Fake({ word_delay_ms: 0 }, () => new Date(0));

async function finalOf(
  messages: ReturnType<typeof buildPrompt>['messages'],
  schema: Record<string, unknown>,
): Promise<ChatFinal> {
  const request = { messages, model_id: null, max_tokens: 700, temperature: 0.8, json_schema: schema };
  for await (const item of fake.chatStream(request, new AbortController().signal))
    if (item.type === 'final') return item;
  throw new Error('no final');
}

interface Played {
  readonly ending: string | null;
  readonly endingId: string | null;
  readonly playerTurns: number;
  readonly turns: readonly PromptTurn[];
  readonly dropped: readonly unknown[];
  readonly utterances: readonly string[];
}

/** Plays a whole session with the real prompt, schema and engine; only the store and the wire are left out. */
async function play(content: ScenarioContent, said: (turn: number) => string): Promise<Played> {
  const difficulty = content.difficulty.default;
  const opening = openSession(content, difficulty);
  let { state } = opening;
  const turns: PromptTurn[] = [{ index: 1, role: 'npc', text: opening.utterance }];
  const dropped: unknown[] = [];
  const scenario = compileScenario(content);
  const schema = scenario.outputSchema(difficulty);
  for (;;) {
    const text = said(state.player_turns + 1);
    const prompt = buildPrompt({
      scenario,
      difficulty,
      language: 'en',
      focus_dimension: null,
      fence: 'f1x2',
      state,
      turns,
      summary: NO_SUMMARY,
      recap: null,
      player_text: text,
      context_length: 4096,
    });
    const final = await finalOf(prompt.messages, schema);
    const reply = parseReply(final.text, final.structured, scenario);
    const outcome = resolveTurn({ content, difficulty, state, reply, player_turn_index: state.turn_index + 1 });
    dropped.push(...outcome.dropped);
    turns.push(
      { index: outcome.state.turn_index - 1, role: 'player', text },
      { index: outcome.state.turn_index, role: 'npc', text: outcome.utterance },
    );
    ({ state } = outcome);
    if (outcome.ending !== null)
      return {
        ending: outcome.ending.type,
        endingId: outcome.ending.id,
        playerTurns: state.player_turns,
        turns,
        dropped,
        utterances: turns.filter((turn) => turn.role === 'npc').map((turn) => turn.text ?? ''),
      };
  }
}

const CONSTRUCTIVE = [
  'I understand that this is bad for you. What do you need most by Friday?',
  'The part comes two weeks late, on the 14th, because the factory stopped. That is on us.',
  'Would a loan machine help you until then? I could bring one on Monday.',
];

describe('a session with the demo runtime, by the real engine', () => {
  // The demo runtime names moves again and again; only where each counts whole can that alone win a talk.
  const fixture = scenarioFixture();
  const content = { ...fixture, moves: fixture.moves.map((move) => ({ ...move, repeat: 'always' as const })) };

  it('ends in success for a constructive player within seven to ten turns', async () => {
    const played = await play(content, (turn) => CONSTRUCTIVE[turn % CONSTRUCTIVE.length] ?? '');
    expect(played).toMatchObject({ ending: 'success', endingId: 'date_agreed', dropped: [] });
    expect(played.playerTurns).toBeGreaterThanOrEqual(7);
    expect(played.playerTurns).toBeLessThanOrEqual(10);
    expect(new Set(played.utterances).size).toBe(played.utterances.length);
  });

  it('ends in failure for a hostile player', async () => {
    const played = await play(content, (turn) => `You are useless, and number ${turn} of the lies I heard. Shut up.`);
    expect(played).toMatchObject({ ending: 'failure', endingId: 'shown_out', dropped: [] });
  });

  it('ends in timeout for a passive player', async () => {
    expect(await play(content, () => 'ok')).toMatchObject({
      ending: 'timeout',
      playerTurns: content.duration.max_turns,
    });
  });

  it('is debriefed by a narrative that passes every guardrail', async () => {
    const { turns } = await play(content, (turn) => CONSTRUCTIVE[turn % CONSTRUCTIVE.length] ?? '');
    const prompt = buildDebriefPrompt({
      content,
      difficulty: 'standard',
      fence: 'f1x2',
      language: 'en',
      turns,
      events: [],
      turning_points: [],
      scores: { overall_score: 50, dimensions: [] },
      ending: { type: 'success', id: null },
      focus_dimension: null,
      context_length: 4096,
    });
    const { structured } = await finalOf(prompt.messages, { properties: { replay_suggestions: {} } });
    const checked = checkNarrative(structured, { turns, content });
    expect(checked.removed).toEqual([]);
    expect(checked.narrative).toEqual(structured);
  });
});
