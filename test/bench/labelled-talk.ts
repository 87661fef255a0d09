import { readLabelledLines } from '@parley/shared/testing';
import { PROJECT_ROOT } from '../set/managed-process';

/** Long lines of a player, each of so many characters, made of the English labelled lines one after the other. */
export function longLines(characters: number): string[] {
  const english = readLabelledLines(PROJECT_ROOT).lines.filter(({ language = 'en' }) => language === 'en');
  const text = english.map(({ line }) => line).join(' ');
  return Array.from({ length: Math.floor(text.length / characters) }, (_, index) =>
    text.slice(index * characters, (index + 1) * characters),
  );
}
