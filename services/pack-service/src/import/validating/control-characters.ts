import type { Finding } from '@parley/shared/contracts';
import { finding, type Place } from './finding';

/** What YAML itself forbids in a text: controls but tab and line breaks, halves of pairs, and what is no character. */
const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]|\p{Surrogate}/u;
const ALL_CONTROLS = new RegExp(CONTROL.source, 'gu');
const MAX_FINDINGS = 10;

export const holdsControlCharacter = (text: string): boolean => CONTROL.test(text);

/** Control characters that stand in a file as they are. Those that are written as `\x07` are seen once it is parsed. */
export function findControlCharacters(file: string, text: string, at: (offset: number) => Place): Finding[] {
  const findings: Finding[] = [];
  for (const { 0: character, index } of text.matchAll(ALL_CONTROLS)) {
    const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0') ?? '';
    findings.push(
      finding({
        rule: 'yaml.control-character',
        file,
        place: at(index),
        message: `There is a control character here (U+${code}).`,
        hint: 'Delete it: it cannot be seen, and nothing shows it.',
      }),
    );
    if (findings.length >= MAX_FINDINGS) break;
  }
  return findings;
}
