import { scenarioFixture } from '../testing/scenario-fixture';
import { compileScenario } from './compiled-scenario';
import { npcOutputSchema } from './reply/npc-output-schema';

const content = scenarioFixture();
const choices = { difficulty: 'standard', language: 'en', focus_dimension: null } as const;

describe('a compiled scenario', () => {
  it('makes the schema of an answer once for each preset', () => {
    const scenario = compileScenario(content);
    expect(scenario.outputSchema('standard')).toBe(scenario.outputSchema('standard'));
    expect(scenario.outputSchema('standard')).toEqual(npcOutputSchema(content, 'standard'));
    expect(scenario.outputSchema('hard')).toEqual(npcOutputSchema(content, 'hard'));
    expect(scenario.outputSchema('hard')).not.toEqual(scenario.outputSchema('standard'));
  });

  it('composes the static part of a prompt once for all that it hangs on', () => {
    const scenario = compileScenario(content);
    const first = scenario.staticParts(choices, 'whole');
    expect(scenario.staticParts({ ...choices }, 'whole')).toBe(first);
    const others = [
      scenario.staticParts(choices, 'brief'),
      scenario.staticParts({ ...choices, difficulty: 'hard' }, 'whole'),
      scenario.staticParts({ ...choices, language: 'de' }, 'whole'),
      scenario.staticParts({ ...choices, focus_dimension: 'listening' }, 'whole'),
    ];
    expect(new Set([first, ...others].map((parts) => JSON.stringify(parts))).size).toBe(5);
  });

  it('shares nothing with another one of the same content, and takes no more of a prompt than the prompt', () => {
    const [one, other] = [compileScenario(content), compileScenario({ ...content, title: 'Other' })];
    expect(one.outputSchema('standard')).not.toBe(other.outputSchema('standard'));
    const chatty = { ...choices, turns: ['what was said'], player_text: 'Hello.' };
    expect(one.staticParts(chatty, 'whole')).toBe(one.staticParts(choices, 'whole'));
  });
});
