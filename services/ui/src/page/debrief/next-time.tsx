import type { ReactNode } from 'react';
import type { Debrief } from '@parley/shared/contracts';
import { useMessages } from '../messages/use-messages';
import { Failure } from '../shell/failure';
import { SayInstead } from './say-instead';
import type { Suggestion } from './suggestion';

interface NextTimeProps {
  readonly debrief: Debrief;
  /** The way back to the line, where there is one. */
  readonly retryOf: (turn: number, suggestion: Suggestion) => ReactNode;
  readonly error: unknown;
}

/** What to do differently: better lines where the rubric's checks know some, else advice in words. */
export function NextTime({ debrief, retryOf, error }: NextTimeProps) {
  const { debrief: words, judging } = useMessages();
  const advice = debrief.say_instead ?? [];
  // The better lines say the same as the improvements, and better.
  const improvements = advice.length > 0 ? [] : debrief.improvements;
  const suggestions = debrief.replay_suggestions.filter(({ turn }) => advice.every((one) => one.turn !== turn));
  if (debrief.judged === false && improvements.length + suggestions.length + advice.length === 0) return null;
  return (
    <section>
      <h2>{advice.length > 0 ? judging.sayInstead : words.next}</h2>
      {advice.length === 0 && improvements.length === 0 && <p className="reading">{words.noNext}</p>}
      <SayInstead advice={advice} sessionId={debrief.session_id} retryOf={retryOf} />
      {improvements.map((text) => (
        <p className="reading" key={text} dir="auto">
          {text}
        </p>
      ))}
      {suggestions.map(({ turn, suggestion }) => (
        <div className="suggestion" key={`${turn} ${suggestion}`}>
          <p className="reading" dir="auto">
            {suggestion}
          </p>
          {retryOf(turn, { suggestion, isLine: false })}
        </div>
      ))}
      {error !== null && <Failure title="" error={error} />}
    </section>
  );
}
