import { useEffect, useRef, useState } from 'react';
import type { Finding } from '@parley/shared/contracts';
import { Loading } from '../shell/loading';
import type { EditorHelp } from './editor/help-sources';
import type { YamlEditor } from './editor/yaml-editor';

/** A place in the file to go to; another object is another order. */
export interface Goal {
  readonly line: number;
  readonly column: number;
}

interface CodeEditorProps {
  readonly label: string;
  /** What was opened; another object is put into the editor, also when its text is the one that was opened before. */
  readonly file: { readonly text: string };
  readonly findings: readonly Finding[];
  readonly help: EditorHelp;
  readonly goal: Goal | null;
  readonly onChange: (text: string) => void;
}

/** The editor: fetched when a file is opened, since nobody else needs it. Made anew for each file by its key. */
export function CodeEditor({ label, file, findings, help, goal, onChange }: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<YamlEditor | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const now = useRef({ file, help, onChange });
  useEffect(() => {
    now.current = { file, help, onChange };
  }, [file, help, onChange]);
  useEffect(() => {
    let opened: YamlEditor | null = null;
    let isGone = false;
    import('./editor/yaml-editor').then(
      ({ openEditor }) => {
        if (isGone || host.current === null) return;
        opened = openEditor(host.current, {
          text: now.current.file.text,
          label,
          help: () => now.current.help,
          onChange: (changed) => now.current.onChange(changed),
        });
        setEditor(opened);
      },
      (error: unknown) => {
        if (!isGone) setFailure(error);
      },
    );
    return () => {
      isGone = true;
      opened?.close();
      setEditor(null);
    };
  }, [label]);
  useEffect(() => editor?.setText(file.text), [editor, file]);
  useEffect(() => editor?.showFindings(findings), [editor, findings]);
  useEffect(() => {
    if (goal !== null) editor?.goTo(goal.line, goal.column);
  }, [editor, goal]);
  // Parley was built anew meanwhile: who catches what could not be fetched offers to load the page again.
  if (failure !== null) throw failure;
  return (
    <>
      {editor === null && <Loading />}
      <div className="workbench-editor" ref={host} />
    </>
  );
}
