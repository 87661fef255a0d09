import {
  BASELINE_VARIABLES,
  DEFAULT_EMOTIONS,
  DEFAULT_MAX_DELTA,
  DIFFICULTIES,
  GLOBAL_SAFETY_ACTIONS,
  type Condition,
  type ManifestFile,
  type NpcFile,
  type RubricFile,
  type SafetyAction,
  type SafetyFile,
  type ScenarioContent,
  type ScenarioFile,
  type SceneFile,
  type VariableDefinition,
} from '@parley/shared/contracts';
import { resolveInside } from '../import/validating/check-name';
import { publicScenarioId } from '../import/validating/references';
import { compileDimensions, compileFlags, compileMoves } from './compile-judging';

/** The content of the files that one scenario is made of. */
export interface ScenarioSources {
  readonly manifest: ManifestFile;
  readonly scenario: ScenarioFile;
  readonly npc: NpcFile;
  readonly scene: SceneFile | null;
  readonly rubric: RubricFile;
  readonly policy: SafetyFile;
  readonly language: string;
  readonly languages: readonly string[];
}

/** Older names of categories, and the names that the engine knows them by. */
const CURRENT_NAMES: Readonly<Record<string, string>> = {
  nsfw_sexual: 'nsfw_sexual_content',
  instructional_criminal: 'criminal_instruction',
  medical_professional_advice: 'medical_or_therapy_claim',
};

const asList = (when: Condition | readonly Condition[]): Condition[] =>
  Array.isArray(when) ? [...(when as Condition[])] : [when as Condition];

function compileVariables(
  authored: NonNullable<ScenarioFile['state']>['variables'] = {},
): Record<string, VariableDefinition> {
  const variables = new Map<string, VariableDefinition>(
    Object.entries(BASELINE_VARIABLES).map(([name, baseline]) => [
      name,
      {
        min: 0,
        max: 100,
        default: baseline.default,
        visibility: baseline.visibility,
        max_delta_per_turn: DEFAULT_MAX_DELTA,
        authored: false,
      },
    ]),
  );
  for (const [name, value] of Object.entries(authored)) {
    const known = variables.get(name);
    const given = typeof value === 'number' ? { default: value } : value;
    const min = given.min ?? 0;
    const max = given.max ?? 100;
    // A start that is left out is the baseline's, or as near to 0 as the bounds allow.
    const start = given.default ?? Math.min(max, Math.max(min, known?.default ?? 0));
    variables.set(name, {
      min,
      max,
      default: start,
      visibility: given.visibility ?? known?.visibility ?? 'visible',
      max_delta_per_turn: given.max_delta_per_turn ?? DEFAULT_MAX_DELTA,
      authored: given.default !== undefined,
    });
  }
  return Object.fromEntries(variables);
}

function compileCategories(categories: SafetyFile['content_categories']): Record<string, SafetyAction> {
  const compiled: Record<string, SafetyAction> = {};
  // Older names first: the current name of the same category wins.
  const entries = Object.entries(categories).sort(
    ([a], [b]) => Number(b in CURRENT_NAMES) - Number(a in CURRENT_NAMES),
  );
  for (const [category, action] of entries) {
    // crisis_content is the old name of the self-harm rule: it changes nothing.
    if (action === undefined || category === 'crisis_content') continue;
    compiled[CURRENT_NAMES[category] ?? category] = action === 'block' ? 'stop' : action;
  }
  return { ...compiled, ...GLOBAL_SAFETY_ACTIONS };
}

function compileDifficulty(difficulty: ScenarioFile['difficulty']): ScenarioContent['difficulty'] {
  const options = difficulty?.options ?? {};
  const listed = DIFFICULTIES.filter((preset) => options[preset] !== undefined);
  const wished = difficulty?.default ?? 'standard';
  const offered = listed.length === 0 || listed.includes(wished);
  return {
    declared: listed.length > 0,
    default: offered ? wished : listed.includes('standard') ? 'standard' : (listed[0] ?? 'standard'),
    options: Object.fromEntries(
      listed.map((preset) => {
        const option = options[preset] ?? {};
        return [
          preset,
          {
            patience: option.patience ?? null,
            volatility: option.volatility ?? null,
            disclosure: option.disclosure ?? null,
            time_pressure: option.time_pressure ?? null,
            label: option.label ?? null,
            description: option.description ?? null,
          },
        ];
      }),
    ),
  };
}

const compileBands = (bands: ScenarioFile['bands'] = {}): ScenarioContent['bands'] =>
  Object.fromEntries(
    Object.entries(bands).map(([variable, steps]) => [
      variable,
      [...steps].sort((one, other) => one.below - other.below),
    ]),
  );

function compileEndings(scenario: ScenarioFile): ScenarioContent['endings'] {
  if (scenario.endings !== undefined)
    return scenario.endings.map((ending) => ({
      id: ending.id,
      type: ending.type,
      title: ending.title,
      when: ending.when,
      debrief_note: ending.debrief_note ?? null,
    }));
  return (['success', 'failure', 'timeout'] as const).flatMap((type) => {
    const condition = scenario.ending_conditions?.[type];
    return condition === undefined ? [] : [{ id: null, type, title: null, when: [condition], debrief_note: null }];
  });
}

