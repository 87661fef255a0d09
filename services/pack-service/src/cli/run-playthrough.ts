import type { Condition, Finding, PlaythroughFile, ScenarioContent } from '@parley/shared/contracts';
import {
  compileScenario,
  EARLIER_LINES,
  holds,
  judgeLine,
  parseReply,
  resolveTurn,
  type TurnOutcome,
} from '@parley/shared/engine';
import { beginAt, unknownInStart } from '../authoring/begin-at';
import { reportAt, type Keys } from '../import/validating/file-report';
import { dotted } from '../import/validating/finding';
import type { LoadedFile } from '../import/validating/load-pack';
import { traceTurn, type TurnTrace } from './trace-turn';

/** Why a script was not played: no turn has an output of the model, or there is nothing whole to play it on. */
export type SkipReason = 'needs_model' | 'no_scenario' | 'pack_has_errors';

/** What came of one scripted playthrough. */
export interface PlaythroughResult {
  readonly fixture_id: string;
  readonly file: string;
  readonly result: 'passed' | 'failed' | 'skipped';
  /** null when it was played. */
  readonly reason: SkipReason | null;
  readonly turns_played: number;
  readonly ending: string | null;
  readonly findings: readonly Finding[];
  /** The turns that were played; empty when all came out as expected. */
  readonly trace: readonly TurnTrace[];
}

/** A script that was not played. */
export const skipped = (file: LoadedFile<'tests'>, reason: SkipReason): PlaythroughResult => ({
  fixture_id: file.content.fixture_id,
  file: file.path,
  result: 'skipped',
  reason,
  turns_played: 0,
  ending: null,
  findings: [],
  trace: [],
});

type Expectation = NonNullable<PlaythroughFile['turns'][number]['expect']>;

interface Mismatch {
  readonly keys: Keys;
  readonly message: string;
}

const SAFETY_STATUS: Readonly<Record<string, string>> = {
  redirect: 'redirect',
  refuse: 'redirect',
  stop: 'stop',
  stop_with_resource_message: 'stop',
};

/** What a condition still lacks, in words. */
function lacking(condition: Condition, { state }: TurnOutcome): string {
  switch (condition.type) {
    case 'variable_above':
      return `${condition.variable} is ${state.state_vars[condition.variable]} and must be above ${condition.threshold}`;
    case 'variable_below':
      return `${condition.variable} is ${state.state_vars[condition.variable]} and must be below ${condition.threshold}`;
    case 'max_turns':
      return `this is turn ${state.player_turns}, not ${condition.value}`;
    case 'line':
      return `this is line ${state.player_turns}, not ${condition.value}`;
    case 'flag':
      return `the flag ${condition.flag_id} was not raised`;
    case 'no_flag':
      return `the flag ${condition.flag_id} was raised`;
  }
}

/** Why an ending that was expected did not come; '' where another one came first, or nothing can be said. */
function whyNoEnding(content: ScenarioContent, expected: string, outcome: TurnOutcome): string {
  const view = {
    value: (variable: string): number | undefined => outcome.state.state_vars[variable],
    hasFlag: (flag: string): boolean => outcome.state.flags.includes(flag),
    playerTurns: outcome.state.player_turns,
  };
  const missing = content.endings
    .filter((ending) => ending.id === expected || ending.type === expected)
    .map((ending) => ending.when.filter((one) => !holds(one, view)).map((one) => lacking(one, outcome)));
  return missing.map((reasons) => reasons.join(', and ')).join('; or ');
}

