import {
  buildPrompt,
  WINDOW_TURNS,
  summarisedUpTo,
  type BuiltPrompt,
  type CompiledScenario,
} from '@parley/shared/engine';
import type { Recap } from '@parley/shared/contracts';
import { findRecap, lastSpoken, type SessionRow, type SpokenTurn } from '@parley/shared/store';
import type { Needs } from '../context';
import { engineState } from '../sessions/session-view';
import { promptTurn } from './talk-summaries';

/** What the character remembers of the player; null without a recap, or when the setting is off. */
export async function recapOf(context: Needs<'settings' | 'database'>, session: SessionRow): Promise<Recap | null> {
  const settings = await context.settings.current();
  return settings.relationship_memory_enabled ? findRecap(context.database, session.npc_id, session.pack_id) : null;
}

/** What was said last, oldest first: as much as a prompt can hold. */
export async function spokenBefore(
  context: Needs<'ready' | 'database'>,
  session: SessionRow,
): Promise<readonly SpokenTurn[]> {
  return context.ready.spoken(session) ?? (await lastSpoken(context.database, session.id, WINDOW_TURNS));
}

export type PromptNeeds = Needs<'database' | 'unsaved' | 'settings' | 'summaries' | 'model' | 'fits'>;

/** Step 3 of the turn: the prompt out of what is stored. */
export async function turnPrompt(
  context: PromptNeeds,
  session: SessionRow,
  scenario: CompiledScenario,
  spoken: readonly SpokenTurn[],
  playerText: string,
): Promise<BuiltPrompt> {
  const state = engineState(session);
  const summary = await context.summaries.upTo(context, session, scenario.content, summarisedUpTo(state.turn_index));
  const recap = await recapOf(context, session);
  const contextLength = await context.model.contextLength();
  const prompt = buildPrompt({
    scenario,
    difficulty: session.difficulty,
    language: session.language,
    focus_dimension: session.focus_dimension,
    fence: session.fence,
    state,
    turns: spoken.map((row) => promptTurn(context, session, row)),
    summary,
    recap,
    player_text: playerText,
    context_length: contextLength,
    rubric_detail: context.fits.of(session.id),
  });
  context.fits.keep(session.id, prompt.rubric_detail);
  return prompt;
}
