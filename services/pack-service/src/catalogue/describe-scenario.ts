import {
  DIFFICULTIES,
  type Condition,
  type ScenarioContent,
  type ScenarioDetail,
  type ScenarioSummary,
} from '@parley/shared/contracts';
import { variableName } from '@parley/shared/engine';
import { demoSpeaks, languageName, scenarioWords } from './scenario-words';

/** Address of an asset on the API, or null when the pack does not have it. */
export type AssetUrl = (path: string) => string | null;

/** One exchange takes about a minute when no author says otherwise. */
const MINUTES_A_TURN = 1;

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
  const words = scenarioWords(content.language);
  const shown = when.flatMap((condition): string[] => {
    if (condition.type === 'max_turns') return [words.afterTurns(condition.value)];
    if (!('variable' in condition) || content.variables[condition.variable]?.visibility !== 'visible') return [];
    const name = variableName(condition.variable, content.language);
    const say = condition.type === 'variable_above' ? words.isAbove : words.isBelow;
    return [say(name, condition.threshold)];
  });
  if (shown.length === 0) return words.playShows;
  const more = shown.length < when.length ? words.more : '';
  return sentenceOf(`${shown.join(words.and)}${more}.`);
}

const sentenceOf = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function describeEndings(content: ScenarioContent): ScenarioDetail['endings'] {
  const endings = content.endings.map(({ id, type, title, when }) => ({
    id,
    type,
    title,
    description: describeEnding(content, when),
  }));
  // The limit of turns ends every scenario, listed or not.
  if (!endings.some((ending) => ending.type === 'timeout'))
    endings.push({
      id: null,
      type: 'timeout',
      title: null,
      description: sentenceOf(`${scenarioWords(content.language).afterTurns(content.duration.max_turns)}.`),
    });
  return endings;
}

function describeDifficulties(content: ScenarioContent): ScenarioDetail['difficulties'] {
  const { declared, options } = content.difficulty;
  const words = scenarioWords(content.language);
  return DIFFICULTIES.filter((id) => !declared || options[id] !== undefined).map((id) => ({
    id,
    label: options[id]?.label ?? words.presets[id],
    description: options[id]?.description ?? (declared ? '' : words.noEffect),
  }));
}

/** What somebody should know before playing who asked for a language. */
function warningsOf(content: ScenarioContent, hasPicture: boolean, wished: string | undefined): string[] {
  const { language, npc } = content;
  const isOther = wished !== undefined && wished !== language;
  const reader = isOther ? wished : language;
  const words = scenarioWords(reader);
  const named = (code: string): string => languageName(code, reader);
  return [
    ...(hasPicture ? [] : [words.noPicture(npc.display_name)]),
    ...(isOther ? [words.otherLanguage(named(wished), named(language))] : []),
    ...(demoSpeaks(language, content.demo.length) ? [] : [words.demoInEnglish(named(language))]),
  ];
}

/**
 * A scenario as a player may see it: no hidden goals, no private persona, no instructions of events.
 * @param wished the language that was asked for; `content` is in another one where the pack has not got it
 */
export function describeScenario(content: ScenarioContent, assetUrl: AssetUrl, wished?: string): ScenarioDetail {
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
    language: content.language,
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
    warnings: warningsOf(content, summary.npc.portrait_url !== null, wished),
  };
}
