import { useState } from 'react';
import type { RuntimeModel } from '@parley/shared/contracts';
import { useModels } from '../client/queries';
import { useMessages } from '../messages/use-messages';
import { ConfirmDialog } from '../shell/confirm-dialog';
import { Failure } from '../shell/failure';
import { useSay } from '../shell/status';
import { TAKES_FOCUS, useFocusAfterRemoval } from '../shell/use-focus-after-removal';
import { bytesText } from './install-state';
import { useDeleteModel } from './model-queries';
import { Refusal } from './refusal';

/** The models of what plays now; those that were installed can be deleted again. */
export function OfferedModels({ canDelete }: { canDelete: boolean }) {
  const { models: words, language } = useMessages();
  const say = useSay();
  const { data, error } = useModels();
  const [removing, setRemoving] = useState<RuntimeModel | null>(null);
  const remove = useDeleteModel();
  const { list, expectRemoval } = useFocusAfterRemoval<HTMLUListElement>(data?.models.map((model) => model.id));
  return (
    <section>
      <h2>{words.listed}</h2>
      {error !== null && <Failure title={words.failed} error={error} />}
      {remove.error !== null && <Refusal title="" error={remove.error} />}
      {data?.models.length === 0 && <p>{words.none}</p>}
      <ul className="models-list" ref={list}>
        {data?.models.map((model) => (
          <li key={model.id}>
            <span className="reading" {...TAKES_FOCUS}>
              {model.name}
            </span>
            <span className="models-facts">
              <span className="small muted">
                {[
                  model.context_length === null ? null : words.context(model.context_length),
                  model.size_bytes === null ? null : bytesText(model.size_bytes, language),
                  model.loaded ? words.loaded : null,
                ]
                  .filter((fact) => fact !== null)
                  .join(' · ')}
              </span>
              {canDelete && (
                <button
                  type="button"
                  className="button button-quiet button-danger"
                  aria-label={words.removeOne(model.name)}
                  onClick={() => setRemoving(model)}
                >
                  {words.remove}
                </button>
              )}
            </span>
          </li>
        ))}
      </ul>
      {removing !== null && (
        <ConfirmDialog
          title={words.removeTitle(removing.name)}
          text={words.removeText}
          confirm={words.remove}
          dangerous
          onConfirm={() => {
            expectRemoval(removing.id);
            remove.mutate(removing.id, { onSuccess: () => say(words.removed(removing.name)) });
          }}
          onClose={() => setRemoving(null)}
        />
      )}
    </section>
  );
}
