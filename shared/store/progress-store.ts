import { Attempt, Difficulty, EndingType } from '@parley/shared/contracts';
import { z } from 'zod';
import { StoredDimension } from './debrief-store';
import type { Database } from './database';
import type { Queryable } from './dialect';
import { isDemoTalk } from './session-row';
import { FINISHED_FROM_LINE } from './session-store';
import { storedJson } from './stored-json';
import { Flag, readRow, readSoundRows } from './stored-row';

/** Attempts of a scenario that progress looks back on: its cost must not grow with everything ever played. */
export const PROGRESS_ATTEMPTS = 100;

export interface AttemptRow {
  readonly session_id: string;
  readonly scenario_title: string;
  readonly ended_at: string;
  readonly attempt: Attempt;
  readonly difficulty: Difficulty;
  readonly coaching: boolean;
  /** Only where the demo voice answered. */
  readonly demo?: true;
  /** false: the player left before the third line, which counts as nothing. */
  readonly finished: boolean;
  readonly ending_type: EndingType;
  /** null without a debrief. */
  readonly overall_score: number | null;
  /** Empty without a debrief. */
  readonly dimensions: readonly StoredDimension[];
}

export interface ScenarioAttempts {
  readonly scenario_id: string;
  /** Oldest first. */
  readonly attempts: readonly AttemptRow[];
}

const PLAYED = { table: 'sessions', id: ['scenario_id'], shape: z.object({ scenario_id: z.string() }) };

/** Hops from one scenario to the next through the index instead of reading every session. */
async function playedScenarios(queryable: Queryable): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const row = await readRow(queryable, PLAYED, (knex) =>
      knex('sessions')
        .where('scenario_id', '>', ids.at(-1) ?? '')
        .orderBy('scenario_id')
        .limit(1)
        .select('scenario_id'),
    );
    if (row === null) return ids;
    ids.push(row.scenario_id);
  }
}

const ATTEMPTS = {
  table: 'sessions',
  id: ['session_id'],
  shape: z
    .object({
      session_id: z.string(),
      scenario_title: z.string(),
      ended_at: z.string(),
      attempt: Attempt,
      difficulty: Difficulty,
      coaching: Flag,
      engine_state: storedJson(z.unknown()),
      player_turn_count: z.int(),
      ending_type: EndingType,
      overall_score: z.int().nullable(),
      dimensions: storedJson(z.array(StoredDimension)).nullable(),
    })
    .transform(({ player_turn_count: lines, engine_state: engineState, ...row }): AttemptRow => ({
      ...row,
      ...(isDemoTalk(engineState) ? { demo: true as const } : {}),
      finished: row.ending_type !== 'player_exit' || lines >= FINISHED_FROM_LINE,
      dimensions: row.dimensions ?? [],
    })),
};

async function attemptsOf(database: Database, scenarioId: string): Promise<AttemptRow[]> {
  const rows = await readSoundRows(database, ATTEMPTS, (knex) =>
    knex('sessions')
      .leftJoin('debriefs', 'debriefs.session_id', 'sessions.id')
      .where('sessions.scenario_id', scenarioId)
      .whereNotNull('sessions.ended_at')
      .orderBy([
        { column: 'sessions.ended_at', order: 'desc' },
        { column: 'sessions.ordinal', order: 'desc' },
      ])
      .limit(PROGRESS_ATTEMPTS)
      .select(
        'sessions.id as session_id',
        'sessions.scenario_title',
        'sessions.ended_at',
        'sessions.attempt',
        'sessions.difficulty',
        'sessions.coaching',
        'sessions.engine_state',
        'sessions.player_turn_count',
        'sessions.ending_type',
        'sessions.overall_score',
        'debriefs.dimensions',
      ),
  );
  return rows.reverse();
}

/**
 * Ended sessions by scenario, the last 100 of each.
 * @param scenarioId only this one
 */
export async function listAttempts(database: Database, scenarioId?: string): Promise<ScenarioAttempts[]> {
  const scenarios = scenarioId === undefined ? await playedScenarios(database) : [scenarioId];
  const found: ScenarioAttempts[] = [];
  for (const scenario_id of scenarios) {
    const attempts = await attemptsOf(database, scenario_id);
    if (attempts.length > 0) found.push({ scenario_id, attempts });
  }
  return found;
}
