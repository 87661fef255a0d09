import type { Finding, PlaythroughFile, ScenarioContent } from '@parley/shared/contracts';
import { openSession, parseReply, resolveTurn, type TurnOutcome } from '@parley/shared/engine';
import { reportAt, type Keys } from '../import/file-report';
import type { LoadedFile } from '../import/load-pack';

/** What came of one scripted playthrough. */
export interface PlaythroughResult {
  readonly fixture_id: string;
  readonly file: string;
  /** `needs_model`: at least one turn has no output of the model written down. */
  readonly result: 'passed' | 'failed' | 'needs_model';
  readonly turns_played: number;
  readonly ending: string | null;
  readonly findings: readonly Finding[];
}

type Expectation = NonNullable<PlaythroughFile['turns'][number]['expect']>;

interface Mismatch {
  readonly keys: Keys;
  readonly message: string;
}

const SAFETY_STATUS: Readonly<Record<string, string>> = {
  redirect: 'redirect', refuse: 'redirect', stop: 'stop', stop_with_resource_message: 'stop',
}; // prettier-ignore

function compare(expected: Expectation, outcome: TurnOutcome): Mismatch[] {
  const mismatches: Mismatch[] = [];
  const differ = (keys: Keys, wanted: unknown, got: unknown): void => {
    mismatches.push({ keys, message: `Expected ${JSON.stringify(wanted)}, but it is ${JSON.stringify(got)}.` });
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
      differ(['ending'], expected.ending, ending === null ? null : (ending.id ?? ending.type));
  }
  const flow = outcome.ending === null ? 'PlayerTurnListening' : 'Ended';
  if (expected.flow_state !== undefined && expected.flow_state !== flow)
    differ(['flow_state'], expected.flow_state, flow);
  for (const [index, variable] of (expected.state_delta_contains ?? []).entries())
    if (!Object.hasOwn(outcome.delta, variable))
      differ(['state_delta_contains', index], variable, Object.keys(outcome.delta));
  if (expected.npc_emotion_not !== undefined && [expected.npc_emotion_not].flat().includes(outcome.emotion))
    mismatches.push({ keys: ['npc_emotion_not'], message: `The emotion is ${outcome.emotion}.` });
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
  const { turns, fixture_id: fixture, difficulty = content.difficulty.default } = file.content;
  const base = { fixture_id: fixture, file: file.path };
  if (turns.length === 0 || turns.some((turn) => turn.npc === undefined))
    return { ...base, result: 'needs_model', turns_played: 0, ending: null, findings: [] };
  const findings: Finding[] = [];
  const report = (keys: Keys, message: string): void => {
    findings.push(
      reportAt(file, keys, { rule: 'test.expectation', message, hint: 'Mend the script, or the scenario.' }),
    );
  };
  let { state } = openSession(content, difficulty);
  let ending: string | null = null;
  let played = 0;
  for (const [index, turn] of turns.entries()) {
    if (ending !== null) {
      report(['turns', index], `The talk has ended with ${ending} before this turn.`);
      break;
    }
    const text = typeof turn.npc === 'string' ? turn.npc : JSON.stringify(turn.npc);
    const reply = parseReply(text, null, content);
    const outcome = resolveTurn({ content, difficulty, state, reply, player_turn_index: state.turn_index + 1 });
    played += 1;
    for (const { keys, message } of compare(turn.expect ?? {}, outcome))
      report(['turns', index, 'expect', ...keys], message);
    state = outcome.state;
    if (outcome.ending !== null) ending = outcome.ending.id ?? outcome.ending.type;
  }
  return { ...base, result: findings.length === 0 ? 'passed' : 'failed', turns_played: played, ending, findings };
}
