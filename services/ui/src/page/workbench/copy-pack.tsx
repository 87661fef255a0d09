import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type SyntheticEvent } from 'react';
import type { Draft } from '@parley/shared/contracts';
import { callApi } from '../client/call-api';
import { randomKey } from '../client/random-key';
import { useMessages } from '../messages/use-messages';
import { Failure } from '../shell/failure';

/** Begins a draft with the files of an installed pack; those that were made here first. */
export function CopyPack({ onMade }: { onMade: (draft: Draft) => Promise<void> }) {
  const { workbench: words, packs: packWords } = useMessages();
  const { data } = useQuery({ queryKey: ['packs'], queryFn: () => callApi('listPacks', {}) });
  const [chosen, setChosen] = useState('');
  const copy = useMutation({
    mutationFn: (packId: string) =>
      callApi('createDraft', { body: { copy_of: packId }, headers: { 'idempotency-key': randomKey() } }),
    onSuccess: onMade,
  });
  const packs = [...(data?.packs ?? [])].sort((one, other) => Number(one.built_in) - Number(other.built_in));
  const packId = chosen === '' ? (packs[0]?.pack_id ?? '') : chosen;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (packId !== '' && !copy.isPending) copy.mutate(packId);
  };
  return (
    <section>
      <h2>{words.copyTitle}</h2>
      <p className="reading">{words.copyIntro}</p>
      <form className="workbench-form" onSubmit={submit}>
        <label className="field">
          <span>{words.copyPack}</span>
          <select className="input" value={packId} onChange={(event) => setChosen(event.target.value)}>
            {packs.map((pack) => (
              <option key={pack.pack_id} value={pack.pack_id}>
                {pack.built_in ? `${pack.name} (${packWords.builtIn})` : pack.name}
              </option>
            ))}
          </select>
        </label>
        <div className="actions">
          <button type="submit" className="button" aria-disabled={copy.isPending || undefined}>
            {words.copy}
          </button>
        </div>
      </form>
      {copy.error !== null && <Failure title={words.createFailed} error={copy.error} />}
    </section>
  );
}
