import type { Finding, ScenarioContent } from '@parley/shared/contracts';
import {
  buildPrompt,
  compileScenario,
  DEFAULT_CONTEXT_LENGTH,
  NO_SUMMARY,
  openSession,
  type PromptTurn,
} from '@parley/shared/engine';
import { reportAt } from '../import/validating/file-report';
import type { LoadedFile } from '../import/validating/load-pack';

/** How many turns the window of the prompt holds (docs/interface.md, The prompt). */
const WINDOW = 12;
/** A turn of a transcript: forty words, which is what skilled players and characters of the built-in packs say. */
const AVERAGE_TURN =
  'I see what you mean, and I would like to find a way that works for both of us. What would you need from me, so that we can agree on it before the end of this week, and who decides about it?';

/**
 * Whether the prompt of a scenario leaves room for the last twelve turns with the smallest context that models commonly
 * have. When it does not, small models forget the talk while they play it.
 */
export function checkPromptFits(scenario: LoadedFile<'scenario'>, content: ScenarioContent): Finding[] {
  const difficulty = content.difficulty.default;
  const { state } = openSession(content, difficulty);
  const turns = Array.from({ length: WINDOW }, (_, index): PromptTurn => ({
    index: index + 1,
    role: index % 2 === 0 ? 'npc' : 'player',
    text: AVERAGE_TURN,
  }));
  const prompt = buildPrompt({
    scenario: compileScenario(content),
    difficulty,
    language: content.language,
    focus_dimension: null,
    fence: '0'.repeat(16),
    state: { ...state, turn_index: WINDOW, player_turns: WINDOW / 2 },
    turns,
    summary: NO_SUMMARY,
    recap: null,
    player_text: AVERAGE_TURN,
    context_length: DEFAULT_CONTEXT_LENGTH,
  });
  if (prompt.dropped_turns === 0) return [];
  return [
    reportAt(scenario, [], {
      severity: 'warning',
      rule: 'lint.prompt-too-long',
      message: `With a context of ${DEFAULT_CONTEXT_LENGTH} tokens, ${prompt.max_tokens} of them for the answer, the prompt has room for only ${WINDOW - prompt.dropped_turns} of the last ${WINDOW} turns.`,
      hint: 'Shorten the longest texts of the scenario, the character and the rubric.',
    }),
  ];
}
