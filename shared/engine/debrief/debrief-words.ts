import type { EndingType } from '@parley/shared/contracts';

/** What code says in a debrief. Names, checks and notes in it are the author's, in the language of the session. */
export interface DebriefWords {
  readonly howItEnded: Readonly<Record<EndingType, string>>;
  /** "after 3 lines of yours", as it follows {@link howItEnded}. */
  readonly afterLines: (lines: number) => string;
  readonly allThere: string;
  readonly firstToWorkOn: string;
  readonly whereItTurned: (line: number, kind: 'lost' | 'won') => string;
  readonly nothingMoved: string;
  /** Marks round the learner's own words. */
  readonly quotes: readonly [open: string, close: string];
  readonly yourLine: (line: number) => string;
  /** In the place of a quotation that is not kept. */
  readonly thereItWas: string;
  readonly roomFrom: (line: number) => string;
  readonly dueBy: (line: number) => string;
  readonly sayAgain: (line: number) => string;
  readonly wentWrong: string;
  readonly aimForThis: string;
  /** What to try next with a line that has this fault. */
  readonly sayWithout: (fault: string) => string;
  readonly nothingMissing: string;
  readonly nothingSaid: string;
  readonly nobodyToJudge: string;
  readonly withoutTurns: (turns: number) => string;
  readonly wordsNotKept: string;
  readonly changed: (name: string, from: number, to: number) => string;
  readonly and: string;
  readonly somethingChanged: string;
  readonly changedTheTalk: string;
  readonly ledBack: string;
  readonly stoppedForSafety: string;
}

const ENGLISH: DebriefWords = {
  howItEnded: {
    success: 'The talk reached its goal',
    failure: 'The talk broke off',
    timeout: 'The talk ran out of turns',
    player_exit: 'You ended the talk',
    safety_stop: 'The talk was stopped for safety',
  },
  afterLines: (lines) =>
    lines === 0 ? 'before you said anything' : `after ${lines} ${lines === 1 ? 'line' : 'lines'} of yours`,
  allThere: 'Everything that this talk asks for was there. Try it at a harder setting.',
  firstToWorkOn: 'First to work on',
  whereItTurned: (line, kind) => `Your line ${line} ${kind === 'lost' ? 'cost the most' : 'gained the most'}.`,
  nothingMoved: 'Nothing you said changed where the two of you stand.',
  quotes: ['“', '”'],
  yourLine: (line) => `Your line ${line}:`,
  thereItWas: 'there it was.',
  roomFrom: (line) => `It did not come up; there was room for it from your line ${line} on.`,
  dueBy: (line) => `It did not come up; it was due by your line ${line}.`,
  sayAgain: (line) => `Say your line ${line} again.`,
  wentWrong: 'What went wrong there',
  aimForThis: 'Aim for this',
  sayWithout: (fault) => `Say it without this: ${fault}`,
  nothingMissing: 'Nothing is missing from this line. Play on from here to see where it leads.',
  nothingSaid: 'You left before there was anything to judge.',
  nobodyToJudge: 'What this talk asks for can only be judged by a model, and none could be asked.',
  withoutTurns: (turns) =>
    `Written without ${turns} turns in which little changed: the talk was too long for the model.`,
  wordsNotKept: 'The words of this talk were not kept, so this is made from the scores alone.',
  changed: (name, from, to) => `${name} ${to > from ? 'rose' : 'fell'} from ${from} to ${to}`,
  and: 'and',
  somethingChanged: 'Something changed on the other side.',
  changedTheTalk: 'This changed how the talk went on.',
  ledBack: 'The talk was led back to its matter.',
  stoppedForSafety: 'The talk was stopped for safety.',
};

const GERMAN: DebriefWords = {
  howItEnded: {
    success: 'Das Gespräch hat sein Ziel erreicht',
    failure: 'Das Gespräch ist abgebrochen',
    timeout: 'Dem Gespräch ging die Zeit aus',
    player_exit: 'Du hast das Gespräch beendet',
    safety_stop: 'Das Gespräch wurde aus Sicherheitsgründen beendet',
  },
  afterLines: (lines) =>
    lines === 0 ? 'bevor du etwas gesagt hast' : `nach ${lines} ${lines === 1 ? 'Zeile' : 'Zeilen'} von dir`,
  allThere: 'Alles, worauf es in diesem Gespräch ankommt, war da. Versuch es eine Stufe schwerer.',
  firstToWorkOn: 'Daran zuerst arbeiten',
  whereItTurned: (line, kind) => `Deine Zeile ${line} hat am meisten ${kind === 'lost' ? 'gekostet' : 'gebracht'}.`,
  nothingMoved: 'Nichts von dem, was du gesagt hast, hat zwischen euch etwas verändert.',
  quotes: ['„', '“'],
  yourLine: (line) => `Deine Zeile ${line}:`,
  thereItWas: 'Da war es.',
  roomFrom: (line) => `Das kam nicht vor; Platz dafür war ab deiner Zeile ${line}.`,
  dueBy: (line) => `Das kam nicht vor; dran gewesen wäre es bis zu deiner Zeile ${line}.`,
  sayAgain: (line) => `Sag deine Zeile ${line} noch einmal.`,
  wentWrong: 'Was dort schiefging',
  aimForThis: 'Darauf kommt es an',
  sayWithout: (fault) => `Sag es ohne das: ${fault}`,
  nothingMissing: 'Dieser Zeile fehlt nichts. Spiel von hier weiter und sieh, wohin sie führt.',
  nothingSaid: 'Du bist gegangen, bevor es etwas zu bewerten gab.',
  nobodyToJudge: 'Worauf es in diesem Gespräch ankommt, kann nur ein Modell beurteilen, und es war keines da.',
  withoutTurns: (turns) =>
    `Geschrieben ohne ${turns} Redebeiträge, in denen sich wenig geändert hat: Das Gespräch war zu lang für das Modell.`,
  wordsNotKept: 'Die Worte dieses Gesprächs wurden nicht aufgehoben, deshalb steht hier nur, was die Punkte hergeben.',
  changed: (name, from, to) => `${name} ${to > from ? 'stieg' : 'fiel'} von ${from} auf ${to}`,
  and: 'und',
  somethingChanged: 'Auf der anderen Seite hat sich etwas verändert.',
  changedTheTalk: 'Das hat den weiteren Verlauf verändert.',
  ledBack: 'Das Gespräch wurde zum Thema zurückgeführt.',
  stoppedForSafety: 'Das Gespräch wurde aus Sicherheitsgründen beendet.',
};

const WORDS: Readonly<Record<string, DebriefWords>> = { en: ENGLISH, de: GERMAN };

/** What code says in a debrief of this language; English where it has no words for it. */
export const debriefWords = (language: string): DebriefWords =>
  (Object.hasOwn(WORDS, language) ? WORDS[language] : undefined) ?? ENGLISH;
