import { SafetyAction, type ScenarioContent } from '@parley/shared/contracts';
import { restingEmotion } from '../emotions';
import { MAX_OBSERVATION_DELTA } from '../observations';
import { flagVocabulary } from '../vocabulary';
import type { JsonObject } from './find-object';
import { MAX_NOTE } from './npc-output-schema';
import type { CleanReply, DroppedMember, ReplyObservation } from './parsed-reply';

/** More entries than this in one member are noise: a turn has a handful. */
const MAX_ENTRIES = 100;

const KNOWN_MEMBERS = new Set([
  'npc_utterance',
  'npc_emotion',
  'state_delta',
  'event_flags',
  'rubric_observations',
  'safety',
  'session_control',
]);

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const own = (object: JsonObject, member: string): unknown =>
  Object.hasOwn(object, member) ? object[member] : undefined;

/** Characters that cannot be stored or shown: controls but for line breaks and tabs, and halves of surrogate pairs. */

const UNPRINTABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u2028\u2029]|\p{Surrogate}/gu;

export const printable = (text: string): string => text.replace(UNPRINTABLE, '').trim();

export const firstPoints = (text: string, count: number): string =>
  text.length <= count ? text : [...text].slice(0, count).join('');

/**
 * Validates an answer member by member (docs/interface.md, Member rules): a broken side member is left out and named
 * in `dropped`, the utterance stays.
 */
export function cleanMembers(
  object: JsonObject,
  utterance: string,
  content: ScenarioContent,
): { output: CleanReply; dropped: DroppedMember[] } {
  const dropped: DroppedMember[] = [];
  const drop = (member: string, reason: string) => void dropped.push({ member, reason });
  if (Object.keys(object).some((member) => !KNOWN_MEMBERS.has(member))) drop('(unknown)', 'unknown member');
  const output = {
    npc_utterance: utterance,
    npc_emotion: cleanEmotion(own(object, 'npc_emotion'), content, drop),
    state_delta: cleanDelta(own(object, 'state_delta'), drop),
    event_flags: cleanFlags(own(object, 'event_flags'), content, drop),
    rubric_observations: cleanObservations(own(object, 'rubric_observations'), content, drop),
    safety: cleanSafety(own(object, 'safety'), drop),
    session_control: cleanControl(own(object, 'session_control'), drop),
  };
  return { output, dropped };
}

type Drop = (member: string, reason: string) => void;

function cleanEmotion(value: unknown, content: ScenarioContent, drop: Drop): string {
  const named = typeof value === 'string' ? value.trim() : null;
  const known = content.npc.emotions.find((emotion) => emotion.toLowerCase() === named?.toLowerCase());
  if (known !== undefined) return known;
  drop('npc_emotion', value === undefined ? 'missing' : 'not one of the character');
  return restingEmotion(content);
}

/** Names are not judged here: unknown variables are rejected, and logged, when the changes are applied. */
function cleanDelta(value: unknown, drop: Drop): Record<string, number> {
  if (!isObject(value)) {
    drop('state_delta', value === undefined ? 'missing' : 'not an object');
    return {};
  }
  const entries: [string, number][] = [];
  for (const [name, delta] of Object.entries(value).slice(0, MAX_ENTRIES)) {
    // `+ 0` turns the -0 that some servers generate into 0.
    if (typeof delta === 'number' && Number.isInteger(delta)) entries.push([name, delta + 0]);
    else drop('state_delta', 'a value is no integer');
  }
  return Object.fromEntries(entries);
}

function cleanFlags(value: unknown, content: ScenarioContent, drop: Drop): string[] {
  if (!Array.isArray(value)) {
    drop('event_flags', value === undefined ? 'missing' : 'not a list');
    return [];
  }
  const vocabulary = flagVocabulary(content);
  const known = value
    .slice(0, MAX_ENTRIES)
    .filter((flag): flag is string => typeof flag === 'string' && vocabulary.includes(flag));
  if (known.length < value.length) drop('event_flags', 'a flag is outside the vocabulary');
  return [...new Set(known)];
}

function cleanObservations(value: unknown, content: ScenarioContent, drop: Drop): ReplyObservation[] {
  if (!Array.isArray(value)) {
    drop('rubric_observations', value === undefined ? 'missing' : 'not a list');
    return [];
  }
  const dimensions = new Set(content.rubric.dimensions.map((dimension) => dimension.id));
  const observations: ReplyObservation[] = [];
  for (const item of value.slice(0, MAX_ENTRIES) as unknown[]) {
    const dimension = isObject(item) ? own(item, 'dimension') : undefined;
    const delta = isObject(item) ? own(item, 'delta') : undefined;
    if (typeof dimension !== 'string' || !dimensions.has(dimension)) {
      drop('rubric_observations', 'unknown dimension');
    } else if (typeof delta !== 'number' || !Number.isInteger(delta) || Math.abs(delta) > MAX_OBSERVATION_DELTA) {
      drop('rubric_observations', 'delta is no integer from -10 to 10');
    } else {
      observations.push({ dimension, delta: delta + 0, note: cleanNote(own(item as JsonObject, 'note')) ?? '' });
    }
  }
  return observations;
}

function cleanSafety(value: unknown, drop: Drop): CleanReply['safety'] {
  const action = isObject(value) ? SafetyAction.safeParse(own(value, 'action')) : null;
  if (!isObject(value) || !action?.success) {
    drop('safety', value === undefined ? 'missing' : 'no known action');
    return { action: 'ok', reason: null };
  }
  return { action: action.data, reason: cleanNote(own(value, 'reason')) };
}

function cleanControl(value: unknown, drop: Drop): CleanReply['session_control'] {
  const end = isObject(value) ? own(value, 'end_session') : undefined;
  if (!isObject(value) || typeof end !== 'boolean') {
    drop('session_control', value === undefined ? 'missing' : 'end_session is no boolean');
    return { end_session: false, reason: null };
  }
  return { end_session: end, reason: cleanNote(own(value, 'reason')) };
}

function cleanNote(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const note = firstPoints(printable(value), MAX_NOTE);
  return note === '' ? null : note;
}
