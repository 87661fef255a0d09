import { autocompletion, completionKeymap, startCompletion } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentLess, indentMore } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { indentUnit } from '@codemirror/language';
import { setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { EditorState, type Text } from '@codemirror/state';
import { drawSelection, EditorView, hoverTooltip, keymap, lineNumbers } from '@codemirror/view';
import type { Finding } from '@parley/shared/contracts';
import { editorTheme } from './editor-theme';
import { completeYaml, explainYaml, type EditorHelp } from './help-sources';

export interface EditorOptions {
  readonly text: string;
  /** Name of the field for whoever cannot see it. */
  readonly label: string;
  readonly help: () => EditorHelp;
  readonly onChange: (text: string) => void;
}

export interface YamlEditor {
  /** Puts another text into the editor, from outside: it is no change of the author's. */
  setText(text: string): void;
  showFindings(findings: readonly Finding[]): void;
  /** Puts the cursor there, in sight. Lines and columns count from 1. */
  goTo(line: number, column: number): void;
  close(): void;
}

/** The place of a finding in the text: to the end of the word that stands there, or of the line. */
function rangeOf(doc: Text, { line, column }: Finding): { from: number; to: number } {
  const at = doc.line(Math.min(Math.max(line ?? 1, 1), doc.lines));
  const from = Math.min(at.from + Math.max((column ?? 1) - 1, 0), at.to);
  const word = /^[^\s,}\]]+/.exec(at.text.slice(from - at.from))?.[0].length ?? 0;
  return { from, to: word > 0 ? from + word : at.to };
}

const diagnosticOf = (doc: Text, finding: Finding): Diagnostic => ({
  ...rangeOf(doc, finding),
  severity: finding.severity,
  source: finding.rule,
  message: finding.hint === null ? finding.message : `${finding.message} ${finding.hint}`,
});

/**
 * An editor inside of `host`. It lies in a shadow root: there its styles are sheets made by script, which the policy of the page
 * allows, while a style element in the page is what it forbids.
 */
export function openEditor(host: HTMLElement, options: EditorOptions): YamlEditor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  let fromOutside = false;
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        yaml(),
        indentUnit.of('  '),
        autocompletion({ override: [completeYaml(options.help)], icons: false }),
        hoverTooltip(explainYaml(options.help)),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': options.label }),
        // Tab leaves the editor, as it leaves every field: Control with ] and [ indents.
        keymap.of([
          { key: 'Mod-]', run: indentMore },
          { key: 'Mod-[', run: indentLess },
          { key: 'Ctrl-Space', run: startCompletion },
          ...completionKeymap,
          ...historyKeymap,
          ...defaultKeymap,
        ]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !fromOutside) options.onChange(update.state.doc.toString());
        }),
        editorTheme,
      ],
    }),
  });
  return {
    setText: (text) => {
      if (text === view.state.doc.toString()) return;
      fromOutside = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
      fromOutside = false;
    },
    showFindings: (findings) => {
      const { doc } = view.state;
      view.dispatch(
        setDiagnostics(
          view.state,
          findings.map((finding) => diagnosticOf(doc, finding)),
        ),
      );
    },
    goTo: (line, column) => {
      const { doc } = view.state;
      const at = doc.line(Math.min(Math.max(line, 1), doc.lines));
      const anchor = Math.min(at.from + Math.max(column - 1, 0), at.to);
      view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
      view.focus();
    },
    close: () => view.destroy(),
  };
}
