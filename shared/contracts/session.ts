import { z } from 'zod';
import {
  NextCursor,
  PackId,
  PageCursor,
  PageLimit,
  ScenarioId,
  Score,
  SessionId,
  Timestamp,
  TurnIndex,
  VariableValues,
} from './primitives';
import { EmittedMessage } from './events';
import { SkillId } from './skills';
import { Turn } from './turn';
import { Debrief } from './debrief';
import { Drill } from './drill';
import { StoredEvent } from './events';

export const FLOW_STATES = ['NotStarted', 'PlayerTurnListening', 'Ended', 'DebriefGenerating', 'DebriefReady'] as const;
export const FlowState = z.enum(FLOW_STATES).describe('Where the session stands.');
export type FlowState = z.infer<typeof FlowState>;

/** In the order of their priority: when several apply at once, the first one wins. */
export const ENDING_TYPES = ['safety_stop', 'player_exit', 'success', 'failure', 'timeout'] as const;
export const EndingType = z.enum(ENDING_TYPES).describe('How the session ended.');
export type EndingType = z.infer<typeof EndingType>;

export const DIFFICULTIES = ['warm', 'standard', 'hard', 'adversarial'] as const;
export const Difficulty = z.enum(DIFFICULTIES).describe('Difficulty preset.');
export type Difficulty = z.infer<typeof Difficulty>;

export const Attempt = z
  .enum(['first', 'retry'])
  .describe('first as long as no earlier session of the scenario at this difficulty was finished; a fork is a retry.');
export type Attempt = z.infer<typeof Attempt>;

const DemoTalk = z.literal(true).optional().describe('Only where the demo voice answered, no model.');

export const Session = z
  .object({
    id: SessionId,
    scenario_id: ScenarioId,
    scenario_version: z.int().min(1).describe('The version that the session started with and keeps.'),
    pack_id: PackId,
    npc_id: z.string().describe('The character.'),
    flow_state: FlowState,
    state_vars: VariableValues.describe('All variables, hidden ones included; the page hides what the scenario hides.'),
    flags: z.array(z.string()).describe('Flags that are raised, in the order in which they were.'),
    ending_type: EndingType.nullable().describe('How it ended; null while it goes on.'),
    ending_id: z.string().nullable().describe("Id of the scenario's ending; null when it has none."),
    turn_count: z.int().min(0).describe('Stored turns of both roles.'),
    player_turn_count: z.int().min(0).describe('Stored turns of the player: what max_turns counts.'),
    transcript_saved: z.boolean().describe('Whether the text is kept on disk; fixed at creation.'),
    difficulty: Difficulty,
    language: z.string().describe('Language of the scenario.'),
    focus_dimension: z.string().nullable().describe('The one dimension that the player practises.'),
    forked_from: z
      .object({ session_id: SessionId, turn: TurnIndex })
      .nullable()
      .describe('Where a fork left its original.'),
    attempt: Attempt,
    coaching: z.boolean().describe('Whether lines can be coached before they are said; fixed at creation.'),
    demo: DemoTalk,
    hint: z.string().nullable().describe('A hint that fits now; shown on request.'),
    created_at: Timestamp,
    started_at: Timestamp.nullable().describe('When the opening was delivered; null before.'),
    ended_at: Timestamp.nullable().describe('When it ended; null before.'),
  })
  .describe('A practice session.');
export type Session = z.infer<typeof Session>;

export const SessionListItem = Session.extend({
  scenario_title: z.string().describe('Title of the scenario when the session was made.'),
  overall_score: Score.nullable().describe('Overall score of the debrief; null without one.'),
  snippet: z.string().nullable().optional().describe('Where the search words were found; only with q.'),
}).describe('A session in a list.');
export type SessionListItem = z.infer<typeof SessionListItem>;

export const SessionList = z
  .object({ sessions: z.array(SessionListItem).describe('Newest first.'), next_cursor: NextCursor })
  .describe('A page of sessions.');
export type SessionList = z.infer<typeof SessionList>;

