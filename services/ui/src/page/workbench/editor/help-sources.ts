import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import type { EditorView, Tooltip } from '@codemirror/view';
import type { DraftNames } from '@parley/shared/contracts';
import { memberAt, membersAt, nameOf, namesAt, type Format } from './format-lookup';
import { placeAt, readLine } from './yaml-path';

/** What the editor knows of the file that is open. */
export interface EditorHelp {
  readonly format: Format;
  readonly names: DraftNames | null;
  /** Of the file, as the format names it. */
  readonly kind: string;
  readonly words: { readonly required: string; readonly ofThisPack: string };
}

const memberCompletions = (help: EditorHelp, around: readonly string[]): Completion[] =>
  membersAt(help.format, help.kind, around).map((member) => ({
    label: nameOf(member),
    type: 'property',
    detail: member.required ? `${member.type}, ${help.words.required}` : member.type,
    info: member.description,
    apply: member.holds === 'value' ? `${nameOf(member)}: ` : `${nameOf(member)}:`,
    boost: member.required ? 1 : 0,
  }));

/** Completes members from the format, and values from the format and the names of the pack. */
export function completeYaml(help: () => EditorHelp) {
  return (context: CompletionContext): CompletionResult | null => {
    const now = help();
    const place = placeAt(context.state.sliceDoc(0, context.pos));
    if (
      place.word === '' &&
      !context.explicit &&
      !/[:\-[{,] $/.test(context.state.sliceDoc(context.pos - 2, context.pos))
    )
      return null;
    const names = now.names === null ? [] : namesAt(now.names, place);
    const own = names.map((label): Completion => ({
      label,
      type: 'constant',
      detail: now.words.ofThisPack,
      boost: 2,
      ...(place.key === null && place.around.at(-1) !== '[]' ? { apply: `${label}: ` } : {}),
    }));
    const list = place.around.at(-1) === '[]' ? place.around.at(-2) : undefined;
    const valued = place.key ?? list;
    const around = place.key === null ? place.around.slice(0, -2) : place.around;
    const member = valued === undefined ? null : memberAt(now.format, now.kind, around, valued);
    const values = (member?.values ?? []).map((label): Completion => ({ label, type: 'enum' }));
    const members = place.key === null ? memberCompletions(now, place.around) : [];
    const options = [...own, ...values, ...members];
    return options.length === 0 ? null : { from: context.pos - place.word.length, options, validFor: /^[\w./-]*$/ };
  };
}

/** Explains the member that the pointer is on. */
export function explainYaml(help: () => EditorHelp) {
  return (view: EditorView, pos: number): Tooltip | null => {
    const line = view.state.doc.lineAt(pos);
    const { key, column } = readLine(line.text) ?? { key: null, column: 0 };
    const from = line.from + column;
    if (key === null || pos < from || pos > from + key.length + 2) return null;
    const now = help();
    const { around } = placeAt(view.state.sliceDoc(0, from + key.length));
    const member = memberAt(now.format, now.kind, around, key);
    if (member === null) return null;
    return {
      pos: from,
      end: from + key.length,
      above: true,
      create: () => {
        const dom = document.createElement('div');
        dom.className = 'explained';
        const name = document.createElement('strong');
        name.textContent = member.required ? `${key} (${now.words.required})` : key;
        const type = document.createElement('span');
        type.textContent = ` ${member.type}`;
        const text = document.createElement('p');
        text.textContent = member.description;
        dom.append(name, type, text);
        return { dom };
      },
    };
  };
}
