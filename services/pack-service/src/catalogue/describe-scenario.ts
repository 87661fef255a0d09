import {
  DIFFICULTIES,
  type Condition,
  type Difficulty,
  type ScenarioContent,
  type ScenarioDetail,
  type ScenarioSummary,
} from '@parley/shared/contracts';

/** Address of an asset on the API, or null when the pack does not have it. */
export type AssetUrl = (path: string) => string | null;

const PLAIN_LABELS: Readonly<Record<Difficulty, string>> = {
  warm: 'Warm',
  standard: 'Standard',
  hard: 'Hard',
  adversarial: 'Adversarial',
};
/** One exchange takes about a minute when no author says otherwise. */
const MINUTES_A_TURN = 1;

const inWords = (name: string): string => name.replaceAll('_', ' ');

function portraitUrl(content: ScenarioContent, assetUrl: AssetUrl): string | null {
  const { portrait, portraits, emotions } = content.npc;
  const candidates = [
    portraits[content.opening.emotion],
    portraits['neutral'],
    portrait,
    ...emotions.map((emotion) => portraits[emotion]),
  ];
  for (const path of candidates) {
    const url = typeof path === 'string' ? assetUrl(path) : null;
    if (url !== null) return url;
  }
  return null;
}

export function summariseScenario(content: ScenarioContent, assetUrl: AssetUrl): ScenarioSummary {
  return {
    id: content.id,
    pack_id: content.pack_id,
    version: content.version,
    title: content.title,
    summary: content.summary,
    skills: content.skills,
    difficulty: content.difficulty.default,
    duration_minutes: content.duration.soft_time_limit_minutes ?? content.duration.max_turns * MINUTES_A_TURN,
    content_rating: content.content_rating,
    npc: { id: content.npc.npc_id, name: content.npc.display_name, portrait_url: portraitUrl(content, assetUrl) },
  };
}

/**
 * An ending as a player may know it before playing: visible variables and turns in words. Flags and hidden variables are
 * not given away; that there is more to it is.
 */
export function describeEnding(content: ScenarioContent, when: readonly Condition[]): string {
  const shown = when.flatMap((condition): string[] => {
    if (condition.type === 'max_turns') return [`after ${condition.value} turns`];
    if (!('variable' in condition) || content.variables[condition.variable]?.visibility !== 'visible') return [];
    return [
      `${inWords(condition.variable)} is ${condition.type === 'variable_above' ? 'above' : 'below'} ${condition.threshold}`,
    ];
  });
  if (shown.length === 0) return 'What you say decides; play shows when.';
  const more = shown.length < when.length ? ', and something more that play shows' : '';
  const sentence = `${shown.join(' and ')}${more}.`;
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

function describeEndings(content: ScenarioContent): ScenarioDetail['endings'] {
  const endings = content.endings.map(({ id, type, title, when }) => ({
    id,
    type,
    title,
    description: describeEnding(content, when),
  }));
  // The limit of turns ends every scenario, listed or not.
  if (!endings.some((ending) => ending.type === 'timeout'))
    endings.push({ id: null, type: 'timeout', title: null, description: `After ${content.duration.max_turns} turns.` });
  return endings;
}

function describeDifficulties(content: ScenarioContent): ScenarioDetail['difficulties'] {
  const { declared, options } = content.difficulty;
  return DIFFICULTIES.filter((id) => !declared || options[id] !== undefined).map((id) => ({
    id,
    label: options[id]?.label ?? PLAIN_LABELS[id],
    description: options[id]?.description ?? (declared ? '' : 'Has no effect in this scenario.'),
  }));
}

/** A scenario as a player may see it: no hidden goals, no private persona, no instructions of events. */
export function describeScenario(content: ScenarioContent, assetUrl: AssetUrl): ScenarioDetail {
  const summary = summariseScenario(content, assetUrl);
  const portraits = Object.entries(content.npc.portraits).flatMap(([emotion, path]) => {
    const url = assetUrl(path);
    return url === null ? [] : [[emotion, url] as const];
  });
  return {
    ...summary,
    briefing: {
      role: content.player_role.label,
      brief: content.player_role.brief,
      scene: content.scene === null ? null : `${content.scene.display_name}. ${content.scene.description}`.trim(),
      max_turns: content.duration.max_turns,
    },
    goals: content.goals.player_visible,
    difficulties: describeDifficulties(content),
    languages: content.languages,
    variables: Object.entries(content.variables).map(([name, variable]) => ({
      name,
      visibility: variable.visibility,
      default: variable.default,
      min: variable.min,
      max: variable.max,
      max_delta_per_turn: variable.max_delta_per_turn,
    })),
    endings: describeEndings(content),
    rubric: {
      id: content.rubric.rubric_id,
      title: content.rubric.title,
      dimensions: content.rubric.dimensions.map(({ id, name, description, weight, scoring, framework, sources }) => ({
        id,
        name,
        description,
        weight,
        scoring,
        framework,
        sources,
      })),
    },
    portraits: Object.fromEntries(portraits),
    portrait_alt: content.npc.alt,
    warnings:
      summary.npc.portrait_url === null ? [`There is no picture of ${content.npc.display_name} in this pack.`] : [],
  };
}
