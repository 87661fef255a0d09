import { useMutation } from '@tanstack/react-query';
import { useState, type SyntheticEvent } from 'react';
import type { DraftTalkRequest } from '@parley/shared/contracts';
import { callApi } from '../client/call-api';
import { useMessages } from '../messages/use-messages';
import { Failure } from '../shell/failure';

interface RecordTalkProps {
  readonly draftId: string;
  readonly request: DraftTalkRequest;
  readonly onRecorded: () => Promise<void>;
}

/** Writes the talk so far into the pack, as a playthrough. */
export function RecordTalk({ draftId, request, onRecorded }: RecordTalkProps) {
  const { draftTalk: words } = useMessages();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const record = useMutation({
    mutationFn: (asked: { fixture_id: string; description: string }) =>
      callApi('recordDraftTalk', { params: { draft_id: draftId }, body: { ...request, ...asked } }),
    onSuccess: onRecorded,
  });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const isWhole = name.trim() !== '' && description.trim() !== '';
    if (isWhole && !record.isPending) record.mutate({ fixture_id: name.trim(), description: description.trim() });
  };
  return (
    <details>
      <summary>{words.record}</summary>
      <form className="workbench-start" onSubmit={submit}>
        <p className="small muted">{words.recordHint}</p>
        <label className="field">
          <span>{words.recordName}</span>
          <input
            className="input"
            value={name}
            maxLength={64}
            pattern="[a-z0-9_]+"
            required
            autoComplete="off"
            autoCapitalize="none"
            onChange={(event) => setName(event.target.value)}
          />
        </label>
        <label className="field">
          <span>{words.recordDescription}</span>
          <input
            className="input"
            value={description}
            maxLength={400}
            required
            dir="auto"
            onChange={(event) => setDescription(event.target.value)}
          />
        </label>
        <button type="submit" className="button">
          {words.recordIt}
        </button>
        {record.data !== undefined && <p role="status">{words.recorded(record.data.path)}</p>}
        {record.error !== null && <Failure title={words.recordFailed} error={record.error} />}
      </form>
    </details>
  );
}
