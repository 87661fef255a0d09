import type { FormLanguage } from '@parley/shared/contracts';
import { connect } from './en/connect';
import { frame } from './en/frame';
import { help } from './en/help';
import { judging } from './en/judging';
import { lookingBack } from './en/looking-back';
import { models } from './en/models';
import { managing } from './en/managing';
import { playing } from './en/playing';
import { practice } from './en/practice';
import { rehearse } from './en/rehearse';
import { workbench } from './en/workbench';

/**
 * All words of the page in English. Another language is another object of the type Messages: the compiler then names every
 * missing sentence, and every value that a sentence must be given.
 */
export const en = {
  // Packs out of a form are made in the page's language, so a catalogue has one in which they can be made.
  language: 'en' as FormLanguage,
  ...frame,
  ...playing,
  ...lookingBack,
  ...judging,
  ...practice,
  ...managing,
  ...models,
  ...connect,
  ...rehearse,
  ...workbench,
  ...help,
};

export type Messages = typeof en;
