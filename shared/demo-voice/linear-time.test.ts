import type { ChatMessage } from '@parley/shared/contracts';
import { slowTexts } from '@parley/shared/testing';
import { cannedTurn } from './canned-turn';
import { playerMood } from './player-mood';
import { playerTurn, playerUtterance } from './player-utterance';
import { readTurnSchema } from './turn-schema';

const said = (content: string): ChatMessage[] => [{ role: 'user', content }];
const section = (text: string): ChatMessage[] => said(`## PLAYER_UTTERANCE\n<TEXT k7q2x>\n${text}\n<END k7q2x>\n`);

/** Everything of the demo voice that reads text of players and packs. */
const READERS: Record<string, (text: string) => unknown> = {
  playerUtterance: (text) => [playerUtterance(said(text)), playerUtterance(section(text))],
  'playerUtterance, under its heading': (text) => playerUtterance(said(`PLAYER_UTTERANCE\n${text}`)),
  playerTurn: (text) => playerTurn(said(text)),
  playerMood: (text) => playerMood(text),
  'playerMood, in German': (text) => playerMood(text, 'de'),
  cannedTurn: (text) => cannedTurn(section(text), { properties: {} }),
  'cannedTurn, with a cue': (text) => cannedTurn(section('Hello.'), { properties: {} }, { text, emotion: text }),
  readTurnSchema: (text) =>
    readTurnSchema({
      properties: {
        event_flags: { description: text, items: { enum: ['a'] } },
        state_delta: { properties: { trust: { description: text } } },
      },
    }),
};

describe('text from outside, 64 KB of it', () => {
  it.each(Object.entries(READERS))('%s: takes less than 50 ms, or a time that grows with the text', (_name, read) => {
    expect(slowTexts(read)).toEqual([]);
  });
});
