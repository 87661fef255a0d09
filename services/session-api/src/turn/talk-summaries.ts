import { LRUCache } from 'lru-cache';
import { NO_SUMMARY, summaryUpTo, type PromptTurn, type TalkSummary } from '@parley/shared/engine';
import type { ScenarioContent } from '@parley/shared/contracts';
import { eventsUpToTurn, listTurns, type Queryable, type SessionRow, type SpokenTurn } from '@parley/shared/store';
import { turnText } from '../sessions/session-view';
import type { UnsavedTexts } from '../sessions/unsaved-texts';

const KEPT_SUMMARIES = 1_000;

/** Where what was said lies. */
interface Spoken {
  readonly database: Queryable;
  readonly unsaved: UnsavedTexts;
}

/** A turn as a prompt takes it, with its words. */
export const promptTurn = (from: Pick<Spoken, 'unsaved'>, session: SessionRow, row: SpokenTurn): PromptTurn => ({
  index: row.turn_index,
  role: row.role,
  text: turnText(from, session, row),
});

/**
 * What MEMORY_SUMMARY is made of. It changes only every few turns, so it is kept between, and only what is new is read then:
 * a late turn costs no more than an early one.
 */
export class TalkSummaries {
  private readonly kept = new LRUCache<string, TalkSummary>({ max: KEPT_SUMMARIES });

  async upTo(from: Spoken, session: SessionRow, content: ScenarioContent, upTo: number): Promise<TalkSummary> {
    if (upTo === 0) return NO_SUMMARY;
    const known = this.kept.get(session.id);
    if (known?.up_to === upTo) return known;
    const earlier = known !== undefined && known.up_to < upTo ? known : NO_SUMMARY;
    const { database } = from;
    const events = await eventsUpToTurn(database, session.id, upTo, earlier.up_to);
    const stored = await listTurns(database, session.id, { upTo, last: upTo - earlier.up_to });
    const turns = stored.map((row) => promptTurn(from, session, row));
    const summary = summaryUpTo({ content, language: session.language }, upTo, { events, turns }, earlier);
    this.kept.set(session.id, summary);
    return summary;
  }

  forget(sessionId: string): void {
    this.kept.delete(sessionId);
  }

  forgetAll(): void {
    this.kept.clear();
  }
}
