import type { Debrief, DebriefDimension } from '@parley/shared/contracts';
import { useMessages } from '../messages/use-messages';
import type { Scenario } from '../play/play-ports';
import { scoreLevel } from './score-level';

interface DimensionScoresProps {
  readonly debrief: Debrief;
  readonly scenario: Scenario | null;
  readonly focus: string | null;
  readonly onShow: (turn: number) => void;
}

/** The numbers, each with the anchor of the rubric that it matches and the turns that it rests on. */
export function DimensionScores({ debrief, scenario, focus, onShow }: DimensionScoresProps) {
  const { debrief: words } = useMessages();
  return (
    <section>
      <h2>{words.scores}</h2>
      <p className="small muted">{words.scoresHint}</p>
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
              onShow={onShow}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface DimensionProps {
  readonly dimension: DebriefDimension;
  readonly anchors: Readonly<Record<'low' | 'medium' | 'high', string>> | null;
  readonly isFocus: boolean;
  readonly onShow: (turn: number) => void;
}

function Dimension({ dimension, anchors, isFocus, onShow }: DimensionProps) {
  const { debrief: words } = useMessages();
  const { name, weight, score, observed, self_rating: own, observations } = dimension;
  const level = scoreLevel(score);
  return (
    <div className="score" data-observed={observed}>
      <h3>
        {name} {isFocus && <span className="label">{words.focusTag}</span>}
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
        anchors !== null && (
          <p className="reading score-anchor">
            <span className="label">{words.level[level]}</span> {anchors[level]}
          </p>
        )
      ) : (
        <p className="small muted">{words.notObservedHint}</p>
      )}
      {observations.length > 0 && (
        <ul className="observations" aria-label={words.observed}>
          {observations.map((observation, at) => (
            <li key={at}>
              <button type="button" className="button button-quiet" onClick={() => onShow(observation.turn)}>
                {words.toTurn(observation.turn)}
              </button>
              <span className="small">
                {observation.delta > 0 ? '▲' : '▼'}
                {Math.abs(observation.delta)} {observation.note}
              </span>
            </li>
          ))}
        </ul>
      )}
      <p className="small muted">{words.weight(Math.round(weight * 100))}</p>
    </div>
  );
}
