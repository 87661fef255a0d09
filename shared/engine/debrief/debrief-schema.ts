/** Bounds of the narrative, shared by the schema and the check. Characters. */
export const MAX_SUMMARY = 1200;
export const MAX_SENTENCES = 400;
export const MAX_STRENGTHS = 3;
export const MAX_IMPROVEMENTS = 2;
export const MAX_SUGGESTIONS = 3;

/**
 * The JSON Schema of the narrative that the runtime is asked for. The member replay_suggestions is what the built-in
 * runtime knows a debrief by.
 *
 * @param betterLines how many better lines may be fitted to the talk; none are asked for when it is 0.
 * @param playerTurns indexes of the player's turns; when given, a suggestion can name no other turn.
 */
export function debriefSchema(playerTurns: readonly number[] = [], betterLines = 0): Record<string, unknown> {
  const sentences = { type: 'string', minLength: 1, maxLength: MAX_SENTENCES };
  const turn = playerTurns.length > 0 ? { type: 'integer', enum: [...playerTurns] } : { type: 'integer', minimum: 1 };
  return {
    type: 'object',
    properties: {
      summary: { type: 'string', minLength: 1, maxLength: MAX_SUMMARY },
      strengths: { type: 'array', maxItems: MAX_STRENGTHS, items: sentences },
      improvements: { type: 'array', maxItems: MAX_IMPROVEMENTS, items: sentences },
      replay_suggestions: {
        type: 'array',
        maxItems: MAX_SUGGESTIONS,
        items: {
          type: 'object',
          properties: { turn, suggestion: sentences },
          required: ['turn', 'suggestion'],
          additionalProperties: false,
        },
      },
      ...(betterLines === 0 ? {} : { better_lines: { type: 'array', maxItems: betterLines, items: sentences } }),
    },
    required: ['summary', 'strengths', 'improvements', 'replay_suggestions'],
    additionalProperties: false,
  };
}
