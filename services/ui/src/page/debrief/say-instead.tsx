import type { ReactNode } from 'react';
import type { Debrief } from '@parley/shared/contracts';
import { useMessages } from '../messages/use-messages';
import { Quoted } from './quoted';
import type { Suggestion } from './suggestion';
import { ToMoment } from './to-moment';

interface SayInsteadProps {
  readonly sessionId: string;
  readonly advice: NonNullable<Debrief['say_instead']>;
  /** The way back to the line, where there is one. */
  readonly retryOf: (turn: number, suggestion: Suggestion) => ReactNode;
}

/** The player's words, a better line and why. */
export function SayInstead({ advice, sessionId, retryOf }: SayInsteadProps) {
  const { judging: words } = useMessages();
  return advice.map((one) => (
    <div className="suggestion" key={`${one.dimension} ${one.check}`}>
      {one.said !== null && <Quoted title={words.youSaid(one.line)} text={one.said} />}
      {one.better !== null && (
        <Quoted title={words.better} text={one.better} aside={one.adapted && <> · {words.fitted}</>} />
      )}
      <Quoted title={words.why} text={one.why} />
      <div className="actions">
        <ToMoment sessionId={sessionId} turn={one.turn} />
        {retryOf(one.turn, { suggestion: one.better ?? one.why, isLine: one.better !== null })}
      </div>
    </div>
  ));
}
