/** Names of the baseline variables for people, by language, where the id itself is not one. */
const NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  en: { objective_progress: 'progress' },
  de: {
    objective_progress: 'Fortschritt',
    trust: 'Vertrauen',
    patience: 'Geduld',
    pressure: 'Druck',
    rapport: 'Nähe',
    openness: 'Offenheit',
  },
};

const own = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/** The name of a variable as a person reads it; of one that an author made up, its id in words. @param language as a code: de */
export const variableName = (id: string, language: string): string =>
  own(own(NAMES, language) ?? {}, id) ?? id.replaceAll('_', ' ');
