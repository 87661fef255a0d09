import { z } from 'zod';
import { TextSpan } from './judgement';
import { ScenarioId, Score, SessionId, Timestamp, TurnIndex, VariableValues } from './primitives';

export const DebriefObservation = z
  .object({
    turn: TurnIndex.describe("The player's turn that was observed."),
    delta: z.int().describe('How the score moved.'),
    note: z.string().nullable().describe('What was seen; null when the text was not kept.'),
  })
  .describe('Evidence for a score: what was seen in one turn.');

export const CheckVerdict = z
  .object({
    id: z.string().describe('Id of the check in its dimension.'),
    text: z.string().describe('What the check asks for.'),
    points: z.int().describe('Added when it was met, taken off when it was missed; a fault only takes off.'),
    verdict: z
      .enum(['met', 'missed', 'not_judged'])
      .describe(
        'not_judged: the talk gave no chance to show it, or nobody could judge it. A fault is met when it happened.',
      ),
    turn: TurnIndex.nullable().describe("The player's turn with the evidence."),
    line: z.int().nullable().describe('The same turn, counted in lines of the player from 1.'),
    evidence: TextSpan.nullable().describe('The words that did it; null when the text was not kept.'),
    by: z.enum(['signs', 'model']).nullable().describe('Who judged it.'),
    quote: z.string().nullable().describe('What the model quoted; null for signs.'),
  })
  .describe('One check of the rubric.');
export type CheckVerdict = z.infer<typeof CheckVerdict>;

export const DebriefDimension = z
  .object({
    id: z.string().describe('Id of the dimension in the rubric.'),
    name: z.string().describe('Name of the dimension for people.'),
    weight: z.number().min(0).max(1).describe('Its part in the overall score.'),
    score: Score,
    observed: z.boolean().describe('false: nothing was observed and the score is the baseline.'),
    self_rating: Score.nullable().describe("The player's own rating."),
    observations: z
      .array(DebriefObservation)
      .describe('What the model saw, oldest first; without checks the score is computed from it.'),
    checks: z.array(CheckVerdict).optional().describe('Only with a rubric that has checks.'),
    faults: z.array(CheckVerdict).optional().describe('Only with a rubric that has checks.'),
    skill: z.string().nullable().optional().describe('The skill that packs share, when the pack names one.'),
    framework: z.string().nullable().optional().describe('Why this works.'),
    sources: z.array(z.string()).optional().describe('Where that is from.'),
  })
  .describe('One dimension of the rubric with its evidence.');
export type DebriefDimension = z.infer<typeof DebriefDimension>;

export const TurningPoint = z
  .object({
    turn: TurnIndex,
    kind: z.enum(['state_change', 'event_flag', 'safety']).describe('What made it one.'),
    description: z.string().describe('What happened, for people.'),
    deltas: VariableValues,
  })
  .describe('A turn at which the talk took a turn.');
export type TurningPoint = z.infer<typeof TurningPoint>;

export const ReplaySuggestion = z
  .object({ turn: TurnIndex, suggestion: z.string().describe('What to try there next time.') })
  .describe('A turn that is worth another try.');
export type ReplaySuggestion = z.infer<typeof ReplaySuggestion>;

export const TalkFacts = z
  .object({
    player_words: z.int().min(0).describe("Words of the player's lines."),
    npc_words: z.int().min(0).describe("Words of the character's lines."),
    word_share: z.number().min(0).max(1).describe("The player's share of all words."),
    words_per_line: z.number().min(0).describe("Mean words of the player's lines, to one decimal."),
    questions_open: z.int().min(0).describe('Questions that leave the answer open.'),
    questions_closed: z.int().min(0).describe('Questions that a yes, a no or a number answers.'),
    first_ask_line: z
      .int()
      .min(1)
      .nullable()
      .describe('The first line that asked for what the player wants; null also where there is nothing to ask for.'),
    echoes: z.int().min(0).describe('Lines that took up what was just said.'),
    hedges: z.int().min(0).describe('Maybe, I guess, kind of.'),
    apologies: z.int().min(0).describe('Sorry, my mistake.'),
    absolutes: z.int().min(0).describe('Always, never, every time.'),
  })
  .describe('What can be counted in a talk.');
export type TalkFacts = z.infer<typeof TalkFacts>;

export const SayInstead = z
  .object({
    turn: TurnIndex,
    line: z.int().min(1).describe('The same turn, counted in lines of the player from 1.'),
    dimension: z.string().describe('Id of the dimension.'),
    check: z.string().describe('Id of the check.'),
    said: z.string().nullable().describe("The player's words; null when the text was not kept."),
    better: z.string().nullable().describe('A line that would have done it.'),
    why: z.string().describe('One sentence from the rubric.'),
    adapted: z.boolean().describe('Whether the model fitted the better line to this talk.'),
  })
  .describe('A line to say instead.');
export type SayInstead = z.infer<typeof SayInstead>;

export const DebriefProvenance = z
  .object({
    rubric_hash: z.string().describe('Of the rubric that judged: scores are compared only with their like.'),
    prompt_hash: z.string().nullable().describe('Of the questions to the second reader; null when it was not asked.'),
    judge_model: z.string().nullable().describe('The second reader; null when only signs judged.'),
    reads: z.int().min(0).describe('How often the second reader was asked.'),
    spread: z.record(z.string(), z.int()).describe('Largest minus smallest score of the readings, by dimension.'),
  })
  .describe('Who judged, and by what.');
