import {
  checkVerdicts,
  hasChecks,
  stateAfterTurn,
  type CompiledScenario,
  type EngineState,
  type LineContext,
} from '@parley/shared/engine';
import {
  ServiceError,
  type CheckVerdict,
  type LineJudgement,
  type ScenarioContent,
  type StoredEvent,
} from '@parley/shared/contracts';
import { eventsUpToTurn, listTurns, type SessionRow, type TurnRow } from '@parley/shared/store';
import type { Needs } from '../context';
import { lineContext } from '../turn/line-context';

/** A talk as it stood before one of the player's turns. */
export interface Moment {
  readonly scenario: CompiledScenario;
  readonly state: EngineState;
  readonly events: readonly StoredEvent[];
  /** Before the moment, oldest first. */
  readonly turns: readonly TurnRow[];
  /** What the line is judged against. */
  readonly line: LineContext;
  /** Checks of the rubric that were met before the moment, as `dimension.check`. */
  readonly met: ReadonlySet<string>;
}

export const checkKey = (dimension: string, check: string): string => `${dimension}.${check}`;

const isMet = (verdict: CheckVerdict): boolean => verdict.verdict === 'met';

/** Checks that these lines met already; what only the end of a talk shows is still open. */
export function metBy(content: ScenarioContent, language: string, judgements: readonly LineJudgement[]): Set<string> {
  if (!hasChecks(content)) return new Set();
  const verdicts = checkVerdicts({
    content,
    language,
    judgements,
    ending_type: null,
    player_lines: judgements.length,
    opinions: null,
  });
  return new Set(verdicts.flatMap(({ id, checks }) => checks.filter(isMet).map((verdict) => checkKey(id, verdict.id))));
}

/**
 * The moment at which the player said a turn, or will say the next one.
 * @param turn index of a player's turn.
 * @throws ServiceError VALIDATION_ERROR when it is none; SERVICE_UNAVAILABLE.
 */
export async function momentAt(
  context: Needs<'database' | 'scenarios' | 'unsaved'>,
  session: SessionRow,
  turn: number,
  requestId: string,
): Promise<Moment> {
  const { database } = context;
  if (turn % 2 !== 0 || turn < 2 || turn > session.turn_count + 1)
    throw new ServiceError('VALIDATION_ERROR', "The path does not match: turn: It must be one of the player's turns.", {
      details: { issues: [{ path: 'turn', message: "It must be one of the player's turns." }] },
    });
  const { scenario_id: scenario, scenario_version: version, language, difficulty } = session;
  const compiled = await context.scenarios.version(scenario, version, language, requestId);
  const { content } = compiled;
  const before = turn - 1;
  const events = await eventsUpToTurn(database, session.id, before);
  const turns = await listTurns(database, session.id, { upTo: before });
  const judgements = turns.flatMap(({ judgement }) => judgement ?? []);
  const asThen = { ...session, turn_count: before, player_turn_count: before >> 1 };
  return {
    scenario: compiled,
    events,
    turns,
    state: stateAfterTurn(content, difficulty, events, before),
    line: lineContext(context, asThen, content, turns),
    met: metBy(content, language, judgements),
  };
}
