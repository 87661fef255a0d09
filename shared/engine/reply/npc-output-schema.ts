import { SafetyAction, type Difficulty, type ScenarioContent } from '@parley/shared/contracts';
import { effectiveMaxDelta } from '../difficulty';
import { favourableDirection, flagVocabulary } from '../vocabulary';

/** Longest utterance, in characters (code points); model servers break on much larger bounds. */
export const MAX_UTTERANCE = 1200;
export const MAX_NOTE = 200;
const MAX_FLAGS_PER_TURN = 6;
const MAX_OBSERVATIONS_PER_TURN = 4;

/**
 * The JSON Schema of one turn's answer, made for the scenario (docs/interface.md, What the model answers): the
 * utterance first so that it streams first, exactly the scenario's variables with what they may move in a turn, enums
 * of what it declares, every array bounded. Only keywords that model servers enforce are used, and an empty vocabulary
 * is an empty array, never an empty enum.
 *
 * Two descriptions are read by the built-in demo runtime and are agreed between the two:
 * - `state_delta.properties.<variable>.description` ends in `Favourable: up.` or `Favourable: down.` where the scenario's
 *   endings or moves let that be derived;
 * - `event_flags.description` is `Moves of a skilled player: a, b. Flags: c, d.`, parts left out when empty.
 */
export function npcOutputSchema(content: ScenarioContent, difficulty: Difficulty): Record<string, unknown> {
  return {
    type: 'object',
    properties: {
      npc_utterance: { type: 'string', minLength: 1, maxLength: MAX_UTTERANCE },
      npc_emotion: { type: 'string', enum: [...new Set(content.npc.emotions)] },
      state_delta: stateDeltaSchema(content, difficulty),
      event_flags: eventFlagsSchema(content),
      rubric_observations: {
        type: 'array',
        maxItems: MAX_OBSERVATIONS_PER_TURN,
        items: strictObject({
          dimension: { type: 'string', enum: content.rubric.dimensions.map((dimension) => dimension.id) },
          delta: { type: 'integer', minimum: -10, maximum: 10 },
          note: { type: 'string', maxLength: MAX_NOTE },
        }),
      },
      safety: strictObject({
        action: { type: 'string', enum: [...SafetyAction.options] },
        reason: { type: ['string', 'null'], maxLength: MAX_NOTE },
      }),
      session_control: strictObject({
        end_session: { type: 'boolean' },
        reason: { type: ['string', 'null'], maxLength: MAX_NOTE },
      }),
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
}

/** Variables are optional in the answer: what did not change is not written, which keeps a small model's turn short. */
function stateDeltaSchema(content: ScenarioContent, difficulty: Difficulty): Record<string, unknown> {
  const properties = Object.keys(content.variables).map((name) => {
    const bound = effectiveMaxDelta(content, difficulty, name);
    const favour = favourableDirection(content, name);
    const description = `Change of ${name}.${favour ? ` Favourable: ${favour}.` : ''}`;
    return [name, { type: 'integer', minimum: -bound || 0, maximum: bound, description }] as const;
  });
  return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false };
}

function eventFlagsSchema(content: ScenarioContent): Record<string, unknown> {
  const vocabulary = flagVocabulary(content);
  const moves = content.moves.map((move) => move.id).filter((id) => vocabulary.includes(id));
  const flags = vocabulary.filter((name) => !moves.includes(name));
  const description = [
    moves.length > 0 ? `Moves of a skilled player: ${moves.join(', ')}.` : '',
    flags.length > 0 ? `Flags: ${flags.join(', ')}.` : '',
  ].filter((part) => part !== '');
  const described = description.length > 0 ? { description: description.join(' ') } : {};
  if (vocabulary.length === 0) return { type: 'array', items: { type: 'string' }, maxItems: 0, ...described };
  const maxItems = Math.min(vocabulary.length, MAX_FLAGS_PER_TURN);
  return { type: 'array', items: { type: 'string', enum: [...vocabulary] }, maxItems, ...described };
}

const strictObject = (properties: Record<string, unknown>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
