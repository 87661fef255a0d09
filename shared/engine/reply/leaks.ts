import { BASELINE_VARIABLES, type ScenarioContent } from '@parley/shared/contracts';
import { spokenSentences } from './spoken-words';

const MEMBERS = [
  'npc_utterance', 'npc_emotion', 'state_delta', 'event_flags', 'rubric_observations', 'session_control', 'end_session',
  'state_vars', 'npc_requests_end', 'max_turns', 'player_turns', 'patience_delta', 'trust_delta',
]; // prettier-ignore
const escaped = (id: string): string => id.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const variablesOf = (content: ScenarioContent): string[] => [
  ...new Set([...Object.keys(BASELINE_VARIABLES), ...Object.keys(content.variables)]),
];

/** How a character would give the scenario away. */
export interface LeakPatterns {
  /** Ids that nobody says (they are written with underscores), and values of variables: `trust: 56`, `patience +5`. */
  readonly told: RegExp;
  /** A variable's name with as few words behind it as may stand before its value: "trust level is now at". */
  readonly begun: RegExp;
}

export function leakPatterns(content: ScenarioContent): LeakPatterns {
  const variables = variablesOf(content);
  const ids = [
    ...MEMBERS,
    ...variables,
    ...Object.keys(content.flags),
    ...content.moves.map(({ id }) => id),
    ...content.events.map(({ id }) => id),
    ...content.rubric.dimensions.map(({ id }) => id),
    ...content.secrets.map(({ id }) => id),
    ...content.endings.flatMap(({ id }) => id ?? []),
  ].filter((id) => id.includes('_'));
  const names = variables.map((name) => escaped(name).replaceAll('_', '[_ ]')).join('|');
  return {
    told: new RegExp(
      `\\b(?:${[...new Set(ids)].map(escaped).join('|')})\\b` +
        `|\\b(?:${names})\\b(?: (?:level|score|value|meter))?(?: ?[:=] ?| (?:is|are)(?: now)?(?: at)? | (?:now )?at | ?(?=[+−-]))[+−-]?\\d`,
      'i',
    ),
    begun: new RegExp(`\\b(?:${names})\\b(?:\\s+\\S+){0,4}\\s*$`, 'i'),
  };
}

/** The text without sentences in which the character says an id of the scenario or the value of a variable. */
export function withoutLeaks(text: string, { told }: LeakPatterns): { text: string; found: boolean } {
  if (!told.test(text)) return { text, found: false };
  const kept = spokenSentences(text).filter((sentence) => !told.test(sentence));
  return { text: kept.join('').trim(), found: true };
}

/** Up to where the beginning of a sentence cannot become a leak: before a variable's name whose value may come. */
export function mayBecomeLeak(text: string, { begun }: LeakPatterns): number {
  return begun.exec(text)?.index ?? text.length;
}
