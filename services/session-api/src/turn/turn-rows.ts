import type { TurnOutcome } from '@parley/shared/engine';
import type { SessionRow, TurnRow } from '@parley/shared/store';
import { redact } from '../sessions/redact';

type Answered = Pick<TurnOutcome, 'utterance' | 'emotion' | 'used_fallback' | 'observations'>;

/** The answer of the character as it is stored: nothing that was said or noted when the transcript is not saved. */
export function npcRow(
  session: Pick<SessionRow, 'transcript_saved'>,
  outcome: Answered,
  raw: string | null,
  place: Pick<TurnRow, 'turn_index' | 'variant' | 'variants' | 'created_at'>,
): TurnRow {
  const stored = redact(session);
  return {
    ...place,
    role: 'npc',
    text: stored.text(outcome.utterance),
    emotion: outcome.emotion,
    used_fallback: outcome.used_fallback,
    // A model may say anything; PostgreSQL keeps no NUL in a text.
    raw_output: stored.text(raw?.replaceAll('\0', '') ?? null),
    observations: stored.observations(outcome.observations),
    judgement: null,
  };
}
