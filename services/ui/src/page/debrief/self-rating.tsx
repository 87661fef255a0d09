import { useEffect, useState, type SyntheticEvent } from 'react';
import { useMessages } from '../messages/use-messages';
import type { Scenario } from '../play/play-ports';
import { Failure } from '../shell/failure';
import { PageHeading } from '../shell/page-heading';
import { ratingChoice, type Ratings } from './rating-choice';

interface SelfRatingProps {
  readonly sessionId: string;
  readonly scenario: Scenario;
  /** null: the player would rather not. */
  readonly onDone: (ratings: Ratings | null) => Promise<void>;
}

/** The player's own view of each dimension, before any score is shown. */
export function SelfRating({ sessionId, scenario, onDone }: SelfRatingProps) {
  const { debrief } = useMessages();
  const [ratings, setRatings] = useState<Ratings>(() => ratingChoice.readDraft(sessionId) ?? {});
  const [error, setError] = useState<unknown>(null);
  useEffect(() => ratingChoice.writeDraft(sessionId, ratings), [sessionId, ratings]);
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    try {
      await onDone(Object.keys(ratings).length === 0 ? null : ratings);
    } catch (thrown) {
      setError(thrown);
    }
  };
  return (
    <div className="page">
      <header>
        <PageHeading title={debrief.rateTitle} />
        <p className="reading muted">{debrief.rateText}</p>
      </header>
      <form className="rating" onSubmit={(event) => void submit(event)}>
        {scenario.rubric.dimensions.map(({ id, name, description, scoring }) => (
          <label className="rating-row" key={id}>
            <span className="rating-name" dir="auto">
              {name}
            </span>
            <span className="small muted" dir="auto">
              {description}
            </span>
            <input
              type="range"
              min="0"
              max="100"
              step="5"
              value={ratings[id] ?? 50}
              aria-valuetext={ratings[id] === undefined ? debrief.notRated : String(ratings[id])}
              onChange={(event) => setRatings({ ...ratings, [id]: Number(event.target.value) })}
            />
            <span className="rating-ends small muted" aria-hidden="true">
              <span dir="auto">{scoring.low}</span>
              <strong>{ratings[id] ?? '–'}</strong>
              <span dir="auto">{scoring.high}</span>
            </span>
          </label>
        ))}
        {error !== null && <Failure title="" error={error} />}
        <div className="actions">
          <button type="submit" className="button button-primary">
            {debrief.rateSave}
          </button>
          <button type="button" className="button" onClick={() => void onDone(null)}>
            {debrief.rateSkip}
          </button>
        </div>
      </form>
    </div>
  );
}
