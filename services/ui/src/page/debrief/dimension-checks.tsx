import type { CheckVerdict, DebriefDimension, Turn } from '@parley/shared/contracts';
import { useMessages } from '../messages/use-messages';
import { verdictKey } from './evidence-marks';

export type ShowEvidence = (turn: number, key: string) => void;

interface DimensionChecksProps {
  readonly dimension: DebriefDimension;
  readonly turns: readonly Turn[];
  readonly onShow: ShowEvidence;
}

/** The checks of a dimension and the faults that happened, each with its verdict in words and the words that did it. */
export function DimensionChecks({ dimension, turns, onShow }: DimensionChecksProps) {
  const { judging: words } = useMessages();
  const { id, checks = [], framework, sources = [] } = dimension;
  const happened = (dimension.faults ?? []).filter((fault) => fault.verdict === 'met');
  return (
    <>
      {checks.length > 0 && (
        <ul className="checks" aria-label={words.checks}>
          {checks.map((check) => (
            <li key={check.id} data-verdict={check.verdict}>
              <p className="label">{words.verdict[check.verdict]}</p>
              <Verdict
                verdict={check}
                gain={check.verdict === 'met' ? check.points : -check.points}
                evidenceKey={verdictKey(id, check.id, false)}
                turns={turns}
                onShow={onShow}
              />
            </li>
          ))}
        </ul>
      )}
      {happened.length > 0 && (
        <ul className="checks" aria-label={words.faults}>
          {happened.map((fault) => (
            <li key={fault.id} data-verdict="fault">
              <p className="label">{words.fault}</p>
              <Verdict
                verdict={fault}
                gain={-fault.points}
                evidenceKey={verdictKey(id, fault.id, true)}
                turns={turns}
                onShow={onShow}
              />
            </li>
          ))}
        </ul>
      )}
      {(framework != null || sources.length > 0) && (
        <details className="why-this-works">
          <summary>{words.whyThisWorks}</summary>
          {framework != null && (
            <p className="reading" dir="auto">
              {framework}
            </p>
          )}
          {sources.length > 0 && (
            <ul className="small muted" aria-label={words.sources}>
              {sources.map((source) => (
                <li key={source} dir="auto">
                  {source}
                </li>
              ))}
            </ul>
          )}
        </details>
      )}
    </>
  );
}

interface VerdictProps {
  readonly verdict: CheckVerdict;
  /** What it did to the score when it was judged. */
  readonly gain: number;
  readonly evidenceKey: string;
  readonly turns: readonly Turn[];
  readonly onShow: ShowEvidence;
}

function Verdict({ verdict, gain, evidenceKey, turns, onShow }: VerdictProps) {
  const { judging: words } = useMessages();
  const { turn, line, evidence, quote } = verdict;
  const said = turns.find(({ index }) => index === turn);
  const quoted = (evidence === null ? null : said?.text?.slice(evidence.start, evidence.end)) ?? quote;
  return (
    <div>
      <p>
        <span dir="auto">{verdict.text}</span>{' '}
        {verdict.verdict !== 'not_judged' && (
          <span className="small muted">{words.points(`${gain < 0 ? '−' : '+'}${Math.abs(gain)}`)}</span>
        )}
      </p>
      {line !== null && (
        <p className="small">
          {words.atLine(line)}
          {quoted !== null && (
            <>
              : <q dir="auto">{quoted}</q>
            </>
          )}
        </p>
      )}
      {said !== undefined && turn !== null && (
        <button
          type="button"
          className="button button-quiet"
          aria-label={words.showMarkOf(verdict.text)}
          onClick={() => onShow(turn, evidenceKey)}
        >
          {words.showMark}
        </button>
      )}
    </div>
  );
}
