interface SwitchProps {
  readonly name: string;
  readonly hint: string;
  readonly on: boolean;
  /** null: it can be read only. */
  readonly onChange: ((on: boolean) => void) | null;
}

/** A setting that is on or off, with what that means. */
export function Switch({ name, hint, on, onChange }: SwitchProps) {
  return (
    <label className="switch">
      <input
        type="checkbox"
        role="switch"
        checked={on}
        disabled={onChange === null}
        onChange={(event) => onChange?.(event.target.checked)}
      />
      <span>{name}</span>
      <small>{hint}</small>
    </label>
  );
}
