import { slowTexts } from '@parley/shared/testing';
import { isDeeperThan } from './read-body';

/** What the door of every process does with a body before it is parsed. */
const READERS: Record<string, (text: string) => unknown> = {
  'isDeeperThan, as it came': (text) => isDeeperThan(text, 64),
  'isDeeperThan, in a string': (text) => isDeeperThan(`{"a":"${text}`, 64),
};

describe('text from outside, 64 KB of it', () => {
  it.each(Object.entries(READERS))('%s: takes less than 50 ms, or a time that grows with the text', (_name, read) => {
    expect(slowTexts(read)).toEqual([]);
  });
});
