import type { ReactNode } from 'react';
import type { Debrief } from '@parley/shared/contracts';
import { useMessages } from '../messages/use-messages';
import { Quoted } from './quoted';

interface SayInsteadProps {
  readonly advice: NonNullable<Debrief['say_instead']>;
  /** The way back to the line, where there is one. */
  readonly retryOf: (turn: number) => ReactNode;
}

/** The player's words, a better line and why. */
export function SayInstead({ advice, retryOf }: SayInsteadProps) {
  const { judging: words } = useMessages();
  return advice.map((one) => (
    <div className="suggestion" key={`${one.dimension} ${one.check}`}>
      {one.said !== null && <Quoted title={words.youSaid(one.line)} text={one.said} />}
      {one.better !== null && (
        <Quoted title={words.better} text={one.better} aside={one.adapted && <> · {words.fitted}</>} />
      )}
      <Quoted title={words.why} text={one.why} />
      {retryOf(one.turn)}
    </div>
  ));
}
