import Ajv from 'ajv';
import { CANNED_LINES } from './canned-lines';
import { cannedTurn } from './canned-turn';

const variable = (bound: number, favourable?: 'up' | 'down'): Record<string, unknown> => ({
  type: 'integer',
  minimum: -bound,
  maximum: bound,
  description: `Change of it.${favourable === undefined ? '' : ` Favourable: ${favourable}.`}`,
});

const SCHEMA = {
  type: 'object',
  properties: {
    npc_utterance: { type: 'string', minLength: 1, maxLength: 1200 },
    npc_emotion: { type: 'string', enum: ['neutral', 'warm', 'defensive', 'hesitant'] },
    state_delta: {
      type: 'object',
      properties: {
        trust: variable(12, 'up'),
        patience: variable(20, 'up'),
        pressure: variable(20),
        rapport: variable(20, 'up'),
        openness: variable(20),
        objective_progress: variable(14, 'up'),
        stubbornness: variable(3, 'down'),
        weather: variable(20),
      },
      additionalProperties: false,
    },
    event_flags: {
      type: 'array',
      items: {
        type: 'string',
        enum: ['asked_interest', 'gave_evidence', 'built_option', 'ultimatum', 'gave_ground', 'attack'],
      },
      maxItems: 6,
      description:
        'Moves of a skilled player: asked_interest, gave_evidence, built_option. Flags: ultimatum, gave_ground, attack.',
    },
    rubric_observations: {
      type: 'array',
      maxItems: 4,
      items: {
        type: 'object',
        properties: {
          dimension: { type: 'string', enum: ['inquiry', 'clarity'] },
          delta: { type: 'integer', minimum: -10, maximum: 10 },
          note: { type: 'string', maxLength: 200 },
        },
        required: ['dimension', 'delta', 'note'],
        additionalProperties: false,
      },
    },
    safety: {
      type: 'object',
      properties: { action: { enum: ['ok', 'redirect'] }, reason: { type: ['string', 'null'] } },
      required: ['action', 'reason'],
    },
    session_control: {
      type: 'object',
      properties: { end_session: { type: 'boolean' }, reason: { type: ['string', 'null'] } },
      required: ['end_session', 'reason'],
    },
  },
  required: [
    'npc_utterance',
    'npc_emotion',
    'state_delta',
    'event_flags',
    'rubric_observations',
    'safety',
    'session_control',
  ],
  additionalProperties: false,
};

const prompt = (said: string, turn = 1) => [
  { role: 'system' as const, content: 'Rules.' },
  {
    role: 'user' as const,
    content: `## STATE\nPlayer turn ${turn} of 14; 3 left after it.\n\n## PLAYER_UTTERANCE\n<<<TEXT f>>>\n${said}\n<<<END f>>>\n\nAnswer.`,
  },
];

const KIND = 'I understand that. What would help you to say yes to 54,000 by Friday?';
const HOSTILE = 'You are pathetic. Agree now or else I quit.';
const PASSIVE = 'ok';

const validate = new Ajv({ strict: false }).compile(SCHEMA);

/** Plays one kind of player against plain arithmetic and answers the values after each turn. */
function play(said: (turn: number) => string, turns: number): Record<string, number>[] {
  const values: Record<string, number> = {
    trust: 46,
    patience: 70,
    pressure: 25,
    rapport: 44,
    openness: 50,
    objective_progress: 0,
  };
  return Array.from({ length: turns }, (_unused, at) => {
    const output = cannedTurn(prompt(said(at + 1), at + 1), SCHEMA);
    for (const [name, delta] of Object.entries(output.state_delta))
      values[name] = Math.min(100, Math.max(0, (values[name] ?? 50) + delta));
    return { ...values };
  });
}

