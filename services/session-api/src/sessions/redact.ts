import { withoutReasons, withoutSpans } from '@parley/shared/engine';
import type { LineJudgement, TryAnswer } from '@parley/shared/contracts';
import type { SessionRow, TurnRow } from '@parley/shared/store';

type Events = Parameters<typeof withoutReasons>[0];
type Observations = NonNullable<TurnRow['observations']>;

/** What of a talk reaches the database. */
interface Redaction {
  text(text: string | null): string | null;
  events(events: Events): Events;
  judgement(judgement: LineJudgement | null): LineJudgement | null;
  observations(observations: Observations): Observations;
  checks(checks: TryAnswer['checks']): TryAnswer['checks'];
}

const EVERYTHING: Redaction = {
  text: (text) => text,
  events: (events) => events,
  judgement: (judgement) => judgement,
  observations: (observations) => observations,
  checks: (checks) => checks,
};

/** Nothing that was said, noted or quoted. */
const NO_WORDS: Redaction = {
  text: () => null,
  events: withoutReasons,
  judgement: (judgement) => (judgement === null ? null : withoutSpans(judgement)),
  observations: (observations) => observations.map((one) => ({ ...one, note: null })),
  checks: (checks) => checks.map((check) => ({ ...check, evidence: null })),
};

/** What may be stored of a session: all of it, or all but the words when its transcript is not saved. */
export const redact = (session: Pick<SessionRow, 'transcript_saved'>): Redaction =>
  session.transcript_saved ? EVERYTHING : NO_WORDS;
