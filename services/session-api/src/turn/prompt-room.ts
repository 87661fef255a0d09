import { buildPrompt, NO_SUMMARY, openSession, type CompiledScenario } from '@parley/shared/engine';
import type { RuntimeHealth } from '@parley/shared/contracts';
import type { SessionRow } from '@parley/shared/store';

/** The demo voice reads no prompt: whatever it says of a context, every prompt fits it. */
const NO_MODEL = 'fake';
const thousands = new Intl.NumberFormat('en-US');

/** Tokens of a session's first prompt at its shortest and of the answer to it: what no cutting makes less. */
function tokensOfFirstTurn(session: SessionRow, scenario: CompiledScenario): number {
  const { state, utterance } = openSession(scenario.content, session.difficulty);
  const prompt = buildPrompt({
    scenario,
    difficulty: session.difficulty,
    language: session.language,
    focus_dimension: session.focus_dimension,
    fence: session.fence,
    state,
    turns: [{ index: 1, role: 'npc', text: utterance }],
    summary: NO_SUMMARY,
    recap: null,
    player_text: '',
    // Room for everything, so that nothing is left out but what always may be.
    context_length: Number.MAX_SAFE_INTEGER,
    rubric_detail: 'brief',
  });
  return prompt.estimated_tokens + prompt.max_tokens;
}

/**
 * Whether the talk that was begun last has room in the model's context. Some model servers refuse a prompt that is too long,
 * but only once it is sent; others drop its beginning without a word, and the character forgets who it is. Health says it
 * before anything is said.
 */
export class PromptRoom {
  private needed: number | null = null;

  /** A talk is about to begin. */
  begins(session: SessionRow, scenario: CompiledScenario): void {
    this.needed = tokensOfFirstTurn(session, scenario);
  }

  /** A model has answered to its end: whatever was estimated, there is room. */
  proven(): void {
    this.needed = null;
  }

  /**
   * The runtime's health in the light of it.
   * @param contextLength asked for only where it matters; null when unknown.
   */
  async judged(runtime: RuntimeHealth, contextLength: () => Promise<number | null>): Promise<RuntimeHealth> {
    const { needed } = this;
    if (needed === null || runtime.status !== 'READY' || runtime.runtime_id === NO_MODEL) return runtime;
    const room = await contextLength();
    if (room === null || needed <= room) return runtime;
    return {
      ...runtime,
      status: 'ERROR',
      message: `This talk needs a context of about ${thousands.format(needed)} tokens and the model has ${thousands.format(room)}; choose another model, or start it with a larger context.`,
    };
  }
}
