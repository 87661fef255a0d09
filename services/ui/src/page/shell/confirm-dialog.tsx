import { useEffect, useId, useRef, useState, type SyntheticEvent } from 'react';
import { useMessages } from '../messages/use-messages';

interface ConfirmDialogProps {
  readonly title: string;
  readonly text: string;
  readonly confirm: string;
  readonly dangerous?: boolean;
  /** A word that has to be typed before it can be confirmed. */
  readonly typeToConfirm?: { readonly word: string; readonly label: string };
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** A question that must be answered first. The browser's own dialog keeps the focus inside and gives it back. */
export function ConfirmDialog({
  title,
  text,
  confirm,
  dangerous,
  typeToConfirm,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const { app } = useMessages();
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState('');
  const id = useId();
  const allowed = typeToConfirm === undefined || typed.trim().toLowerCase() === typeToConfirm.word;

  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!allowed) return;
    dialog.current?.close();
    onConfirm();
  };

  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onClose={onClose}
    >
      <form onSubmit={submit}>
        <h2 id={`${id}-title`}>{title}</h2>
        <p id={`${id}-text`}>{text}</p>
        {typeToConfirm !== undefined && (
          <label className="field">
            <span>{typeToConfirm.label}</span>
            <input
              className="input"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              autoComplete="off"
              autoCapitalize="none"
            />
          </label>
        )}
        <div className="actions">
          <button
            type="submit"
            className={`button ${dangerous ? 'button-danger' : 'button-primary'}`}
            aria-disabled={!allowed || undefined}
          >
            {confirm}
          </button>
          <button type="button" className="button" onClick={() => dialog.current?.close()}>
            {app.cancel}
          </button>
        </div>
      </form>
    </dialog>
  );
}