export type DebriefProvenance = z.infer<typeof DebriefProvenance>;

export const Debrief = z
  .object({
    schema_version: z.literal(1).describe('Version of this document.'),
    session_id: SessionId,
    scenario_id: ScenarioId,
    ending_type: z
      .enum(['safety_stop', 'player_exit', 'success', 'failure', 'timeout'])
      .describe('How the session ended.'),
    overall_score: Score,
    used_fallback: z
      .boolean()
      .describe('Whether the narrative had to be written without the model; false for a demo talk, which has none.'),
    generated_at: Timestamp,
    model_id: z.string().nullable().describe('The model that wrote the narrative.'),
    dimensions: z.array(DebriefDimension).describe('In the order of the rubric.'),
    turning_points: z.array(TurningPoint).describe('Oldest first.'),
    summary: z.string().describe('How the talk went, in a few sentences.'),
    strengths: z.array(z.string()).describe('What went well.'),
    improvements: z.array(z.string()).describe('At most two.'),
    replay_suggestions: z.array(ReplaySuggestion).describe('Turns that are worth another try.'),
    state_series: z
      .array(z.object({ turn: TurnIndex, state_vars: VariableValues }))
      .describe('The variables after each turn of the character.'),
    judged: z.boolean().optional().describe('false: nothing could be judged and the scores are the baseline.'),
    not_judged_reason: z.string().nullable().optional().describe('Why nothing was judged, in one sentence.'),
    moment: z
      .object({
        turn: TurnIndex,
        line: z.int().min(1).describe('The same turn, counted in lines of the player from 1.'),
        check: z.string().nullable().describe('The check that it decided; null when none did.'),
        kind: z.enum(['won', 'lost']).describe('Whether most was won or lost there.'),
        author_note: z.string().nullable().describe("The author's word on the ending."),
      })
      .nullable()
      .optional()
      .describe('The line that decided most.'),
    say_instead: z.array(SayInstead).max(2).optional().describe('The chosen focus first.'),
    never: z
      .array(
        z.object({
          check: z.string().describe('Id of the check.'),
          text: z.string().describe('What the check asks for.'),
          first_chance_line: z.int().min(1).describe('The first line at which it could have come.'),
        }),
      )
      .optional()
      .describe('What never happened, with the first line at which it could have.'),
    outcome: z
      .array(
        z.object({
          text: z.string().describe('What came of it, in the words of the author.'),
          turn: TurnIndex.nullable().describe("The player's turn that brought it about, when the author names one."),
          line: z.int().min(1).nullable().describe('The same turn, counted in lines of the player from 1.'),
          said: z
            .string()
            .nullable()
            .describe("The player's own words there; null without a turn, or when they were not kept."),
        }),
      )
      .optional()
      .describe('What came of the talk, read back from what was proven.'),
    shut_secrets: z
      .array(
        z.object({
          id: z.string().describe('Id of the secret.'),
          hint: z.string().nullable().describe('What opens it; null when the author does not say.'),
        }),
      )
      .optional()
      .describe('What the character kept to itself, and what opens it.'),
    facts: TalkFacts.optional(),
    facts_before: TalkFacts.nullable().optional().describe('Of the last finished talk of the scenario.'),
    framework: z.string().nullable().optional().describe('Why the first advice works.'),
    sources: z.array(z.string()).optional().describe('Where that is from.'),
    provenance: DebriefProvenance.optional(),
    rescored: z
      .object({
        score_before: Score,
        comparable: z.boolean().describe('Whether both scores were made with the same checks.'),
        note: z.string().nullable().describe('Why they cannot be compared; null when they can.'),
      })
      .optional()
      .describe('Only after the scores were computed again.'),
  })
  .describe('The debrief of a session.');
export type Debrief = z.infer<typeof Debrief>;

/** The narrative part: what the model is asked for. Scores are never taken from it. */
export const DebriefNarrative = z.strictObject({
  summary: z.string().min(1).max(1500),
  strengths: z.array(z.string().min(1).max(400)).max(3),
  improvements: z.array(z.string().min(1).max(400)).max(2),
  replay_suggestions: z.array(z.strictObject({ turn: TurnIndex, suggestion: z.string().min(1).max(400) })).max(3),
});
export type DebriefNarrative = z.infer<typeof DebriefNarrative>;

/** One recap per character and pack; never raw transcript text (docs/interface.md, Relationship memory). */
export const Recap = z
  .object({
    npc_id: z.string().describe('The character.'),
    pack_id: z.string().describe('The pack that the character is of.'),
    schema_version: z.literal('1').describe('Version of this record.'),
    session_count: z.int().min(0).describe('How many sessions there were with the character.'),
    last_session_at: Timestamp,
    key_observations: z.array(z.string().max(150)).max(5).describe('What could be better, from the debriefs.'),
    player_style_tags: z.array(z.string().max(30)).max(3).describe('How the player talks, from the scores.'),
    last_outcome: z.string().describe('How the last session ended.'),
  })
  .describe('What a character remembers of a player.');
export type Recap = z.infer<typeof Recap>;
export const RecapList = z
  .object({ recaps: z.array(Recap).describe('One for each character and pack.') })
  .describe('What characters remember.');
export const DeletedCount = z
  .object({ deleted: z.int().min(0).describe('How many there were.') })
  .describe('How many were deleted.');
