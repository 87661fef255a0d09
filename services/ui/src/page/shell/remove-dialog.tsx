import { useMutation } from '@tanstack/react-query';
import { ConfirmDialog } from './confirm-dialog';
import { Failure } from './failure';

interface RemoveDialogProps {
  /** What somebody wants to remove; null while nobody does. */
  readonly asked: { readonly id: string; readonly title: string } | null;
  readonly text: string;
  readonly confirm: string;
  /** Right before it is asked for, while what goes is still on the page. */
  readonly expectRemoval: (id: string) => void;
  readonly remove: (id: string) => Promise<unknown>;
  readonly onRemoved: (id: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks before one of a list is removed, removes it, and says in its place on the page when that failed. */
export function RemoveDialog({ asked, expectRemoval, remove, onRemoved, onClose, ...words }: RemoveDialogProps) {
  const removal = useMutation({ mutationFn: remove, onSuccess: (_, removed) => onRemoved(removed) });
  return (
    <>
      {removal.error !== null && <Failure title="" error={removal.error} />}
      {asked !== null && (
        <ConfirmDialog
          {...words}
          title={asked.title}
          dangerous
          onConfirm={() => {
            expectRemoval(asked.id);
            removal.mutate(asked.id);
          }}
          onClose={onClose}
        />
      )}
    </>
  );
}
