import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callApi } from '../client/call-api';
import { useMessages } from '../messages/use-messages';
import { ConfirmDialog } from '../shell/confirm-dialog';
import { Failure } from '../shell/failure';

/** Deletes all that was played, after the word was typed; then says how much it was. */
export function ClearEverything() {
  const { clear, history } = useMessages();
  const cache = useQueryClient();
  const [asking, setAsking] = useState(false);
  const run = useMutation({
    mutationFn: () => callApi('clearPrivacy', { body: {} }),
    onSuccess: async () => {
      window.sessionStorage.clear();
      await cache.invalidateQueries();
    },
  });
  return (
    <>
      <div className="actions">
        <button type="button" className="button button-danger" onClick={() => setAsking(true)}>
          {history.removeAll}
        </button>
      </div>
      {run.data !== undefined && <p role="status">{clear.done(run.data.deleted.sessions)}</p>}
      {run.error !== null && <Failure title="" error={run.error} />}
      {asking && (
        <ConfirmDialog
          title={clear.title}
          text={clear.text}
          confirm={clear.confirm}
          dangerous
          typeToConfirm={{ word: clear.word, label: clear.type(clear.word) }}
          onConfirm={() => run.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
