import { useId, useState, type SyntheticEvent } from 'react';
import { useMessages } from '../messages/use-messages';
import type { Setup } from './setup';

type Kind = 'local_server' | 'local_native';
const KINDS: readonly Kind[] = ['local_server', 'local_native'];

/** For a program that listens where nobody looks. The service says what is wrong with an address. */
export function OtherAddress({ onBegin }: { onBegin: (setup: Setup) => void }) {
  const { connect: words } = useMessages();
  const [address, setAddress] = useState('');
  const [kind, setKind] = useState<Kind>('local_server');
  const hintId = useId();
  // Clients of this API are often given the address with its version, which Parley adds itself.
  const base_url = address
    .trim()
    .replace(/(?<!\/)\/+$/, '')
    .replace(/\/v1$/, '');
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (base_url === '') return;
    onBegin({ name: base_url, steps: ['choose', 'try'], choice: { runtime_id: kind, base_url }, fetched: null });
  };
  return (
    <details>
      <summary>{words.elsewhere}</summary>
      <form className="connect-form" onSubmit={submit}>
        <label className="field">
          <span>{words.address}</span>
          <input
            className="input"
            value={address}
            inputMode="url"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            aria-describedby={hintId}
            onChange={(event) => setAddress(event.target.value)}
          />
        </label>
        <p className="small muted" id={hintId}>
          {words.addressHint}
        </p>
        <label className="field">
          <span>{words.kind}</span>
          <select
            className="input"
            value={kind}
            onChange={(event) => setKind(KINDS.find((one) => one === event.target.value) ?? 'local_server')}
          >
            {KINDS.map((one) => (
              <option key={one} value={one}>
                {words.kinds[one]}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" className="button" aria-disabled={base_url === '' || undefined}>
          {words.connectIt}
        </button>
      </form>
    </details>
  );
}
