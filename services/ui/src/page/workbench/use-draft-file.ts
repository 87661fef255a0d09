import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError } from '../client/api-error';
import { callApi } from '../client/call-api';
import { FileSaver, type OpenFile, type SaveState } from './file-saver';

/** A pause in typing after which a text is saved, in milliseconds. */
const PAUSE_MS = 500;

export interface DraftFileState {
  readonly file: OpenFile | null;
  readonly save: { readonly state: SaveState; readonly error: unknown };
  /** Why a file could not be opened; null while all is well. */
  readonly openError: unknown;
  /**
   * Saves what is open and opens another file, or the same one anew.
   * @returns whether it is open: not when another was asked for meanwhile, or when there is trouble, which is then in sight.
   */
  open(path: string, anew?: 'anew'): Promise<boolean>;
  change(text: string): void;
  /** Saves now. @returns whether nothing is left to save. */
  flush(): Promise<boolean>;
  keepMine(): Promise<void>;
  /** Makes `file` what the editor holds now: before the editor is closed and opened again. */
  settle(): void;
  /** Forgets the file that is open: it was deleted. */
  close(): void;
}

const readFile = (draftId: string, path: string, signal?: AbortSignal) =>
  callApi('getDraftFile', { params: { draft_id: draftId, path } }, signal);

/** The file of a draft that is open in the editor, saved while it is written. */
export function useDraftFile(draftId: string, onSaved: () => void): DraftFileState {
  const [file, setFile] = useState<OpenFile | null>(null);
  const [save, setSave] = useState<DraftFileState['save']>({ state: 'saved', error: null });
  const [openError, setOpenError] = useState<unknown>(null);
  const told = useRef(onSaved);
  useEffect(() => {
    told.current = onSaved;
  }, [onSaved]);
  const [saver] = useState(
    () =>
      new FileSaver({
        save: async (path, text, base) =>
          (await callApi('saveDraftFile', { params: { draft_id: draftId, path }, body: { text, base_version: base } }))
            .version,
        isConflict: (error) => ApiError.from(error).code === 'INVALID_STATE',
        onState: (state, error) => setSave({ state, error }),
        onSaved: () => told.current(),
        later: (work) => {
          const timer = setTimeout(work, PAUSE_MS);
          return () => clearTimeout(timer);
        },
      }),
  );

  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (saver.isDirty) event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => {
      window.removeEventListener('beforeunload', warn);
      void saver.flush();
    };
  }, [saver]);

  const opening = useRef<AbortController | null>(null);
  const open = useCallback(
    async (path: string, anew?: 'anew') => {
      // The file that was asked for last is opened, in whatever order the answers come.
      opening.current?.abort();
      const own = new AbortController();
      opening.current = own;
      // What could not be saved stays in sight; what was typed while the file was read is saved as well.
      const isSaved = async () => anew !== undefined || (await saver.flush());
      try {
        if (!(await isSaved())) return false;
        const read = await readFile(draftId, path, own.signal);
        if (!(await isSaved()) || own.signal.aborted) return false;
        saver.open(read);
        setFile(read);
        setOpenError(null);
        return true;
      } catch (error) {
        if (!own.signal.aborted) setOpenError(error);
        return false;
      }
    },
    [draftId, saver],
  );
  const keepMine = useCallback(async () => {
    const path = file?.path ?? '';
    const theirs = await readFile(draftId, path).catch(() => null);
    await saver.keepMine(theirs?.version ?? null);
  }, [draftId, file, saver]);
  const close = useCallback(() => {
    opening.current?.abort();
    saver.open({ path: '', text: '', version: null });
    setFile(null);
  }, [saver]);
  return {
    file,
    save,
    openError,
    open,
    change: useCallback((text: string) => saver.change(text), [saver]),
    flush: useCallback(() => saver.flush(), [saver]),
    keepMine,
    settle: useCallback(() => setFile((last) => last && { ...last, text: saver.current }), [saver]),
    close,
  };
}
