import { scenarioFixture } from '../../testing/scenario-fixture';
import { openSession } from '../open-session';
import { stateAndUtterance } from './state-section';

const content = scenarioFixture({
  bands: {
    patience: [
      { below: 25, text: 'short answers' },
      { below: 101, text: 'calm and friendly' },
    ],
  },
  secrets: [
    {
      id: 'loan',
      when: [{ type: 'flag', flag_id: 'asks_need' }],
      text: 'A loan machine would do.',
      hint: 'Ask what she needs.',
    },
  ],
});
const { state } = openSession(content, 'standard');
const section = (changes: Partial<typeof state> = {}): string =>
  stateAndUtterance(content, { ...state, ...changes }, 'Hello.', 'k3j9');

describe('the state in the prompt', () => {
  it('says in words how the character is now', () => {
    expect(section()).toContain('calm and friendly');
    expect(section()).not.toContain('short answers');
    expect(section({ state_vars: { ...state.state_vars, patience: 24 } })).toContain('short answers');
  });

  it('holds a secret once its condition holds, and not before', () => {
    expect(section()).not.toContain('loan machine');
    expect(section({ flags: ['asks_need'] })).toContain('A loan machine would do.');
    expect(section({ flags: ['asks_need'] })).not.toContain('Ask what she needs.');
  });
});
