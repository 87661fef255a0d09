import type { Debrief } from '@parley/shared/contracts';
import { useMessages } from '../messages/use-messages';

/** Small print: who judged, how often, and what came of judging again. */
export function WhoJudged({ debrief: { provenance, rescored } }: { debrief: Debrief }) {
  const { judging: words } = useMessages();
  const spread = Math.max(0, ...Object.values(provenance?.spread ?? {}));
  return (
    <>
      {provenance !== undefined && (
        <p className="small muted">
          {provenance.judge_model === null ? words.judgedByRules : words.judgedByModel(provenance.judge_model)}
          {provenance.reads > 1 && ` ${words.readings(Math.floor(provenance.reads / 2) + 1, provenance.reads)}`}
          {spread > 0 && ` ${words.spread(spread)}`}
        </p>
      )}
      {rescored !== undefined && (
        <p className="small muted">
          {words.rescored(rescored.score_before)} <span dir="auto">{rescored.note}</span>
        </p>
      )}
    </>
  );
}
