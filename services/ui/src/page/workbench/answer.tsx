import { useId } from 'react';

interface AnswerProps {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  /** In characters. */
  readonly longest: number;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** One question of a form with its hint. */
export function Answer({ name, label, hint, longest, value, onChange }: AnswerProps) {
  const hintId = useId();
  return (
    <div>
      <label className="field">
        <span>{label}</span>
        <input
          className="input"
          name={name}
          value={value}
          maxLength={longest}
          autoComplete="off"
          dir="auto"
          aria-describedby={hintId}
          onChange={(event) => onChange(event.target.value)}
        />
      </label>
      <p className="small muted" id={hintId}>
        {hint}
      </p>
    </div>
  );
}
