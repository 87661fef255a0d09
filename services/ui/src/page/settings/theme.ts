import { browserMemory } from '../client/tab-memory';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'parley.theme';

export function readTheme(): Theme {
  const stored = browserMemory.read(KEY);
  return THEMES.find((theme) => theme === stored) ?? 'system';
}

export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

export function chooseTheme(theme: Theme): void {
  browserMemory.write(KEY, theme === 'system' ? null : theme);
  applyTheme(theme);
}
