import Ajv from 'ajv';
import { scenarioFixture } from '../../testing/scenario-fixture';
import { npcOutputSchema } from './npc-output-schema';

interface Node {
  type: string | string[];
  properties: Record<string, Node>;
  required: string[];
  description?: string;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  items: Node;
}
const content = scenarioFixture();
const schemaOf = (scenario = content, difficulty: 'standard' | 'hard' = 'standard') =>
  npcOutputSchema(scenario, difficulty) as unknown as Node;
const member = (name: string, scenario = content): Node => {
  const found = schemaOf(scenario).properties[name];
  if (!found) throw new Error(`no member ${name}`);
  return found;
};

describe('npcOutputSchema', () => {
  it('asks for the seven members in their order, the utterance first', () => {
    const order = [
      'npc_utterance',
      'npc_emotion',
      'state_delta',
      'event_flags',
      'rubric_observations',
      'safety',
      'session_control',
    ];
    expect(Object.keys(schemaOf().properties)).toEqual(order);
    expect(schemaOf().required).toEqual(order);
  });

  it('names exactly the variables of the scenario with what the preset lets them move', () => {
    const delta = member('state_delta');
    expect(Object.keys(delta.properties)).toEqual(Object.keys(content.variables));
    expect(delta.properties.alarm).toMatchObject({ type: 'integer', minimum: -8, maximum: 8 });
    expect(schemaOf(content, 'hard').properties.state_delta?.properties.alarm).toMatchObject({
      minimum: -11,
      maximum: 11,
    });
  });

  it('says which way is favourable where endings or moves tell', () => {
    const { properties } = member('state_delta');
    expect(properties.objective_progress?.description).toBe('Change of objective_progress. Favourable: up.');
    expect(properties.patience?.description).toMatch(/Favourable: up\.$/);
    expect(properties.alarm?.description).toMatch(/Favourable: down\.$/);
    expect(properties.rapport?.description).toBe('Change of rapport.');
    const calm = scenarioFixture({
      endings: [
        {
          id: 'a',
          type: 'success',
          title: null,
          when: [{ type: 'variable_below', variable: 'alarm', threshold: 5 }],
          debrief_note: null,
        },
        {
          id: 'b',
          type: 'failure',
          title: null,
          when: [{ type: 'variable_above', variable: 'pressure', threshold: 90 }],
          debrief_note: null,
        },
      ],
    });
    expect(member('state_delta', calm).properties.alarm?.description).toMatch(/Favourable: down\.$/);
    expect(member('state_delta', calm).properties.pressure?.description).toMatch(/Favourable: down\.$/);
  });

  it('lists moves and flags for the demo runtime, and leaves out what is empty', () => {
    expect(member('event_flags').description).toBe(
      'Moves of a skilled player: plain_news, asks_need. Flags: false_promise.',
    );
    expect(member('event_flags').items.enum).toEqual(['plain_news', 'asks_need', 'false_promise']);
    const flagless = scenarioFixture({ flags: {}, endings: [], events: [] });
    expect(member('event_flags', flagless).description).toBe('Moves of a skilled player: plain_news, asks_need.');
  });

  it('turns an empty vocabulary into an empty list, never into an empty enum', () => {
    const bare = scenarioFixture({ moves: [], flags: {}, endings: [], events: [], hints: [] });
    expect(member('event_flags', bare)).toEqual({ type: 'array', items: { type: 'string' }, maxItems: 0 });
    expect(JSON.stringify(schemaOf(bare))).not.toContain('"enum":[]');
  });

  it('bounds every string and every list, below what model servers can take', () => {
    const walk = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      const { type, enum: options, maxLength, maxItems } = node as Record<string, unknown>;
      if (type === 'array') expect(typeof maxItems).toBe('number');
      const isText = type === 'string' || (Array.isArray(type) && type.includes('string'));
      if (isText && !options && maxLength !== undefined) expect(maxLength).toBeLessThanOrEqual(1200);
      if (isText && !options) expect(typeof maxLength).toBe('number');
      Object.values(node).forEach(walk);
    };
    walk(schemaOf());
  });

  it('is a valid schema that takes a good answer and no strange one', () => {
    const validate = new Ajv({ strict: false }).compile(npcOutputSchema(content, 'standard'));
    const good = {
      npc_utterance: 'So?',
      npc_emotion: 'warm',
      state_delta: { trust: -20 },
      event_flags: ['asks_need'],
      rubric_observations: [{ dimension: 'clarity', delta: 10, note: '' }],
      safety: { action: 'ok', reason: null },
      session_control: { end_session: false, reason: null },
    };
    expect(validate(good)).toBe(true);
    for (const bad of [
      { npc_utterance: '' },
      { npc_emotion: 'x' },
      { state_delta: { trust: 21 } },
      { state_delta: { x: 1 } },
      { event_flags: ['customer_calls'] },
      { extra: 1 },
    ]) {
      expect(validate({ ...good, ...bad })).toBe(false);
    }
  });
});