function compare(content: ScenarioContent, expected: Expectation, outcome: TurnOutcome): Mismatch[] {
  const mismatches: Mismatch[] = [];
  const differ = (keys: Keys, wanted: unknown, got: unknown, why = ''): void => {
    const told = `expected ${JSON.stringify(wanted)}, but it is ${JSON.stringify(got)}`;
    mismatches.push({ keys, message: `${dotted(keys)}: ${told}${why === '' ? '' : `: ${why}`}.` });
  };
  for (const [variable, value] of Object.entries(expected.state_vars ?? {})) {
    const got = outcome.state.state_vars[variable];
    if (got !== value) differ(['state_vars', variable], value, got ?? null);
  }
  for (const [index, flag] of (expected.flags ?? []).entries())
    if (!outcome.state.flags.includes(flag)) differ(['flags', index], flag, outcome.state.flags);
  const fired = outcome.fired.map((event) => event.id);
  for (const [index, event] of (expected.events ?? []).entries())
    if (!fired.includes(event)) differ(['events', index], event, fired);
  if (expected.ending !== undefined) {
    const { ending } = outcome;
    const names: (string | null)[] = ending === null ? [null] : [ending.id, ending.type];
    if (!names.includes(expected.ending))
      differ(
        ['ending'],
        expected.ending,
        ending === null ? null : (ending.id ?? ending.type),
        expected.ending === null ? '' : whyNoEnding(content, expected.ending, outcome),
      );
  }
  const flow = outcome.ending === null ? 'PlayerTurnListening' : 'Ended';
  if (expected.flow_state !== undefined && expected.flow_state !== flow)
    differ(['flow_state'], expected.flow_state, flow);
  for (const [index, variable] of (expected.state_delta_contains ?? []).entries())
    if (!Object.hasOwn(outcome.delta, variable))
      differ(['state_delta_contains', index], variable, Object.keys(outcome.delta));
  if (expected.npc_emotion_not !== undefined && [expected.npc_emotion_not].flat().includes(outcome.emotion))
    mismatches.push({ keys: ['npc_emotion_not'], message: `npc_emotion_not: the emotion is ${outcome.emotion}.` });
  const control = outcome.ending === null ? 'continue_session' : 'end_session';
  if (expected.session_control !== undefined && expected.session_control !== control)
    differ(['session_control'], expected.session_control, control);
  const safety = outcome.safety === null ? 'ok' : (SAFETY_STATUS[outcome.safety.action] ?? 'ok');
  if (expected.safety_status !== undefined && expected.safety_status !== safety)
    differ(['safety_status'], expected.safety_status, safety);
  return mismatches;
}

/**
 * Plays a script with the engine itself: the model's outputs are those of the file, all else is what a session does.
 * What does not come out as expected is a finding `test.expectation` at its line.
 */
export function runPlaythrough(file: LoadedFile<'tests'>, content: ScenarioContent): PlaythroughResult {
  const { turns, start, difficulty = content.difficulty.default } = file.content;
  if (turns.every((turn) => turn.npc === undefined)) return skipped(file, 'needs_model');
  const findings: Finding[] = [];
  const trace: TurnTrace[] = [];
  const report = (keys: Keys, message: string): void => {
    findings.push(
      reportAt(file, keys, { rule: 'test.expectation', message, hint: 'Mend the script, or the scenario.' }),
    );
  };
  const unknown = unknownInStart(content, start);
  for (const name of unknown.variables) report(['start', 'state_vars', name], `There is no variable ${name}.`);
  for (const flag of unknown.flags)
    report(['start', 'flags', start?.flags?.indexOf(flag) ?? 0], `There is no move, flag or event ${flag}.`);
  let { state, utterance: lastNpcLine } = beginAt(content, difficulty, start);
  const { language } = content;
  const scenario = compileScenario(content);
  const earlierLines: string[] = [];
  let ending: string | null = null;
  for (const [place, { npc, expect = {}, turn, player_input }] of turns.entries()) {
    if (ending !== null) {
      report(['turns', place], `The talk has ended with ${ending} before this turn.`);
      break;
    }
    const text = typeof npc === 'string' ? npc : JSON.stringify(npc ?? null);
    const reply = parseReply(text, null, scenario);
    const index = state.turn_index + 1;
    const judgement = judgeLine(
      {
        content,
        language,
        line: state.player_turns + 1,
        turn: index,
        lastNpcLine,
        earlierLines: earlierLines.slice(-EARLIER_LINES),
      },
      player_input,
    );
    const outcome = resolveTurn({ content, difficulty, language, state, reply, player_turn_index: index, judgement });
    const mismatches = compare(content, expect, outcome);
    for (const { keys, message } of mismatches) report(['turns', place, 'expect', ...keys], `Turn ${turn}, ${message}`);
    const played = { content, difficulty, before: state, reply, outcome };
    trace.push(traceTurn(played, { turn, player_input, failed: mismatches.length > 0 }));
    state = outcome.state;
    lastNpcLine = outcome.utterance;
    earlierLines.push(player_input);
    if (outcome.ending !== null) ending = outcome.ending.id ?? outcome.ending.type;
  }
  const passed = findings.length === 0;
  return {
    fixture_id: file.content.fixture_id,
    file: file.path,
    result: passed ? 'passed' : 'failed',
    reason: null,
    turns_played: trace.length,
    ending,
    findings,
    trace: passed ? [] : trace,
  };
}
