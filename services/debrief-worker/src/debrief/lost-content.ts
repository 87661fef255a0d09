import { DEFAULT_EMOTIONS, DEFAULT_MAX_DELTA, type ScenarioContent } from '@parley/shared/contracts';
import type { ScoredObservation } from '@parley/shared/engine';
import type { SessionRow } from '@parley/shared/store';

/** `active_listening` → `Active listening` */
const named = (id: string): string => id.charAt(0).toUpperCase() + id.slice(1).replaceAll('_', ' ');

/**
 * A scenario whose pack was removed between the end and the debrief, as far as the session itself still tells: the
 * dimensions that were observed, equally weighted, and the variables. Enough for scores; a debrief always arrives.
 */
export function lostContent(session: SessionRow, observations: readonly ScoredObservation[]): ScenarioContent {
  const observed = [...new Set(observations.map(({ dimension }) => dimension))];
  const dimensions = observed.length > 0 ? observed : ['conversation'];
  return {
    id: session.scenario_id,
    pack_id: session.pack_id,
    scenario_id: session.scenario_id.split('.').at(-1) ?? session.scenario_id,
    version: session.scenario_version,
    content_hash: '',
    format_version: '0.1',
    title: session.scenario_title,
    summary: '',
    skills: [],
    content_rating: 'PG-13',
    language: session.language,
    languages: [session.language],
    player_role: { label: '', brief: '' },
    npc: {
      npc_id: session.npc_id,
      display_name: named(session.npc_id),
      archetype: '',
      occupation: '',
      speaking_style: '',
      demeanor: '',
      hidden_agenda: [],
      biases_to_simulate: [],
      boundaries: [],
      emotions: [...DEFAULT_EMOTIONS],
      sample_lines: [],
      emotional_triggers: [],
      portraits: {},
      portrait: null,
      alt: {},
    },
    scene: null,
    rubric: {
      rubric_id: 'lost',
      title: '',
      dimensions: dimensions.map((id) => ({
        id,
        name: named(id),
        description: 'The pack that described this was removed.',
        scoring: { low: '', medium: '', high: 'Do more of what moved it up.' },
        weight: 1,
        moves: [],
        framework: null,
        sources: [],
        max_delta_per_turn: 10,
        skill: null,
        checks: [],
        faults: [],
      })),
    },
    policy: {
      policy_id: 'lost',
      description: null,
      content_categories: {},
      redirect_message: null,
      allow_profanity: false,
      content_rating_cap: 'PG-13',
    },
    duration: { max_turns: Math.min(100, Math.max(1, session.player_turn_count)), soft_time_limit_minutes: null },
    opening: { npc_says: '', emotion: 'neutral' },
    goals: { player_visible: [], hidden: [] },
    variables: Object.fromEntries(
      Object.entries(session.state_vars).map(([name, value]) => [
        name,
        {
          min: Math.min(0, value),
          max: Math.max(100, value),
          default: value,
          visibility: 'visible' as const,
          max_delta_per_turn: DEFAULT_MAX_DELTA,
          authored: false,
        },
      ]),
    ),
    difficulty: { declared: false, default: session.difficulty, options: {} },
    events: [],
    endings: [],
    flags: {},
    moves: [],
    secrets: [],
    outcome: [],
    npc_knows: null,
    bands: {},
    demo: [],
    hints: [],
    response_style: { max_words: null, verbosity: null, formality: null },
    ladder_position: null,
    taught_dimensions: [],
    tested_dimensions: [],
    replay_seed: null,
  };
}
