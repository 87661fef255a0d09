import type { Difficulty } from '@parley/shared/contracts';

/** What code says of a scenario to somebody who has not played it, by language. */
interface ScenarioWords {
  readonly presets: Readonly<Record<Difficulty, string>>;
  readonly afterTurns: (turns: number) => string;
  readonly isAbove: (variable: string, threshold: number) => string;
  readonly isBelow: (variable: string, threshold: number) => string;
  readonly and: string;
  readonly more: string;
  readonly playShows: string;
  readonly noEffect: string;
  readonly noPicture: (name: string) => string;
  /** The pack was asked for in a language that it does not have. */
  readonly otherLanguage: (wished: string, spoken: string) => string;
  /** The demo voice has neither lines of the author nor of its own in the language of the talk. */
  readonly demoInEnglish: (spoken: string) => string;
}

const ENGLISH: ScenarioWords = {
  presets: { warm: 'Warm', standard: 'Standard', hard: 'Hard', adversarial: 'Adversarial' },
  afterTurns: (turns) => `after ${turns} turns`,
  isAbove: (variable, threshold) => `${variable} is above ${threshold}`,
  isBelow: (variable, threshold) => `${variable} is below ${threshold}`,
  and: ' and ',
  more: ', and something more that play shows',
  playShows: 'What you say decides; play shows when.',
  noEffect: 'Has no effect in this scenario.',
  noPicture: (name) => `There is no picture of ${name} in this pack.`,
  otherLanguage: (wished, spoken) => `This pack has no ${wished}: the talk is in ${spoken}.`,
  demoInEnglish: (spoken) =>
    `The demo voice has no lines in ${spoken} here and says English ones; a connected model speaks ${spoken}.`,
};

const GERMAN: ScenarioWords = {
  presets: { warm: 'Freundlich', standard: 'Normal', hard: 'Schwer', adversarial: 'Feindselig' },
  afterTurns: (turns) => `nach ${turns} Zeilen`,
  isAbove: (variable, threshold) => `${variable} liegt über ${threshold}`,
  isBelow: (variable, threshold) => `${variable} liegt unter ${threshold}`,
  and: ' und ',
  more: ', und noch etwas, das sich beim Spielen zeigt',
  playShows: 'Was du sagst, entscheidet; wann, zeigt sich beim Spielen.',
  noEffect: 'Ändert in diesem Szenario nichts.',
  noPicture: (name) => `In diesem Paket gibt es kein Bild von ${name}.`,
  otherLanguage: (wished, spoken) => `Dieses Paket gibt es nicht auf ${wished}: Gesprochen wird ${spoken}.`,
  demoInEnglish: (spoken) =>
    `Die Demostimme hat hier keine Sätze auf ${spoken} und sagt englische; ein verbundenes Modell spricht ${spoken}.`,
};

/** Of the pack's language, or of the reader's where the pack has not got it. */
export const scenarioWords = (language: string): ScenarioWords => (language === 'de' ? GERMAN : ENGLISH);

/** Languages in which the demo voice has lines of its own. */
const DEMO_LANGUAGES: readonly string[] = ['en', 'de'];

/** Whether the demo voice can speak as the scenario does: in lines of its author, or in its own. */
export const demoSpeaks = (language: string, authoredLines: number): boolean =>
  authoredLines > 0 || DEMO_LANGUAGES.includes(language);

/** The name of a language in another one: Deutsch. Made where it is asked for: it brings tables of several MB. */
export const languageName = (code: string, inLanguage: string): string =>
  new Intl.DisplayNames([inLanguage === 'de' ? 'de' : 'en'], { type: 'language' }).of(code) ?? code;
