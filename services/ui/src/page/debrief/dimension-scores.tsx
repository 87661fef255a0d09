import type { Debrief, DebriefDimension, Turn } from '@parley/shared/contracts';
import { lineLabel } from '../messages/line-names';
import { useMessages } from '../messages/use-messages';
import type { Scenario } from '../play/play-ports';
import { DimensionChecks, type ShowEvidence } from './dimension-checks';
import { scoreLevel } from './score-level';
import { WhoJudged } from './who-judged';

interface DimensionScoresProps {
  readonly debrief: Debrief;
  readonly scenario: Scenario | null;
  readonly focus: string | null;
  readonly turns: readonly Turn[];
  readonly onShow: (turn: number) => void;
  readonly onShowEvidence: ShowEvidence;
}

/**
 * The numbers, each with what it rests on: the checks of the rubric, or without those the anchor that it matches and the
 * turns that were observed.
 */
export function DimensionScores(props: DimensionScoresProps) {
  const { debrief, scenario, focus, turns, onShow, onShowEvidence } = props;
  const { debrief: words, judging } = useMessages();
  if (debrief.judged === false)
    return (
      <section>
        <h2>{words.scores}</h2>
        <p className="reading" dir="auto">
          {debrief.not_judged_reason ?? judging.noScores}
        </p>
        <WhoJudged debrief={debrief} />
      </section>
    );
  return (
    <section>
      <h2>{words.scores}</h2>
      <p className="small muted">{debrief.judged === undefined ? words.scoresHint : judging.scoresHint}</p>
      <p className="overall">
        <span className="overall-number">{debrief.overall_score}</span> {words.outOf100}{' '}
        <span className="muted">{words.overall}</span>
      </p>
      <ul className="scores">
        {debrief.dimensions.map((dimension) => (
          <li key={dimension.id}>
            <Dimension
              dimension={dimension}
              anchors={scenario?.rubric.dimensions.find((one) => one.id === dimension.id)?.scoring ?? null}
              isFocus={focus === dimension.id}
              turns={turns}
              onShow={onShow}
              onShowEvidence={onShowEvidence}
            />
          </li>
        ))}
      </ul>
      <WhoJudged debrief={debrief} />
    </section>
  );
}

interface DimensionProps {
  readonly dimension: DebriefDimension;
  readonly anchors: Readonly<Record<'low' | 'medium' | 'high', string>> | null;
  readonly isFocus: boolean;
  readonly turns: readonly Turn[];
  readonly onShow: (turn: number) => void;
  readonly onShowEvidence: ShowEvidence;
}

function Dimension({ dimension, anchors, isFocus, turns, onShow, onShowEvidence }: DimensionProps) {
  const messages = useMessages();
  const { debrief: words } = messages;
  const { name, weight, score, observed, self_rating: own, observations } = dimension;
  const level = scoreLevel(score);
  const hasChecks = (dimension.checks ?? []).length + (dimension.faults ?? []).length > 0;
  return (
    <div className="score" data-observed={observed}>
      <h3>
        <span dir="auto">{name}</span> {isFocus && <span className="label">{words.focusTag}</span>}
      </h3>
      <p className="score-number">
        {observed ? score : words.notObserved}
        {own !== null && <span className="muted small"> {words.yours(own)}</span>}
      </p>
      <div className="score-bar" aria-hidden="true">
        {observed && <div className="score-fill" style={{ inlineSize: `${score}%` }} />}
        {own !== null && <div className="score-own" style={{ insetInlineStart: `${own}%` }} />}
      </div>
      {observed ? (
        anchors !== null &&
        !hasChecks && (
          <p className="reading score-anchor">
            <span className="label">{words.level[level]}</span> <span dir="auto">{anchors[level]}</span>
          </p>
        )
      ) : (
        <p className="small muted">{words.notObservedHint}</p>
      )}
      <DimensionChecks dimension={dimension} turns={turns} onShow={onShowEvidence} />
      {observations.length > 0 && !hasChecks && (
        <ul className="observations" aria-label={words.observed}>
          {observations.map((observation, at) => (
            <li key={at}>
              <button type="button" className="button button-quiet" onClick={() => onShow(observation.turn)}>
                {lineLabel(messages, observation.turn)}
              </button>
              <span className="small">
                {observation.delta > 0 ? '▲' : '▼'}
                {Math.abs(observation.delta)} <span dir="auto">{observation.note}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
      <p className="small muted">{words.weight(Math.round(weight * 100))}</p>
    </div>
  );
}
