import {
  ENDING_TYPES,
  NpcTurnOutput,
  NPC_REQUESTS_END,
  type Finding,
  type PlaythroughFile,
} from '@parley/shared/contracts';
import { languagesOf } from '../../catalogue/compile-pack';
import { checkName } from './check-references';
import { reportAt, type Keys } from './file-report';
import type { LoadedFile, LoadedPack } from './load-pack';
import { isGroup, nearest } from './meant-schema';
import { partsOf } from './references';
import {
  emotionsOf,
  flagsNamed,
  flagsOf,
  raisedOf,
  scenarioIds,
  scenarioOf,
  variablesOf,
  type Names,
} from './scenario-names';
import { idsIn, isAuthored, together } from './slips';

type Turn = PlaythroughFile['turns'][number];

/** What a script may name. */
interface ScriptNames {
  readonly variables: Names;
  /** What the model may raise. */
  readonly raised: Names;
  /** What can hold, events included. */
  readonly flags: Names;
  readonly events: Names;
  readonly endings: Names;
  readonly emotions: Names;
  readonly dimensions: Names;
}

function namesFor(pack: LoadedPack, scenario: LoadedFile<'scenario'>): ScriptNames {
  const { npc, rubric } = partsOf(pack, scenario);
  const { events, endings } = scenario.content;
  const named = flagsNamed(scenario);
  const fired = idsIn(scenario, 'events', events);
  const reserved = [...(fired ?? []), NPC_REQUESTS_END];
  const raised = together(raisedOf(scenario), named);
  return {
    variables: variablesOf(scenario),
    raised: fired === null || raised === null ? null : raised.filter((flag) => !reserved.includes(flag)),
    flags: together(flagsOf(scenario), named),
    events: fired,
    endings: together(idsIn(scenario, 'endings', endings), ENDING_TYPES),
    emotions: npc === undefined ? null : emotionsOf(npc),
    dimensions: rubric === undefined ? null : idsIn(rubric, 'dimensions', rubric.content.dimensions),
  };
}

/** Emotions are taken whatever their case, as the engine takes them. */
function checkEmotion(file: LoadedFile, keys: Keys, emotion: string, known: Names): Finding[] {
  const named = known?.find((one) => one.toLowerCase() === emotion.trim().toLowerCase());
  return checkName(file, keys, 'emotion', named ?? emotion, known);
}

function checkRaised(file: LoadedFile, keys: Keys, flag: string, names: ScriptNames): Finding[] {
  if (names.events?.includes(flag) !== true) return checkName(file, keys, 'flag or move', flag, names.raised);
  return [
    reportAt(file, keys, {
      rule: 'ref.unknown',
      message: `${flag} is an event: the engine raises it, not the model.`,
      hint: 'Name it in expect.events.',
    }),
  ];
}

/** A member that no output has, in an output that was written as text. */
function checkMembers(file: LoadedFile, keys: Keys, output: object): Finding[] {
  const known = Object.keys(NpcTurnOutput.shape);
  return Object.keys(output)
    .filter((member) => !known.includes(member))
    .map((member) => {
      const near = nearest(member, known);
      return reportAt(file, keys, {
        rule: 'schema.tests',
        message: `The member ${member} is not known here.`,
        hint: near === null ? null : `Did you mean ${near}?`,
      });
    });
}

/**
 * An output that was written as text and is whole JSON, as an object. Anything else is there to show what the engine
 * makes of it.
 */
function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isGroup(value) ? value : null;
  } catch {
    return null;
  }
}

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];

