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
  readonly text: string;
  readonly findings: readonly Finding[];
  readonly help: EditorHelp;
  readonly goal: Goal | null;
  readonly onChange: (text: string) => void;
}

/** The editor: fetched when a file is opened, since nobody else needs it. Made anew for each file by its key. */
export function CodeEditor({ label, text, findings, help, goal, onChange }: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<YamlEditor | null>(null);
  const now = useRef({ text, help, onChange });
  useEffect(() => {
    now.current = { text, help, onChange };
  }, [text, help, onChange]);
  useEffect(() => {
    let opened: YamlEditor | null = null;
    let isGone = false;
    void import('./editor/yaml-editor').then(({ openEditor }) => {
      if (isGone || host.current === null) return;
      opened = openEditor(host.current, {
        text: now.current.text,
        label,
        help: () => now.current.help,
        onChange: (changed) => now.current.onChange(changed),
      });
      setEditor(opened);
    });
    return () => {
      isGone = true;
      opened?.close();
      setEditor(null);
    };
  }, [label]);
  useEffect(() => editor?.setText(text), [editor, text]);
  useEffect(() => editor?.showFindings(findings), [editor, findings]);
  useEffect(() => {
    if (goal !== null) editor?.goTo(goal.line, goal.column);
  }, [editor, goal]);
  return (
    <>
      {editor === null && <Loading />}
      <div className="workbench-editor" ref={host} />
    </>
  );
}
