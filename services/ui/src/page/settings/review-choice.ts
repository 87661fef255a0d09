import { browserMemory } from '../client/tab-memory';

const KEY = 'parley.review_before_sending';

/** Whether a turn is read over once more before it is sent. */
export const readReviewChoice = (): boolean => browserMemory.read(KEY) === 'on';

export const writeReviewChoice = (on: boolean): void => browserMemory.write(KEY, on ? 'on' : null);
