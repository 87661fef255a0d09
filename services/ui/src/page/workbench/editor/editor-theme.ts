import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** The design of the page in the editor's own sheet: it lies in a shadow root, where only variables reach in. */
const theme = EditorView.theme({
  '&': {
    color: 'var(--ink)',
    backgroundColor: 'var(--paper-raised)',
    fontSize: 'var(--text-15)',
    blockSize: '100%',
  },
  '.cm-scroller': {
    fontFamily: 'ui-monospace, "Cascadia Code", "Liberation Mono", Menlo, monospace',
    lineHeight: '1.5',
  },
  '.cm-content': { caretColor: 'var(--ink)', paddingBlock: 'var(--space-3)' },
  '&.cm-focused': { outline: '2px solid var(--action)', outlineOffset: '-2px' },
  '.cm-cursor': { borderInlineStartColor: 'var(--ink)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground, ::selection': {
    backgroundColor: 'var(--action-wash) !important',
  },
  '.cm-gutters': {
    color: 'var(--ink-muted)',
    backgroundColor: 'var(--paper-raised)',
    borderInlineEnd: '1px solid var(--hairline)',
  },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
  '.cm-tooltip': {
    color: 'var(--ink)',
    backgroundColor: 'var(--paper)',
    border: '1px solid var(--edge)',
    fontFamily: 'var(--font-ui)',
    fontSize: 'var(--text-13)',
    maxInlineSize: '28rem',
  },
  '.cm-tooltip .explained, .cm-tooltip .cm-diagnostic, .cm-completionInfo': {
    padding: 'var(--space-2) var(--space-3)',
  },
  '.cm-tooltip p': { margin: '0', whiteSpace: 'pre-line' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { color: 'var(--on-action)', backgroundColor: 'var(--action)' },
  '.cm-completionDetail': { fontStyle: 'normal', opacity: '1' },
  '.cm-lintRange-error': { textDecoration: 'underline wavy var(--danger)', backgroundImage: 'none' },
  '.cm-lintRange-warning': { textDecoration: 'underline dotted var(--voice)', backgroundImage: 'none' },
  '.cm-diagnostic-error': { borderInlineStart: '3px solid var(--danger)' },
  '.cm-diagnostic-warning': { borderInlineStart: '3px solid var(--voice)' },
});

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--action)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--voice)' },
  { tag: [tags.comment, tags.lineComment], color: 'var(--ink-muted)', fontStyle: 'italic' },
  { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], color: 'var(--ink-muted)' },
]);

export const editorTheme = [theme, syntaxHighlighting(colours)];
