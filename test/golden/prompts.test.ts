import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { llama3Tokenizer } from 'llama3-tokenizer-js/bundle/commonjs-llama3-tokenizer-with-baked-data.cjs';
import type { ChatMessage } from '@parley/shared/contracts';
import {
  buildPrompt,
  compileScenario,
  NO_SUMMARY,
  openSession,
  parseReply,
  resolveTurn,
  type PromptTurn,
} from '@parley/shared/engine';
import { BUILT_IN_IDS } from '../set/built-in-packs';
import { validatePack } from '../../services/pack-service/src/import/validating/validate-pack';

const PACKS = path.join(__dirname, '..', '..', 'packs');
/** What the smallest models commonly have. */
const SMALL_CONTEXT = 4096;
/** So that most of the talk is there and the script has a turn left to ask with. */
const SCRIPT = 'tests/skilled.yaml';

/** The prompt of the last turn of the pack's skilled playthrough, as the review reads it. */
async function promptOf(name: string): Promise<string> {
  const validation = await validatePack(path.join(PACKS, name));
  const content = validation.scenarios[0]?.content;
  const script = validation.pack.playthroughs.find((file) => file.path === SCRIPT)?.content;
  const asked = script?.turns.at(-1)?.player_input;
  if (!content || !script || asked === undefined) throw new Error(`${name} has no scenario or no ${SCRIPT}.`);
  const difficulty = content.difficulty.default;
  const scenario = compileScenario(content);
  const opening = openSession(content, difficulty);
  let { state } = opening;
  const turns: PromptTurn[] = [{ index: 1, role: 'npc', text: opening.utterance }];
  for (const turn of script.turns.slice(0, -1)) {
    const reply = parseReply(JSON.stringify(turn.npc), null, scenario);
    const outcome = resolveTurn({ content, difficulty, state, reply, player_turn_index: state.turn_index + 1 });
    turns.push({ index: state.turn_index + 1, role: 'player', text: turn.player_input });
    turns.push({ index: outcome.state.turn_index, role: 'npc', text: outcome.utterance });
    state = outcome.state;
  }
  const prompt = buildPrompt({
    scenario,
    difficulty,
    language: content.language,
    focus_dimension: content.rubric.dimensions[0]?.id ?? null,
    fence: '7c1e9',
    state,
    turns,
    summary: NO_SUMMARY,
    recap: {
      npc_id: content.npc.npc_id,
      pack_id: content.pack_id,
      schema_version: '1',
      session_count: 2,
      last_session_at: '2026-11-20T10:00:00.000Z',
      key_observations: ['Name what you need before you explain it.'],
      player_style_tags: ['asks early'],
      last_outcome: 'timeout',
    },
    player_text: asked,
    context_length: SMALL_CONTEXT,
  });
  const messages = prompt.messages.map(({ role, content: text }) => `=== ${role} ===\n${text}\n`);
  return [
    `${prompt.estimated_tokens} tokens estimated of ${SMALL_CONTEXT - prompt.max_tokens}; ${prompt.dropped_turns} turns left out.\n`,
    ...messages,
  ].join('\n');
}

/** So that a model with 4,096 tokens has room for the talk. */
const MOST_TOKENS_OF_THE_ASK = 1_900;
/** What Llama 3's chat template puts around a message: two header marks, the role, a blank line, the end of the turn. */
const TEMPLATE_TOKENS = 5;

/** Tokens of messages for a Llama 3 model, with its template and the header of the answer. */
const llama3Tokens = (messages: readonly ChatMessage[]): number =>
  messages.reduce(
    (sum, { content }) => sum + llama3Tokenizer.encode(content, { bos: false, eos: false }).length + TEMPLATE_TOKENS,
    TEMPLATE_TOKENS,
  );

/** What the first prompt of a talk takes at each difficulty: for Llama 3, and by our estimate, which is on the safe side. */
async function firstPromptTokens(name: string): Promise<string[]> {
  const { scenarios } = await validatePack(path.join(PACKS, name));
  return scenarios.flatMap(({ content }) =>
    (['warm', 'standard', 'hard', 'adversarial'] as const).map((difficulty) => {
      const { state, utterance } = openSession(content, difficulty);
      const prompt = buildPrompt({
        scenario: compileScenario(content),
        difficulty,
        language: content.language,
        focus_dimension: null,
        fence: '7c1e9',
        state,
        recap: null,
        turns: [{ index: 1, role: 'npc', text: utterance }],
        summary: NO_SUMMARY,
        player_text: 'Thank you for your time.',
        context_length: SMALL_CONTEXT,
      });
      const tokens = llama3Tokens(prompt.messages);
      expect(prompt.estimated_tokens).toBeGreaterThanOrEqual(tokens);
      return `${name} ${difficulty} ${tokens} ${prompt.estimated_tokens}`;
    }),
  );
}

describe('the prompts of the built-in scenarios', () => {
  it.each(BUILT_IN_IDS)('is the reviewed one for %s (UPDATE_GOLDEN=1 writes it anew)', async (name) => {
    const file = path.join(__dirname, `${name}.prompt.txt`);
    const prompt = await promptOf(name);
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, prompt);
    expect(prompt).toBe(readFileSync(file, 'utf8'));
  });

  it('take so many tokens at the beginning of a talk (UPDATE_GOLDEN=1 writes the table anew)', async () => {
    const rows = (await Promise.all(BUILT_IN_IDS.map(firstPromptTokens))).flat();
    const theAsk = rows.find((row) => row.startsWith('the_ask standard '))?.split(' ')[2];
    expect(Number(theAsk)).toBeLessThanOrEqual(MOST_TOKENS_OF_THE_ASK);
    const table = `scenario difficulty llama3 estimate\n${rows.join('\n')}\n`;
    const file = path.join(__dirname, 'first-prompt-tokens.txt');
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, table);
    expect(table).toBe(readFileSync(file, 'utf8'));
  });

  it.each(BUILT_IN_IDS)('leaves a small model room for twelve average turns in %s', async (name) => {
    const { findings } = await validatePack(path.join(PACKS, name));
    expect(findings.filter((finding) => finding.rule === 'lint.prompt-too-long')).toEqual([]);
  });
});
