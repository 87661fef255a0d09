import { z } from 'zod';
import { ContentId } from './primitives';

/** Tones that the sign `tone` can name: how something was said, read from short lists of wordings and from syntax. */
export const SIGN_TONES = [
  'apology',
  'thanks',
  'hedge',
  'absolute',
  'blame',
  'insult',
  'threat',
  'shouting',
  'you_statement',
  'own_part',
] as const;
export const SignTone = z
  .enum(SIGN_TONES)
  .describe(
    "apology (sorry, my mistake), thanks, hedge (maybe, I guess, kind of), absolute (always, never, every time), blame (it is your fault, because of you), insult (a name for the person), threat (or else, I will make sure you regret it), shouting (capitals, a row of exclamation marks), you_statement (a verdict on the other that begins with you: you don't care), own_part (what the player says they did themselves: I should have asked first).",
  );
export type SignTone = z.infer<typeof SignTone>;

/** Who the sign `person` can name. */
export const SignPerson = z
  .enum(['i', 'we', 'you', 'name'])
  .describe('i (I, me, my), we (we, us, our), you (you, your), name (a name of the scenario, such as Dana).');
export type SignPerson = z.infer<typeof SignPerson>;

const Count = z.int().min(1).max(100);
const Phrases = z.array(z.string().min(1).max(100)).min(1).max(60);

