import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isPair, parseDocument, visit } from 'yaml';
import { PROJECT_ROOT } from '../set/managed-process';

const SIGNED = ['signs', 'exemplars', 'proof'];

/**
 * Copies the pack `the_ask` into a folder under another id, as it would be without a single sign: the same words, the same
 * prompts, and nothing to look for in what the player says. @returns the folder
 */
export function writeUnsignedPack(folder: string, id: string): string {
  cpSync(path.join(PROJECT_ROOT, 'packs/the_ask'), folder, { recursive: true });
  // Its plays expect what the signs prove.
  rmSync(path.join(folder, 'tests'), { recursive: true });
  const change = (name: string, mend: (document: ReturnType<typeof parseDocument>) => void): void => {
    const file = path.join(folder, name);
    const document = parseDocument(readFileSync(file, 'utf8'));
    mend(document);
    writeFileSync(file, document.toString());
  };
  const withoutSigns = (document: ReturnType<typeof parseDocument>): void =>
    visit(document, {
      Map(_key, map, ancestors) {
        const list = ancestors.at(-2);
        const isIn = (...names: string[]): boolean => isPair(list) && names.includes(String(list.key));
        // A line of the demo voice that answers by signs of its own would without them answer everything.
        if (isIn('demo') && map.has('signs')) return visit.REMOVE;
        // A check that has signs of its own becomes one of a move: something must be left to look for.
        if (isIn('checks', 'faults') && map.has('signs')) map.set('move', 'gave_evidence');
        for (const member of SIGNED) map.delete(member);
        return undefined;
      },
    });
  change('manifest.yaml', (document) => document.set('pack_id', id));
  change('scenarios/the_ask.yaml', withoutSigns);
  change('rubrics/pay_talk.yaml', withoutSigns);
  return folder;
}
