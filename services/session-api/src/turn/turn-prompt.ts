import {
  buildPrompt,
  summarisedUpTo,
  toldEvents,
  WINDOW_TURNS,
  type BuiltPrompt,
  type PromptTurn,
  type StoredEventLike,
} from '@parley/shared/engine';
import type { Recap, ScenarioContent } from '@parley/shared/contracts';
import { eventsUpToTurn, findRecap, lastSpoken, type SessionRow, type SpokenTurn } from '@parley/shared/store';
import type { SessionApiContext } from '../context';
import { engineState, turnText } from '../sessions/session-view';

const KEPT_SUMMARIES = 1_000;

/**
 * The events that MEMORY_SUMMARY is made of. They change only every few turns, so they are kept between, and only what is
 * new is read then: a late turn costs no more than an early one.
 */
export class SummaryEvents {
  private readonly kept = new Map<string, { upTo: number; events: StoredEventLike[] }>();

  async upTo(context: SessionApiContext, sessionId: string, upTo: number): Promise<StoredEventLike[]> {
    if (upTo === 0) return [];
    const known = this.kept.get(sessionId);
    if (known?.upTo === upTo) return known.events;
    const earlier = known !== undefined && known.upTo < upTo ? known : { upTo: 0, events: [] };
    const later = await eventsUpToTurn(context.database.knex, sessionId, upTo, earlier.upTo);
    const events = toldEvents([...earlier.events, ...later]);
    this.kept.delete(sessionId);
    this.kept.set(sessionId, { upTo, events });
    const oldest = this.kept.keys().next().value;
    if (this.kept.size > KEPT_SUMMARIES && oldest !== undefined) this.kept.delete(oldest);
    return events;
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
  return settings.relationship_memory_enabled
    ? findRecap(context.database.knex, session.npc_id, session.pack_id)
    : null;
}

/** What was said last, oldest first: as much as a prompt can hold. */
export async function spokenBefore(context: SessionApiContext, session: SessionRow): Promise<readonly SpokenTurn[]> {
  return context.ready.spoken(session) ?? (await lastSpoken(context.database.knex, session.id, WINDOW_TURNS));
}

const promptTurns = new WeakMap<SpokenTurn, PromptTurn>();

/** The same object for the same turn, so that its text is made ready for prompts once. */
function promptTurn(context: SessionApiContext, session: SessionRow, row: SpokenTurn): PromptTurn {
  const known = promptTurns.get(row);
  if (known !== undefined && known.text !== null) return known;
  const turn = { index: row.turn_index, role: row.role, text: turnText(context, session, row) };
  promptTurns.set(row, turn);
  return turn;
}

/** Step 3 of the turn: the prompt out of what is stored. */
export async function turnPrompt(
  context: SessionApiContext,
  session: SessionRow,
  content: ScenarioContent,
  spoken: readonly SpokenTurn[],
  playerText: string,
): Promise<BuiltPrompt> {
  const state = engineState(session);
  const summaryEvents = await context.summaries.upTo(context, session.id, summarisedUpTo(state.turn_index));
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
    summary_events: summaryEvents,
    recap,
    player_text: playerText,
    context_length: contextLength,
    rubric_detail: context.fits.of(session.id),
  });
  context.fits.keep(session.id, prompt.rubric_detail);
  return prompt;
}