const FigureSign = z
  .strictObject({
    from: z
      .number()
      .optional()
      .describe('The smallest value that counts. No lower bound when left out. Example: 40000.'),
    to: z.number().optional().describe('The largest value that counts. No upper bound when left out. Example: 70000.'),
    percent: z
      .boolean()
      .optional()
      .describe('true: only percentages (14 percent, 14 %). false: none of them. Both when left out. Example: true.'),
    count: Count.optional().describe('How many different figures the line must name. 1 when left out. Example: 2.'),
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, 'from must not be above to.')
  .describe(
    "The player names a figure, in digits or in words (53,000, 53k, fifty-three thousand, between 52 and 55). Years of service, dates, times, numbers of rooms and the like are none, nor is a figure that is denied (I'm not asking for 53,000), reported (you said 53,000?) or only imagined (if I asked for 53,000 you'd laugh). Where from is 1000 or more, a bare 53 is read as 53 thousand too. Example: {from: 40000, to: 70000}.",
  );

const EchoSign = z
  .strictObject({
    of: z
      .union([z.literal('last_npc'), ContentId])
      .optional()
      .describe(
        "last_npc: what the character said just before. An event's id: its narration, once the player has read it. last_npc when left out. Example: last_npc.",
      ),
    at_least: Count.optional().describe(
      'How many of its content words the player must take up. 2 when left out. Example: 3.',
    ),
  })
  .describe(
    "The player takes up what was just said: content words of the other's line, in any form and in the player's own order. A line that is copied word for word is no echo. Example: {of: last_npc, at_least: 2}.",
  );

const WordsSign = z
  .strictObject({
    at_least: z.int().min(1).max(1000).optional().describe('The fewest words. 1 when left out. Example: 12.'),
    at_most: z.int().min(1).max(1000).optional().describe('The most words. No limit when left out. Example: 40.'),
  })
  .refine(
    ({ at_least, at_most }) => at_least === undefined || at_most === undefined || at_least <= at_most,
    'at_least must not be above at_most.',
  )
  .describe('How many words the line has. Example: {at_least: 12}.');

const LineNumber = z.int().min(1).max(100);
const LineSign = z
  .strictObject({
    by: LineNumber.optional().describe('The last line that counts. No limit when left out. Example: 5.'),
    from: LineNumber.optional().describe('The first line that counts. 1 when left out. Example: 2.'),
  })
  .refine(({ by, from }) => by === undefined || from === undefined || from <= by, 'from must not be above by.')
  .describe("Which of the player's lines this is; the player's first line is 1. Example: {by: 5}.");

const OwnMembers = z.strictObject({
  figure: FigureSign.optional(),
  day: z
    .literal(true)
    .optional()
    .describe(
      'The player names a date, weekday, time or span (by Friday, in two weeks, next month, 15 March, at 10 tomorrow). "Someday" and "soon" are none. Example: true.',
    ),
  person: z
    .union([z.literal(true), z.array(SignPerson).min(1).max(4)])
    .optional()
    .describe('The player names who: one of those listed, or anybody when true. Example: [i, we].'),
  question: z
    .enum(['open', 'closed', 'any'])
    .optional()
    .describe(
      'The player asks: open cannot be answered with yes, no, a number or a time (what, how, why, tell me about); closed can; any is either. A greeting (how are you?) and asking for what was just said again (what do you mean?) are closed. Example: open.',
    ),
  echo: EchoSign.optional(),
  says: Phrases.optional().describe(
    "The player says at least one of these words or phrases: whole words, in any inflection (need finds needed), whatever the case, apostrophes and hyphens. An adverb may stand inside of a phrase. What the player denies directly (I won't leave), copies from the other's line or repeats in quotation marks as the other's words does not count. Example: [because, since, \"rests on\"].",
  ),
  never_says: Phrases.optional().describe(
    'The player says none of these words or phrases; found as in says. Example: [always, never].',
  ),
  tone: z
    .array(SignTone)
    .min(1)
    .max(SIGN_TONES.length)
    .optional()
    .describe('The line has at least one of these tones. Example: [apology, thanks].'),
  words: WordsSign.optional(),
  line: LineSign.optional(),
});

/** One sign as the engine reads it: exactly one of the members is there, and it is the sign's kind. */
export interface Sign extends z.infer<typeof OwnMembers> {
  any?: Sign[] | undefined;
  all?: Sign[] | undefined;
  not?: Sign | undefined;
}

/**
 * One thing that can be found in a line of the player by rule. The vocabulary is closed. Authors write lists of signs; see
 * {@link Signs}.
 */
export const Sign = z
  .strictObject({
    ...OwnMembers.shape,
    get any(): z.ZodOptional<z.ZodArray<z.ZodType<Sign>>> {
      return z
        .array(Sign)
        .min(1)
        .max(12)
        .optional()
        .describe('At least one of these signs holds. Example: [{says: [because]}, {words: {at_least: 12}}].');
    },
    get all(): z.ZodOptional<z.ZodArray<z.ZodType<Sign>>> {
      return z
        .array(Sign)
        .min(1)
        .max(12)
        .optional()
        .describe('Each of these signs holds; for use inside of any and not. Example: [{day: true}, {person: [we]}].');
    },
    get not(): z.ZodOptional<z.ZodType<Sign>> {
      return Sign.optional().describe('This sign does not hold. Example: {tone: [hedge]}.');
    },
  })
  .refine((sign) => Object.keys(sign).length === 1, 'A sign has exactly one member: put each into an item of its own.')
  .meta({ minProperties: 1, maxProperties: 1 })
  .describe('One sign: exactly one member, which is its kind.');

/** How deep any, all and not may stand inside each other. */
const MAX_SIGN_DEPTH = 4;
const MAX_SIGNS = 60;

const inner = (sign: Sign): readonly Sign[] => [
  ...(sign.any ?? []),
  ...(sign.all ?? []),
  ...(sign.not ? [sign.not] : []),
];
const depthOf = (signs: readonly Sign[]): number =>
  signs.length === 0 ? 0 : 1 + Math.max(...signs.map((sign) => depthOf(inner(sign))));
const countOf = (signs: readonly Sign[]): number => signs.reduce((count, sign) => count + 1 + countOf(inner(sign)), 0);

/** What an author writes as `signs`: all must hold in one line of the player. */
export const Signs = z
  .array(Sign)
  .min(1)
  .max(20)
  .refine(
    (signs) => depthOf(signs) <= MAX_SIGN_DEPTH,
    `Signs may stand at most ${MAX_SIGN_DEPTH} deep inside each other.`,
  )
  .refine((signs) => countOf(signs) <= MAX_SIGNS, `One list may hold at most ${MAX_SIGNS} signs, inner ones included.`)
  .describe(
    'All of these must hold in one line of the player. Example: [{figure: {from: 40000, to: 70000}}, {says: [because, since]}].',
  );
export type Signs = z.infer<typeof Signs>;
