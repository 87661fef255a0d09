import { useMutation, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import type { DraftDetail, Finding } from '@parley/shared/contracts';
import { callApi } from '../client/call-api';
import { useMessages } from '../messages/use-messages';
import { ConfirmDialog } from '../shell/confirm-dialog';
import { Failure } from '../shell/failure';
import { AddFile } from './add-file';
import { CodeEditor, type Goal } from './code-editor';
import { DraftFindings } from './draft-findings';
import type { EditorHelp } from './editor/help-sources';
import { FileTree } from './file-tree';
import type { DraftCheckState } from './use-draft-check';
import type { DraftFileState } from './use-draft-file';

const MANIFEST = 'manifest.yaml';
const NO_FORMAT = {};

interface DraftFilesProps {
  readonly draft: DraftDetail;
  readonly file: DraftFileState;
  readonly check: DraftCheckState;
  /** Reads the list of files again, and checks the draft. */
  readonly onFilesChanged: () => Promise<void>;
  /** Where to go first; null for the manifest. */
  readonly goal: (Goal & { readonly path: string }) | null;
}

/** The files of a draft: the tree, the editor, and what the check found. */
export function DraftFiles({ draft, file, check, onFilesChanged, goal: wanted }: DraftFilesProps) {
  const { draft: words } = useMessages();
  const [goal, setGoal] = useState<(Goal & { readonly path: string }) | null>(null);
  const { open } = file;
  const go = useCallback(
    async (path: string, place: Goal | null) => {
      if (await open(path)) setGoal(place === null ? null : { ...place, path });
    },
    [open],
  );
  const openPath = file.file?.path ?? null;
  // The button that removed a file went with it.
  const isFocusLost = useRef(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!isFocusLost.current || heading.current === null) return;
    isFocusLost.current = false;
    if (document.activeElement === document.body) heading.current.focus();
  });
  useEffect(() => {
    if (wanted !== null) void go(wanted.path, wanted);
    else if (openPath === null) void go(MANIFEST, null);
    // Once for each order: what is open later is the author's choice.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [wanted]);
  const follow = (finding: Finding) => {
    const path = draft.files.some((one) => one.path === finding.file && one.editable) ? finding.file : MANIFEST;
    void go(path, { line: finding.line ?? 1, column: finding.column ?? 1 });
  };
  return (
    <div className="workbench-files">
      <div className="workbench-side">
        <FileTree
          files={draft.files}
          findings={check.check?.findings ?? []}
          open={openPath}
          onOpen={(path) => void go(path, null)}
        />
        <AddFile
          draftId={draft.draft_id}
          onAdded={async (path) => {
            await onFilesChanged();
            await go(path, null);
          }}
        />
      </div>
      <div className="workbench-main">
        {file.openError !== null && <Failure title={words.fileFailed} error={file.openError} />}
        {file.file !== null && (
          <OpenFile
            draft={draft}
            open={file.file}
            heading={heading}
            state={file}
            check={check}
            goal={goal?.path === openPath ? goal : null}
            onRemoved={async () => {
              file.close();
              isFocusLost.current = true;
              await onFilesChanged();
              await go(MANIFEST, null);
            }}
          />
        )}
        <DraftFindings state={check} onGo={follow} />
      </div>
    </div>
  );
}

interface OpenFileProps {
  readonly draft: DraftDetail;
  readonly open: NonNullable<DraftFileState['file']>;
  readonly heading: RefObject<HTMLHeadingElement | null>;
  readonly state: DraftFileState;
  readonly check: DraftCheckState;
  readonly goal: Goal | null;
  readonly onRemoved: () => Promise<void>;
}

function OpenFile({ draft, open, heading, state, check, goal, onRemoved }: OpenFileProps) {
  const { draft: words } = useMessages();
  const [isRemoving, setRemoving] = useState(false);
  const { path } = open;
  const { data: format } = useQuery({
    queryKey: ['pack-format'],
    queryFn: () => callApi('getPackFormat', {}),
    staleTime: Infinity,
  });
  const remove = useMutation({
    mutationFn: async () => {
      await callApi('deleteDraftFile', { params: { draft_id: draft.draft_id, path } });
      await onRemoved();
    },
  });
  const kind = draft.files.find((file) => file.path === path)?.kind ?? 'other';
  const names = check.check?.names ?? null;
  const help = useMemo(
    (): EditorHelp => ({
      format: format?.kinds ?? NO_FORMAT,
      names,
      kind,
      words: { required: words.required, ofThisPack: words.ofThisPack },
    }),
    [format, names, kind, words],
  );
  const all = check.check?.findings;
  const findings = useMemo(() => (all ?? []).filter((finding) => finding.file === path), [all, path]);
  return (
    <section className="workbench-open">
      <header>
        <h2 ref={heading} tabIndex={-1}>
          {path}
        </h2>
        <p role="status" data-state={state.save.state}>
          {words.state[state.save.state]}
        </p>
      </header>
      {state.save.state === 'conflict' && (
        <Failure title={words.conflict} error={state.save.error}>
          <p>{words.conflictText}</p>
          <button type="button" className="button" onClick={() => void state.keepMine()}>
            {words.keepMine}
          </button>
          <button type="button" className="button" onClick={() => void state.open(path, 'anew')}>
            {words.takeTheirs}
          </button>
        </Failure>
      )}
      {state.save.state === 'failed' && (
        <Failure title={words.saveFailed} error={state.save.error} onRetry={() => void state.flush()} />
      )}
      <CodeEditor
        key={path}
        label={words.editor(path)}
        file={open}
        findings={findings}
        help={help}
        goal={goal}
        onChange={state.change}
      />
      <p className="small muted">{words.editorHint}</p>
      {path !== MANIFEST && (
        <div className="actions">
          <button type="button" className="button button-quiet button-danger" onClick={() => setRemoving(true)}>
            {words.removeFile}
          </button>
        </div>
      )}
      {remove.error !== null && <Failure title={words.removeFileFailed} error={remove.error} />}
      {isRemoving && (
        <ConfirmDialog
          title={words.removeFileTitle(path)}
          text={words.removeFileText}
          confirm={words.removeFile}
          dangerous
          onConfirm={() => remove.mutate()}
          onClose={() => setRemoving(false)}
        />
      )}
    </section>
  );
}
