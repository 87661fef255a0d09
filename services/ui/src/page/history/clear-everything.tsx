import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { callApi } from '../client/call-api';
import { tabMemory } from '../client/tab-memory';
import { useMessages } from '../messages/use-messages';
import { dismissed } from '../plans/dismissed';
import { plans } from '../plans/plan-memory';
import { ConfirmDialog } from '../shell/confirm-dialog';
import { Failure } from '../shell/failure';
import { useSay } from '../shell/status';

/** Deletes all that was played, after the word was typed; then says how much it was. */
export function ClearEverything({ isThereAnything = true }: { isThereAnything?: boolean }) {
  const { clear, history } = useMessages();
  const cache = useQueryClient();
  const say = useSay();
  const done = useRef<HTMLParagraphElement>(null);
  const [asking, setAsking] = useState(false);
  const run = useMutation({
    mutationFn: () => callApi('clearPrivacy', { body: {} }),
    onSuccess: async ({ deleted }) => {
      tabMemory.clear();
      plans.forgetAll();
      dismissed.forgetAll();
      await cache.invalidateQueries();
      say(clear.done(deleted.sessions));
    },
  });
  useEffect(() => {
    // The button that had the focus is gone with what it could delete.
    if (run.isSuccess && !isThereAnything && document.activeElement === document.body) done.current?.focus();
  }, [run.isSuccess, isThereAnything]);
  return (
    <>
      {isThereAnything && (
        <div className="actions">
          <button type="button" className="button button-danger" onClick={() => setAsking(true)}>
            {history.removeAll}
          </button>
        </div>
      )}
      {run.isSuccess && (
        <p ref={done} tabIndex={-1}>
          {clear.done(run.data.deleted.sessions)}
        </p>
      )}
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