function compileNpc(npc: NpcFile): ScenarioContent['npc'] {
  const picture = (path: string): string => resolveInside('', path) ?? path;
  const { private_persona: hidden, public_persona: shown } = npc;
  return {
    npc_id: npc.npc_id,
    display_name: npc.display_name,
    archetype: npc.archetype,
    occupation: shown.occupation,
    speaking_style: shown.speaking_style,
    demeanor: shown.demeanor,
    hidden_agenda: hidden.hidden_agenda ?? [],
    biases_to_simulate: hidden.biases_to_simulate ?? [],
    boundaries: hidden.boundaries ?? [],
    emotions: [...new Set(npc.emotions ?? DEFAULT_EMOTIONS)],
    sample_lines: npc.sample_lines ?? [],
    emotional_triggers: npc.emotional_triggers ?? [],
    portraits: Object.fromEntries(
      Object.entries(npc.portraits ?? {}).map(([emotion, path]) => [emotion, picture(path)]),
    ),
    portrait: npc.portrait === undefined ? null : picture(npc.portrait),
    alt: npc.alt ?? {},
  };
}

/**
 * Makes a scenario whole out of its files: defaults filled in, older names made current. `version` is 1 and
 * `content_hash` is empty until the catalogue gives it a version.
 */
export function compileScenario(sources: ScenarioSources): ScenarioContent {
  const { manifest, scenario, npc, scene, rubric, policy } = sources;
  const compiledNpc = compileNpc(npc);
  return {
    id: publicScenarioId(manifest.pack_id, scenario.scenario_id),
    pack_id: manifest.pack_id,
    scenario_id: scenario.scenario_id,
    version: 1,
    content_hash: '',
    format_version: scenario.schema_version,
    title: scenario.title,
    summary: scenario.summary,
    skills: scenario.skills ?? [],
    content_rating: manifest.content_rating,
    language: sources.language,
    languages: [...sources.languages],
    player_role: scenario.player_role,
    npc: compiledNpc,
    scene:
      scene === null
        ? null
        : {
            scene_id: scene.scene_id,
            display_name: scene.display_name,
            description: scene.description,
            background:
              scene.background === undefined ? null : (resolveInside('', scene.background) ?? scene.background),
            ambient: scene.ambient ?? null,
            alt: scene.alt ?? null,
          },
    rubric: {
      rubric_id: rubric.rubric_id,
      title: rubric.title,
      dimensions: compileDimensions(rubric, scenario, manifest.skills ?? {}),
    },
    policy: {
      policy_id: policy.policy_id,
      description: policy.description ?? null,
      content_categories: compileCategories(policy.content_categories),
      redirect_message: policy.redirect_message ?? null,
      allow_profanity: policy.allow_profanity ?? false,
      content_rating_cap: policy.content_rating_cap,
    },
    duration: {
      max_turns: scenario.duration.max_turns,
      soft_time_limit_minutes: scenario.duration.soft_time_limit_minutes ?? null,
    },
    opening: {
      npc_says: scenario.opening.npc_says,
      emotion:
        scenario.opening.emotion ??
        (compiledNpc.emotions.includes('neutral') ? 'neutral' : (compiledNpc.emotions[0] ?? 'neutral')),
    },
    goals: { player_visible: scenario.goals.player_visible ?? [], hidden: scenario.goals.hidden ?? [] },
    variables: compileVariables(scenario.state?.variables),
    difficulty: compileDifficulty(scenario.difficulty),
    events: (scenario.events ?? []).map((event) => ({
      id: event.id,
      when: asList(event.when),
      npc_instruction: event.npc_instruction,
      repeat: event.repeat ?? false,
      effects: event.effects ?? {},
      narration: event.narration ?? null,
    })),
    endings: compileEndings(scenario),
    flags: compileFlags(scenario),
    moves: compileMoves(scenario),
    secrets: (scenario.secrets ?? []).map((secret) => ({
      id: secret.id,
      when: asList(secret.when),
      text: secret.text,
      hint: secret.hint ?? null,
    })),
    npc_knows: scenario.npc_knows ?? null,
    bands: compileBands(scenario.bands),
    demo: (scenario.demo ?? []).map((line) => ({
      after: line.after ?? null,
      signs: line.signs ?? [],
      when: line.when === undefined ? [] : asList(line.when),
      says: line.says,
      emotion: line.emotion ?? null,
      otherwise: line.otherwise ?? false,
    })),
    hints: (scenario.hints ?? []).map((hint) => ({ when: asList(hint.when), text: hint.text })),
    outcome: (scenario.outcome ?? []).map((line) => ({
      when: line.when === undefined ? [] : asList(line.when),
      ending: line.ending ?? null,
      text: line.text,
      quote: line.quote ?? null,
    })),
    response_style: {
      max_words: scenario.response_style?.max_words ?? null,
      verbosity: scenario.response_style?.verbosity ?? null,
      formality: scenario.response_style?.formality ?? null,
    },
    ladder_position: scenario.ladder_position ?? null,
    taught_dimensions: scenario.taught_dimensions ?? [],
    tested_dimensions: scenario.tested_dimensions ?? [],
    replay_seed: scenario.replay_seed ?? null,
  };
}
