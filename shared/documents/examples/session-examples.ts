import type { OperationExamples } from './operation-example';
import {
  ANOTHER_EVENTS,
  ANOTHER_TURN,
  DEBRIEF,
  DEBRIEFED_SESSION,
  END_EVENTS,
  ENDED_SESSION,
  FORKED_SESSION,
  FORK_ID,
  GENERATING_SESSION,
  MARKDOWN,
  NEW_SESSION,
  NPC_TURN,
  OPENING,
  PLAYED_SESSION,
  PLAYER_TURN,
  SAID_TEXT,
  SESSION_ID,
  STARTED_SESSION,
  START_EVENTS,
  STORED_EVENTS,
  TIMES,
  TURN_EVENTS,
  TURNS,
} from './talk';

const params = { id: SESSION_ID };
const listed = { ...DEBRIEFED_SESSION, scenario_title: 'The ask', overall_score: DEBRIEF.overall_score };

const ANSWERED = {
  session: PLAYED_SESSION,
  player_turn: PLAYER_TURN,
  npc_turn: NPC_TURN,
  events: TURN_EVENTS,
  used_fallback: false,
};

/** Of the operations on sessions. */
export const SESSION_EXAMPLES: OperationExamples = {
  createSession: {
    request: { scenario_id: 'the_ask', difficulty: 'standard' },
    responses: { 201: NEW_SESSION },
  },
  listSessions: {
    query: { q: 'reorder sheet', limit: 20 },
    responses: {
      200: {
        sessions: [{ ...listed, snippet: '… The reorder sheet cut stock-outs from 31 to 9 …' }],
        next_cursor: null,
      },
    },
  },
  getSession: { params, responses: { 200: PLAYED_SESSION } },
  startSession: { params, responses: { 200: { session: STARTED_SESSION, turn: OPENING, events: START_EVENTS } } },
  takeTurn: { params, request: { text: SAID_TEXT }, responses: { 200: ANSWERED } },
  regenerate: { params, responses: { 200: { ...ANSWERED, npc_turn: ANOTHER_TURN, events: ANOTHER_EVENTS } } },
  listVariants: {
    params: { ...params, index: 3 },
    responses: { 200: { variants: [{ ...NPC_TURN, variants: 2 }, ANOTHER_TURN] } },
  },
  chooseVariant: {
    params: { ...params, index: 3 },
    request: { variant: 1 },
    responses: { 200: { ...ANSWERED, npc_turn: { ...NPC_TURN, variants: 2 } } },
  },
  hintTyping: { params, responses: {} },
  endSession: { params, responses: { 200: { session: ENDED_SESSION, events: END_EVENTS } } },
  cancelTurn: { params, responses: { 200: { session: STARTED_SESSION } } },
  createDebrief: { params, responses: { 200: DEBRIEF, 202: { session: GENERATING_SESSION } } },
  getDebrief: { params, responses: { 200: DEBRIEF } },
  rateSelf: {
    params,
    request: { ratings: { evidence: 60 } },
    responses: { 200: { session_id: SESSION_ID, ratings: { evidence: 60 } } },
  },
  getTranscript: { params, responses: { 200: { session_id: SESSION_ID, transcript_saved: true, turns: TURNS } } },
  listEvents: { params, query: { limit: 20 }, responses: { 200: { events: STORED_EVENTS, next_cursor: null } } },
  exportSession: {
    params,
    query: { format: 'json' },
    responses: {
      200: {
        schema_version: 1,
        exported_at: TIMES.debriefed,
        session: { ...DEBRIEFED_SESSION, scenario_title: 'The ask' },
        turns: TURNS,
        variants: [],
        events: STORED_EVENTS,
        debrief: DEBRIEF,
        drills: [],
      },
    },
    texts: { 'text/markdown': MARKDOWN },
  },
  tryMoment: {
    params: { ...params, turn: 2 },
    request: { text: 'I would like 53,000, because both jobs are mine now. What limits you here?' },
    responses: {
      200: {
        line: 1,
        checks: [
          {
            id: 'figure',
            text: 'Name one figure or a narrow range',
            verdict: 'met',
            evidence: { start: 0, end: 19 },
          },
        ],
        moves: ['named_number', 'asked_interest'],
        next: "Say Dana's limit back in your own words",
        tries_left: 2,
        npc_text: null,
        npc_emotion: null,
      },
    },
  },
  coachLine: {
    params,
    request: { text: 'I have been working really hard.' },
    responses: { 200: { met: [], nudges: [{ check: 'result', text: 'Name a result that Dana can check' }] } },
  },
  forkSession: { params, request: { turn: 3 }, responses: { 201: FORKED_SESSION } },
  compareSession: {
    params: { id: FORK_ID },
    responses: {
      200: {
        forked_at: 3,
        parent: {
          session_id: SESSION_ID,
          flow_state: 'DebriefReady',
          ending_type: 'player_exit',
          ending_id: null,
          player_turn_count: 1,
          overall_score: DEBRIEF.overall_score,
        },
        fork: {
          session_id: FORK_ID,
          flow_state: 'PlayerTurnListening',
          ending_type: null,
          ending_id: null,
          player_turn_count: 1,
          overall_score: null,
        },
        dimensions: [
          { id: 'evidence', name: 'Evidence she can check', parent_score: 56, fork_score: null, change: null },
        ],
        variables: [{ name: 'trust', parent: 51, fork: 51, change: 0 }],
      },
    },
  },
  rescoreSession: { params, responses: { 200: DEBRIEF } },
  getDebugPrompt: {
    params,
    query: { turn: 2 },
    responses: {
      200: {
        session_id: SESSION_ID,
        turn: 2,
        messages: [
          {
            role: 'system',
            content: '## 1 GLOBAL_RULES\nYou play one character in a talk that the player practises. …',
          },
          { role: 'user', content: `## STATE\nPlayer turn 1 of 14; 13 left after it.\n…\n${SAID_TEXT}` },
        ],
        max_tokens: 700,
        context_length: 4096,
        estimated_tokens: 2804,
        dropped_turns: 0,
        static_length: 8148,
        json_schema: { type: 'object', properties: { npc_utterance: { type: 'string' } }, required: ['npc_utterance'] },
      },
    },
  },
  deleteSession: { params, responses: {} },
  getProgress: {
    query: { scenario_id: 'the_ask' },
    responses: {
      200: {
        scenarios: [
          {
            scenario_id: 'the_ask',
            title: 'The ask',
            attempts: [
              {
                session_id: SESSION_ID,
                ended_at: TIMES.ended,
                attempt: 'first',
                difficulty: 'standard',
                coaching: false,
                finished: false,
                ending_type: 'player_exit',
                overall_score: DEBRIEF.overall_score,
                dimensions: { evidence: 56, options_and_close: null },
              },
            ],
          },
        ],
        dimensions: [
          {
            id: 'evidence',
            name: 'Evidence she can check',
            points: [{ session_id: SESSION_ID, ended_at: TIMES.ended, attempt: 'first', score: 56 }],
          },
        ],
        skills: [
          {
            id: 'giving_evidence',
            name: 'Giving evidence',
            judged_checks: 4,
            level: null,
            points: [
              {
                session_id: SESSION_ID,
                scenario_id: 'the_ask',
                ended_at: TIMES.ended,
                attempt: 'first',
                difficulty: 'standard',
                coaching: false,
                score: 56,
                judged_checks: 4,
              },
            ],
          },
        ],
        suggestions: [
          {
            scenario_id: 'the_ask',
            title: 'The ask',
            difficulty: 'standard',
            focus_dimension: 'evidence',
            not_before: '2026-02-03T09:38:41.003Z',
          },
        ],
      },
    },
  },
};
