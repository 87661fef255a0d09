import {
  buildPrompt,
  WINDOW_TURNS,
  NO_SUMMARY,
  summarisedUpTo,
  summaryUpTo,
  type BuiltPrompt,
  type PromptTurn,
  type TalkSummary,
} from '@parley/shared/engine';
import type { Recap, ScenarioContent } from '@parley/shared/contracts';
import {
  eventsUpToTurn,
  findRecap,
  lastSpoken,
  listTurns,
  type SessionRow,
  type SpokenTurn,
} from '@parley/shared/store';
import type { SessionApiContext } from '../context';
import { engineState, turnText } from '../sessions/session-view';

const KEPT_SUMMARIES = 1_000;

/**
 * What MEMORY_SUMMARY is made of. It changes only every few turns, so it is kept between, and only what is new is read then:
 * a late turn costs no more than an early one.
 */
export class TalkSummaries {
  private readonly kept = new Map<string, TalkSummary>();

  async upTo(
    context: SessionApiContext,
    session: SessionRow,
    content: ScenarioContent,
    upTo: number,
  ): Promise<TalkSummary> {
    if (upTo === 0) return NO_SUMMARY;
    const known = this.kept.get(session.id);
    if (known?.up_to === upTo) return known;
    const earlier = known !== undefined && known.up_to < upTo ? known : NO_SUMMARY;
    const { database } = context;
    const events = await eventsUpToTurn(database, session.id, upTo, earlier.up_to);
    const stored = await listTurns(database, session.id, { upTo, last: upTo - earlier.up_to });
    const turns = stored.map((row) => promptTurn(context, session, row));
    const summary = summaryUpTo({ content, language: session.language }, upTo, { events, turns }, earlier);
    this.kept.delete(session.id);
    this.kept.set(session.id, summary);
    const oldest = this.kept.keys().next().value;
    if (this.kept.size > KEPT_SUMMARIES && oldest !== undefined) this.kept.delete(oldest);
    return summary;
  }

  forget(sessionId: string): void {
    this.kept.delete(sessionId);
  }

  forgetAll(): void {
    this.kept.clear();
  }
}

/** What the character remembers of the player; null without a recap, or when the setting is off. */
export async function recapOf(context: SessionApiContext, session: SessionRow): Promise<Recap | null> {
  const settings = await context.settings.current();
  return settings.relationship_memory_enabled ? findRecap(context.database, session.npc_id, session.pack_id) : null;
}

/** What was said last, oldest first: as much as a prompt can hold. */
export async function spokenBefore(context: SessionApiContext, session: SessionRow): Promise<readonly SpokenTurn[]> {
  return context.ready.spoken(session) ?? (await lastSpoken(context.database, session.id, WINDOW_TURNS));
}

const promptTurn = (context: SessionApiContext, session: SessionRow, row: SpokenTurn): PromptTurn => ({
  index: row.turn_index,
  role: row.role,
  text: turnText(context, session, row),
});

/** Step 3 of the turn: the prompt out of what is stored. */
export async function turnPrompt(
  context: SessionApiContext,
  session: SessionRow,
  content: ScenarioContent,
  spoken: readonly SpokenTurn[],
  playerText: string,
): Promise<BuiltPrompt> {
  const state = engineState(session);
  const summary = await context.summaries.upTo(context, session, content, summarisedUpTo(state.turn_index));
  const recap = await recapOf(context, session);
  const contextLength = await context.model.contextLength();
  const prompt = buildPrompt({
    content,
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
