import type { Messages } from './en';
import { connect } from './de/connect';
import { frame } from './de/frame';
import { help } from './de/help';
import { judging } from './de/judging';
import { lookingBack } from './de/looking-back';
import { managing } from './de/managing';
import { models } from './de/models';
import { playing } from './de/playing';
import { practice } from './de/practice';
import { rehearse } from './de/rehearse';
import { workbench } from './de/workbench';

/** All words of the page in German; fetched where the browser asks for it. */
export const de: Messages = {
  language: 'de',
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
