import { useMutation } from '@tanstack/react-query';
import { useState, type SyntheticEvent } from 'react';
import { callApi } from '../client/call-api';
import { useMessages } from '../messages/use-messages';
import { Failure } from '../shell/failure';

/** What a new YAML file begins with; what else it needs is what the check says. */
const BEGINNING = 'schema_version: "0.2"\n';

interface AddFileProps {
  readonly draftId: string;
  readonly onAdded: (path: string) => Promise<void>;
}

/** Adds a file by its path. */
export function AddFile({ draftId, onAdded }: AddFileProps) {
  const { draft: words } = useMessages();
  const [path, setPath] = useState('');
  const add = useMutation({
    mutationFn: async (wanted: string) => {
      const text = wanted.endsWith('.yaml') ? BEGINNING : '';
      const params = { draft_id: draftId, path: wanted };
      await callApi('saveDraftFile', { params, body: { text, base_version: null } });
      await onAdded(wanted);
    },
    onSuccess: () => setPath(''),
  });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (path.trim() !== '' && !add.isPending) add.mutate(path.trim());
  };
  return (
    <form className="workbench-add" onSubmit={submit}>
      <label className="field">
        <span>{words.addFile}</span>
        <input
          className="input"
          value={path}
          placeholder="npcs/sam.yaml"
          autoComplete="off"
          autoCapitalize="none"
          onChange={(event) => setPath(event.target.value)}
        />
      </label>
      <button type="submit" className="button">
        {words.add}
      </button>
      {add.error !== null && <Failure title={words.addFailed} error={add.error} />}
    </form>
  );
}
