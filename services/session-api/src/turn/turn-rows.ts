import { withoutSpans, type TurnOutcome } from '@parley/shared/engine';
import type { LineJudgement } from '@parley/shared/contracts';
import type { SessionRow, TurnRow } from '@parley/shared/store';

type Answered = Pick<TurnOutcome, 'utterance' | 'emotion' | 'used_fallback' | 'observations'>;

/** The answer of the character as it is stored: nothing that was said or noted when the transcript is not saved. */
export function npcRow(
  session: Pick<SessionRow, 'transcript_saved'>,
  outcome: Answered,
  raw: string | null,
  place: Pick<TurnRow, 'turn_index' | 'variant' | 'variants' | 'created_at'>,
): TurnRow {
  const saved = session.transcript_saved;
  return {
    ...place,
    role: 'npc',
    text: saved ? outcome.utterance : null,
    emotion: outcome.emotion,
    used_fallback: outcome.used_fallback,
    // A model may say anything; PostgreSQL keeps no NUL in a text.
    raw_output: saved ? (raw?.replaceAll('\0', '') ?? null) : null,
    observations: outcome.observations.map((one) => (saved ? one : { ...one, note: null })),
    judgement: null,
  };
}

/** What the player's line showed, as it is stored. */
export const storedJudgement = (
  session: Pick<SessionRow, 'transcript_saved'>,
  judgement: LineJudgement | null,
): LineJudgement | null => (judgement === null || session.transcript_saved ? judgement : withoutSpans(judgement));
