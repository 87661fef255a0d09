import { createContext, useContext } from 'react';
import { en, type Messages } from './en';

/** By language. English is there; another one is fetched when it is needed. */
const CATALOGUES: Readonly<Record<string, () => Messages | Promise<Messages>>> = {
  en: () => en,
  de: () => import('./de').then(({ de }) => de),
};

/**
 * The words of the page in the first language of the browser that there are words for; English without one, and where they
 * cannot be fetched.
 * @param languages as tags, the best first
 */
export async function chooseMessages(languages: readonly string[]): Promise<Messages> {
  for (const language of languages) {
    const code = language.slice(0, 2).toLowerCase();
    if (!Object.hasOwn(CATALOGUES, code)) continue;
    try {
      return (await CATALOGUES[code]?.()) ?? en;
    } catch {
      return en;
    }
  }
  return en;
}

export const MessagesContext = createContext<Messages>(en);

export const useMessages = (): Messages => useContext(MessagesContext);