describe('cannedTurn', () => {
  it.each([KIND, HOSTILE, PASSIVE, ''])('has all seven members within the schema: %s', (said) => {
    const output = cannedTurn(prompt(said), SCHEMA);
    validate(output);
    expect(validate.errors).toBeNull();
  });

  it('is the same for the same request and varies with what is said', () => {
    expect(cannedTurn(prompt(KIND), SCHEMA)).toEqual(cannedTurn(prompt(KIND), SCHEMA));
    const lines = new Set(
      Array.from({ length: 30 }, (_unused, at) => cannedTurn(prompt(`${KIND} ${at}`), SCHEMA).npc_utterance),
    );
    expect(lines.size).toBeGreaterThan(8);
  });

  it('does not repeat a line that is still in the conversation', () => {
    const first = cannedTurn(prompt(KIND), SCHEMA).npc_utterance;
    const messages = [{ role: 'assistant' as const, content: first }, ...prompt(KIND)];
    expect(cannedTurn(messages, SCHEMA).npc_utterance).not.toBe(first);
  });

  it('moves variables the favourable way for a constructive player and names one or two moves and no other flag', () => {
    const output = cannedTurn(prompt(KIND), SCHEMA);
    expect(output.state_delta['trust']).toBeGreaterThan(0);
    expect(output.state_delta['objective_progress']).toBeGreaterThan(0);
    expect(output.state_delta['stubbornness']).toBe(-3);
    expect(output.state_delta).not.toHaveProperty('weather');
    expect(Math.abs(output.state_delta['pressure'] ?? 0)).toBeLessThanOrEqual(2);
    expect([1, 2]).toContain(output.event_flags.length);
    for (const flag of output.event_flags) expect(['asked_interest', 'gave_evidence', 'built_option']).toContain(flag);
    expect(output.rubric_observations.every((one) => one.delta > 0)).toBe(true);
  });

  it('goes through all moves within a few turns', () => {
    const named = new Set([1, 2, 3].flatMap((turn) => cannedTurn(prompt(KIND, turn), SCHEMA).event_flags));
    expect([...named].sort()).toEqual(['asked_interest', 'built_option', 'gave_evidence']);
  });

  it('moves variables the wrong way for a hostile player and names only a flag that the wording fits', () => {
    const output = cannedTurn(prompt(HOSTILE), SCHEMA);
    expect(output.state_delta['patience']).toBeLessThan(-9);
    expect(output.state_delta['trust']).toBeLessThan(0);
    expect(output.state_delta['stubbornness']).toBe(3);
    expect(output.event_flags).toEqual(['ultimatum']);
    expect(cannedTurn(prompt('You never listen.'), SCHEMA).event_flags).toEqual([]);
    expect(output.rubric_observations.every((one) => one.delta < 0)).toBe(true);
    expect(output.npc_emotion).toBe('defensive');
  });

  it('brings a constructive player over 79 with trust above 44 in seven to ten turns', () => {
    const states = play((turn) => `${KIND} ${turn}`, 14);
    const at =
      states.findIndex((values) => (values['objective_progress'] ?? 0) > 79 && (values['trust'] ?? 0) > 44) + 1;
    expect(at).toBeGreaterThanOrEqual(7);
    expect(at).toBeLessThanOrEqual(10);
  });

  it('brings a hostile player to the end of patience and lets a passive one run out of turns', () => {
    const hostile = play(() => HOSTILE, 14);
    expect(hostile.findIndex((values) => (values['patience'] ?? 0) < 10)).toBeGreaterThan(-1);
    const passive = play(() => PASSIVE, 14).at(-1);
    expect(passive?.['patience']).toBeGreaterThan(30);
    expect(passive?.['rapport']).toBeGreaterThan(30);
    expect(passive?.['objective_progress']).toBeLessThan(40);
  });

  it('answers any schema, also one without variables, moves, dimensions or emotions', () => {
    const output = cannedTurn(prompt(KIND), {});
    expect(output).toMatchObject({ npc_emotion: 'warm', state_delta: {}, event_flags: [], rubric_observations: [] });
    const none = { properties: { event_flags: { maxItems: 0, items: { type: 'string' } } } };
    expect(cannedTurn(prompt(HOSTILE), none).event_flags).toEqual([]);
  });

  it('has at least 24 lines for every mood, none of them twice or longer than 30 words', () => {
    for (const lines of Object.values(CANNED_LINES)) {
      expect(lines.length).toBeGreaterThanOrEqual(24);
      expect(new Set(lines).size).toBe(lines.length);
      for (const line of lines) expect(line.split(' ').length).toBeLessThanOrEqual(30);
    }
  });
});
