/** What a turn is called, by language of the debrief, as regular expressions; the English word is understood in all. */
const TURN_WORDS: Readonly<Record<string, string>> = {
  da: 'tur(?:en)?|runden?',
  de: 'zug|züge|zügen|zuges|runden?|beitr(?:ag|äge)',
  es: 'turnos?',
  fi: 'vuoro(?:ssa)?',
  fr: 'tours?',
  it: 'turn[oi]',
  ja: 'ターン',
  ko: '턴',
  nl: 'beurt(?:en)?',
  no: 'tur(?:en)?|runden?',
  pl: 'tur(?:a|y|ę|ze|ach)|kolejc?k?(?:a|i|ę|e)',
  pt: 'turnos?',
  ru: 'ход(?:а|е|у|ы|ов)?|реплик(?:а|и|е|у)',
  sv: 'tur(?:en)?|omgång(?:en)?',
  uk: 'хід|ход(?:у|и|і|ів)|реплік(?:а|и|у)',
  zh: '回合|轮次|轮',
};
const NUMBER_SIGN = String.raw`(?:(?:numbers?|nos?\.?|nr\.?|n[º°]|№)\s?)?#?`;
const BETWEEN = String.raw`\s?(?:,?\s?(?:and|or|to|through|until|und|oder|bis|et|ou|à|y|o|a|e|en|of|tot|и|или|до|i)\s|[,\-–—/&])\s?`;

const IN_BRACKETS = /\s?[([（][^()[\]（）]*[)\]）]/gu;

export interface TurnCitations {
  /** Indexes of turns that a text names. */
  citedIn(text: string): number[];
  /** The text without references in brackets for which `isGone` holds. */
  withoutReferences(text: string, isGone: (reference: string) => boolean): string;
}

/** How turns are cited in a language: `turn 4`, `turns 2, 4, and 6`, `turn no. 4`, `the 4th turn`, and its own word. */
export function turnCitations(language: string): TurnCitations {
  const words = ['turns?', ...(TURN_WORDS[language] ?? '').split('|').filter((word) => word !== '')].join('|');
  const named = String.raw`(?<!\p{Script=Latin}|\p{Script=Cyrillic})(?:${words})[\s-]?${NUMBER_SIGN}`;
  const listed = new RegExp(
    String.raw`${named}(\d+(?:${BETWEEN}(?:(?:${words})\s)?#?\d+)*)|(?<!\d)(\d+)(?:st|nd|rd|th) turn\b|第\s?(\d+)\s?(?:回合|轮)`,
    'giu',
  );
  const citing = new RegExp(String.raw`${named}\d`, 'iu');
  const single = (text: string): string => text.replace(/\s+/gu, ' ');
  return {
    citedIn: (text) =>
      /\d/.test(text)
        ? [...single(text).matchAll(listed)].flatMap((match) =>
            (match[1] ?? match[2] ?? match[3] ?? '').split(/\D+/).filter(Boolean).map(Number),
          )
        : [],
    withoutReferences: (text, isGone) =>
      text.replace(IN_BRACKETS, (reference) => (citing.test(reference) && isGone(reference) ? '' : reference)),
  };
}
