import { createContext, useContext } from 'react';
import { en, type Messages } from './en';

/** One file a language. The first language of the browser that is here is the language of the page. */
const CATALOGUES: Readonly<Record<string, Messages>> = { en };

export function chooseMessages(languages: readonly string[]): Messages {
  for (const language of languages) {
    const found = CATALOGUES[language.slice(0, 2).toLowerCase()];
    if (found !== undefined) return found;
  }
  return en;
}

export const MessagesContext = createContext<Messages>(en);

export const useMessages = (): Messages => useContext(MessagesContext);