export const CreateSessionRequest = z
  .strictObject({
    scenario_id: ScenarioId,
    difficulty: Difficulty.optional(),
    language: z
      .string()
      .regex(/^[a-z]{2,3}$/, 'must be a language code such as en')
      .optional()
      .describe("One of the pack's languages; its first one unless named."),
    focus_dimension: z.string().min(1).max(64).optional().describe('The one dimension of the rubric to practise.'),
    coaching: z.boolean().optional().describe('Coach lines before they are said; only at the easiest difficulty.'),
  })
  .describe('What to play.');
export type CreateSessionRequest = z.infer<typeof CreateSessionRequest>;

export const ListSessionsQuery = z.object({
  q: z.string().max(2000).optional().describe('Words to find in saved transcripts; never a syntax error.'),
  scenario_id: ScenarioId.optional(),
  flow_state: FlowState.optional(),
  limit: PageLimit,
  cursor: PageCursor.optional(),
});

export const MAX_PLAYER_TEXT = 2000;

/** The text's own rules (trimmed length, lone surrogates, NUL) are the turn's first step, not the schema's. */
export const TakeTurnRequest = z
  .strictObject({
    text: z
      .string()
      .meta({ minLength: 1, maxLength: MAX_PLAYER_TEXT })
      .describe(`What the player says: 1 to ${MAX_PLAYER_TEXT} characters (code points) after trimming.`),
  })
  .describe('A turn of the player.');

/** How many hours an answer is kept under its Idempotency-Key, at least; then it may go. */
export const ANSWERS_KEPT_HOURS = 24;

export const IdempotencyHeaders = z.object({
  'idempotency-key': z
    .string()
    .regex(/^[A-Za-z0-9_-]{8,64}$/, 'must be 8 to 64 characters of A-Z, a-z, 0-9, _ and -')
    .optional()
    .describe(
      '8 to 64 characters of A-Z, a-z, 0-9, _ and -. Makes a repeat answer what the first request answered. Make it random, so that nobody else has the same.',
    ),
});

const EventsArray = z.array(EmittedMessage).describe('The WebSocket messages of the operation, tokens left out.');

export const StartAnswer = z
  .object({ session: Session, turn: Turn, events: EventsArray })
  .describe('The session with its opening line.');
export type StartAnswer = z.infer<typeof StartAnswer>;

export const TurnAnswer = z
  .object({
    session: Session,
    player_turn: Turn,
    npc_turn: Turn,
    events: EventsArray,
    used_fallback: z.boolean().describe('Whether the fallback utterance stands in for the model.'),
  })
  .describe('The result of a turn.');
export type TurnAnswer = z.infer<typeof TurnAnswer>;

export const EndAnswer = z.object({ session: Session, events: EventsArray }).describe('The ended session.');
export type EndAnswer = z.infer<typeof EndAnswer>;

export const SessionAnswer = z.object({ session: Session }).describe('The session as it stands now.');

export const Transcript = z
  .object({
    session_id: SessionId,
    transcript_saved: z.boolean().describe('Whether the text is kept on disk.'),
    turns: z.array(Turn).describe('Oldest first.'),
  })
  .describe('Everything that was said.');
export type Transcript = z.infer<typeof Transcript>;

export const ForkRequest = z
  .strictObject({ turn: TurnIndex.describe('Index of the NPC turn to go on from.') })
  .describe('Where to go on from.');

export const SelfRatings = z.record(z.string(), Score).describe('Score by dimension, as the player sees it.');
export const SelfRatingRequest = z.strictObject({ ratings: SelfRatings }).describe('How the player rates the talk.');
export const SelfRatingAnswer = z
  .object({ session_id: SessionId, ratings: SelfRatings })
  .describe('The ratings as stored.');

