import { useId } from 'react';
import { useMessages } from '../messages/use-messages';
import { variableName } from '../messages/name-of';
import type { Scenario } from '../play/play-ports';

interface VariableMeterProps {
  readonly variable: Scenario['variables'][number];
  readonly value: number;
  readonly change: number;
}

/** One variable: name, number, last change, and a line that moves when the number does. */
export function VariableMeter({ variable: { name, min, max }, value, change }: VariableMeterProps) {
  const messages = useMessages();
  const id = useId();
  const share = max > min ? (value - min) / (max - min) : 0;
  return (
    <div className="meter">
      <span className="meter-name" id={id}>
        {variableName(messages, name)}
      </span>
      <span className="meter-value" aria-hidden="true">
        {value}
        {change !== 0 && (
          <span className="meter-change">
            {change > 0 ? ' ▲' : ' ▼'}
            {Math.abs(change)}
          </span>
        )}
      </span>
      <div
        className="meter-line"
        role="meter"
        aria-labelledby={id}
        aria-valuenow={value}
        aria-valuemin={min}
        aria-valuemax={max}
        aria-valuetext={messages.stage.meterValue(value, max, change)}
      >
        <div style={{ transform: `scaleX(${share})` }} />
      </div>
    </div>
  );
}