function checkOutput(file: LoadedFile, turn: Keys, npc: NonNullable<Turn['npc']>, names: ScriptNames): Finding[] {
  const written = typeof npc === 'string' ? objectIn(npc) : npc;
  if (written === null) return [];
  // A text has no places inside: what is wrong in it is told where it stands.
  const at = (...inner: Keys): Keys => (typeof npc === 'string' ? [...turn, 'npc'] : [...turn, 'npc', ...inner]);
  const { npc_emotion: emotion, state_delta: delta, event_flags: flags, rubric_observations: observations } = written;
  return [
    ...(typeof npc === 'string' ? checkMembers(file, at(), written) : []),
    ...(typeof emotion === 'string' ? checkEmotion(file, at('npc_emotion'), emotion, names.emotions) : []),
    ...(isGroup(delta) ? Object.keys(delta) : []).flatMap((variable) =>
      checkName(file, at('state_delta', variable), 'variable', variable, names.variables, typeof npc !== 'string'),
    ),
    ...textsIn(flags).flatMap((flag, index) => checkRaised(file, at('event_flags', index), flag, names)),
    ...(Array.isArray(observations) ? (observations as unknown[]) : []).flatMap((one, index) =>
      isGroup(one) && typeof one['dimension'] === 'string'
        ? checkName(
            file,
            at('rubric_observations', index, 'dimension'),
            'dimension',
            one['dimension'],
            names.dimensions,
          )
        : [],
    ),
  ];
}

function checkExpectation(
  file: LoadedFile,
  keys: Keys,
  expect: NonNullable<Turn['expect']>,
  names: ScriptNames,
): Finding[] {
  const findings: Finding[] = [];
  for (const variable of Object.keys(expect.state_vars ?? {}))
    findings.push(...checkName(file, [...keys, 'state_vars', variable], 'variable', variable, names.variables, true));
  for (const [place, flag] of (expect.flags ?? []).entries())
    findings.push(...checkName(file, [...keys, 'flags', place], 'flag', flag, names.flags));
  for (const [place, event] of (expect.events ?? []).entries())
    findings.push(...checkName(file, [...keys, 'events', place], 'event', event, names.events));
  if (expect.ending !== undefined && expect.ending !== null)
    findings.push(...checkName(file, [...keys, 'ending'], 'ending', expect.ending, names.endings));
  // Scripts of 0.1 are published with names of their own here: nobody checked them, and nobody plays them without a model.
  if (file.content.schema_version === '0.1') return findings;
  for (const [place, variable] of (expect.state_delta_contains ?? []).entries())
    findings.push(...checkName(file, [...keys, 'state_delta_contains', place], 'variable', variable, names.variables));
  const { npc_emotion_not: unwanted } = expect;
  for (const [place, emotion] of [unwanted ?? []].flat().entries()) {
    const at: Keys = Array.isArray(unwanted) ? ['npc_emotion_not', place] : ['npc_emotion_not'];
    findings.push(...checkEmotion(file, [...keys, ...at], emotion, names.emotions));
  }
  return findings;
}

/** A script is played without a model when every turn has its output; one that has some is neither. */
function checkWhole(file: LoadedFile<'tests'>): Finding[] {
  const { turns } = file.content;
  const written = turns.map((turn, index) => turn.npc !== undefined || !isAuthored(file, ['turns', index, 'npc']));
  if (!written.includes(true)) return [];
  return written.flatMap((one, index) =>
    one
      ? []
      : [
          reportAt(file, ['turns', index], {
            rule: 'schema.tests',
            message: 'This turn has no npc, but others of the script have one.',
            hint: "Write the model's output for it, or take npc out of every turn: then the script waits for a model.",
          }),
        ],
  );
}

/** What a scripted playthrough names: its scenario, and all that its outputs and expectations speak of. */
export function checkPlaythrough(pack: LoadedPack, file: LoadedFile<'tests'>): Finding[] {
  const findings = [
    ...checkName(file, ['scenario_id'], 'scenario', file.content.scenario_id, scenarioIds(pack)),
    ...(file.content.language === undefined
      ? []
      : checkName(file, ['language'], 'language in supported_languages:', file.content.language, languagesOf(pack))),
    ...checkWhole(file),
  ];
  const scenario = scenarioOf(pack, file);
  if (scenario === undefined) return findings;
  const names = namesFor(pack, scenario);
  for (const [index, { npc, expect }] of file.content.turns.entries()) {
    const keys: Keys = ['turns', index];
    if (npc !== undefined) findings.push(...checkOutput(file, keys, npc, names));
    if (expect !== undefined) findings.push(...checkExpectation(file, [...keys, 'expect'], expect, names));
  }
  return findings;
}
