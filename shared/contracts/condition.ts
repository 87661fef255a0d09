import { z } from 'zod';
import { ContentId } from './primitives';

const VARIABLE = 'Name of a variable.';
const ConditionType = <T extends string>(type: T, meaning: string) => z.literal(type).describe(meaning);

/** A condition (docs/interface.md, Conditions). A `when` list holds when all of its conditions do. */
export const Condition = z.discriminatedUnion('type', [
  z.strictObject({
    type: ConditionType('variable_above', 'The variable is above the threshold, not equal to it.'),
    variable: ContentId.describe(VARIABLE),
    threshold: z.number().describe('In points of the variable. Example: 79.'),
  }),
  z.strictObject({
    type: ConditionType('variable_below', 'The variable is below the threshold, not equal to it.'),
    variable: ContentId.describe(VARIABLE),
    threshold: z.number().describe('In points of the variable. Example: 20.'),
  }),
  z.strictObject({
    type: ConditionType('max_turns', 'The player has had so many lines, or more.'),
    value: z.int().min(1).describe('Lines of the player. Example: 14.'),
  }),
  z.strictObject({
    type: ConditionType('flag', 'A move was made, a flag was raised or an event has fired.'),
    flag_id: ContentId.describe('Id of the move, flag or event.'),
  }),
  z.strictObject({
    type: ConditionType('no_flag', 'It was not made, raised or fired so far (format 0.2).'),
    flag_id: ContentId.describe('Id of the move, flag or event.'),
  }),
  z.strictObject({
    type: ConditionType('line', 'The player has said so many lines (format 0.2).'),
    value: z.int().min(1).max(100).describe('Lines of the player, from 1. Example: 3.'),
  }),
]);
export type Condition = z.infer<typeof Condition>;