export const SessionExport = z
  .object({
    schema_version: z.literal(1).describe('Version of this document.'),
    exported_at: Timestamp,
    session: Session.extend({
      scenario_title: z.string().describe('Title of the scenario when the session was made.'),
    }).describe('The session.'),
    turns: z.array(Turn).describe('Oldest first.'),
    variants: z.array(Turn).describe('Answers that were put aside for another one, oldest turn first.'),
    events: z.array(StoredEvent).describe('Oldest first.'),
    debrief: Debrief.nullable().describe('null when there is none.'),
    drills: z.array(Drill).describe('Lines that were tried again after the talk.'),
  })
  .describe('A whole session as JSON.');
export type SessionExport = z.infer<typeof SessionExport>;

export const ExportQuery = z.object({
  format: z.enum(['json', 'markdown']).default('json').describe('json is whole; markdown is for reading.'),
});

export const PreferHeaders = z.object({
  prefer: z.string().optional().describe('respond-async: answer 202 at once unless the debrief is ready.'),
});

export const ClearRequest = z.strictObject({}).describe('Empty: there is nothing to choose.');
export const ClearAnswer = z
  .object({
    deleted: z
      .object({
        sessions: z.int().describe('Sessions.'),
        turns: z.int().describe('Turns.'),
        events: z.int().describe('Stored events.'),
        debriefs: z.int().describe('Debriefs.'),
        recaps: z.int().describe('Recaps of what characters remember.'),
      })
      .describe('How many went of each.'),
  })
  .describe('What was deleted.');
export type ClearAnswer = z.infer<typeof ClearAnswer>;

export const ProgressQuery = z.object({ scenario_id: ScenarioId.optional() });

export const Progress = z
  .object({
    scenarios: z
      .array(
        z.object({
          scenario_id: ScenarioId,
          title: z.string().describe('Title of the scenario.'),
          attempts: z
            .array(
              z.object({
                session_id: SessionId,
                ended_at: Timestamp,
                attempt: Attempt,
                difficulty: Difficulty,
                coaching: z.boolean().describe('Coached talks are counted apart.'),
                demo: DemoTalk,
                finished: z.boolean().describe('false: left before the third line, which counts as nothing.'),
                ending_type: EndingType,
                overall_score: Score.nullable().describe('null without a debrief.'),
                dimensions: z.record(z.string(), Score.nullable()).describe('null: not observed.'),
              }),
            )
            .describe('Oldest first.'),
        }),
      )
      .describe('Attempts by scenario.'),
    dimensions: z
      .array(
        z.object({
          id: z.string().describe('Id of the dimension in its rubric.'),
          name: z.string().describe('Name for people.'),
          points: z
            .array(z.object({ session_id: SessionId, ended_at: Timestamp, attempt: Attempt, score: Score }))
            .describe('Observed scores, oldest first.'),
        }),
      )
      .describe('Scores by dimension.'),
    skills: z
      .array(
        z.object({
          id: SkillId,
          name: z.string().describe('Name for people.'),
          judged_checks: z.int().min(0).describe('How many verdicts stand behind it.'),
          level: Score.nullable().describe(
            'Mean of the last three talks with a model and without coaching; null before there are three.',
          ),
          points: z
            .array(
              z.object({
                session_id: SessionId,
                scenario_id: ScenarioId,
                ended_at: Timestamp,
                attempt: Attempt,
                difficulty: Difficulty,
                coaching: z.boolean().describe('Coached talks are counted apart.'),
                demo: DemoTalk,
                score: Score,
                judged_checks: z.int().min(0).describe('How many verdicts stand behind this score.'),
              }),
            )
            .describe('Oldest first.'),
        }),
      )
      .describe('Skills that packs share, across scenarios.'),
    suggestions: z
      .array(
        z.object({
          scenario_id: ScenarioId,
          title: z.string().describe('Title of the scenario.'),
          difficulty: Difficulty,
          focus_dimension: z.string().nullable().describe('The dimension to practise; null when none stands out.'),
          not_before: Timestamp.describe('Practice that is spread over days keeps better.'),
        }),
      )
      .describe('What to practise next: at most three.'),
  })
  .describe('Scores over time.');
export type Progress = z.infer<typeof Progress>;
