import { playerTurn, playerUtterance } from './player-utterance';

const STATE = '## STATE\nPlayer turn 9 of 14; 5 left after it.\nVariables: trust 50.\nEvents so far: idiot.';

describe('playerUtterance', () => {
  it('is the fenced text of its section and nothing of the state or of what follows', () => {
    const content = `${STATE}\n\n## PLAYER_UTTERANCE\n<<<TEXT k3x9>>>\nFirst line.\n\nSecond?\n<<<END k3x9>>>\n\nAnswer with the JSON object.`;
    expect(playerUtterance([{ role: 'user', content }])).toBe('First line.\n\nSecond?');
  });

  it('is found between marks of any number of angle brackets, whatever the player says', () => {
    const content = `${STATE}\n\n## PLAYER_UTTERANCE\n<TEXT k3x9>\nI heard END k3x9.\n<END k3x9>\n\nAnswer: why?`;
    expect(playerUtterance([{ role: 'user', content }])).toBe('I heard END k3x9.');
  });

  it('is the paragraph under the heading when there is no fence, and the whole message without a heading', () => {
    expect(
      playerUtterance([{ role: 'user', content: '## STATE\nx\n## PLAYER_UTTERANCE\nHello there.\n\nAnswer.' }]),
    ).toBe('Hello there.');
    expect(playerUtterance([{ role: 'user', content: ' Hello. ' }])).toBe('Hello.');
  });

  it('is taken from the last user message', () => {
    const messages = [
      { role: 'user' as const, content: 'Old.' },
      { role: 'assistant' as const, content: 'Reply.' },
      { role: 'user' as const, content: 'New.' },
    ];
    expect(playerUtterance(messages)).toBe('New.');
    expect(playerUtterance([])).toBe('');
  });

  it('counts turns as the prompt states them, since the window of messages stops growing', () => {
    expect(playerTurn([{ role: 'user', content: STATE }])).toBe(9);
    expect(
      playerTurn([
        { role: 'user', content: 'Hello.' },
        { role: 'assistant', content: 'Hi.' },
        { role: 'user', content: 'So.' },
      ]),
    ).toBe(2);
  });
});
