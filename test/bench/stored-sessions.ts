import { openDatabase, migrate, type Database } from '@parley/shared/store';

/** Turns of a stored session: the opening, and what the player and the character said once. */
const TURNS_OF_SESSION = 3;
/** Of full-text rows: an ordinal times this, plus the turn. */
const TURNS_PER_ORDINAL = 65_536;

const VARIABLES = `{"trust":50,"patience":75,"pressure":25,"rapport":50,"openness":50,"objective_progress":40}`;
const ENGINE_STATE = `{"state_vars":${VARIABLES},"flags":[],"fired_events":[],"player_turns":1,"turn_index":3,"pending_instructions":[]}`;
const DIMENSIONS = `[{"id":"clear_ask","name":"A clear ask","score":60,"observed":true},{"id":"evidence","name":"Evidence","score":50,"observed":true}]`;
const AT = "strftime('%Y-%m-%dT%H:%M:%fZ', 1700000000 + n, 'unixepoch')";
const NUMBERS = 'with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ?)';

/** Debriefed sessions of both built-in scenarios, made by the database itself: a hundred thousand take seconds. */
async function fill(database: Database, count: number): Promise<void> {
  await database.write(async (transaction) => {
    await transaction.knex.raw(
      `${NUMBERS} insert into sessions (ordinal, id, scenario_id, scenario_version, scenario_title, pack_id, npc_id,
        flow_state, state_vars, flags, engine_state, ending_type, ending_id, turn_count, player_turn_count,
        transcript_saved, difficulty, language, attempt, fence, version, seq_reserved, overall_score, created_at,
        started_at, ended_at)
      select n, printf('%010d', n) || lower(hex(randomblob(13))), case n % 2 when 0 then 'the_ask' else 'kitchen_rota' end,
        1, 'A talk', case n % 2 when 0 then 'the_ask' else 'kitchen_rota' end, 'dana', 'DebriefReady', '${VARIABLES}', '[]',
        '${ENGINE_STATE}', 'success', 'an_ending', ${TURNS_OF_SESSION}, 1, 1, 'standard', 'en', 'retry',
        lower(hex(randomblob(12))), 4, 4096, 55, ${AT}, ${AT}, ${AT} from numbers`,
      [count],
    );
    await transaction.knex.raw(
      `insert into turns (session_id, turn_index, role, text, emotion, used_fallback, raw_output, observations, created_at)
      select id, t, case t % 2 when 1 then 'npc' else 'player' end,
        'We spoke about the weather number ' || ordinal || ' and what it costs.', 'neutral', 0, null, '[]', created_at
      from sessions, (select 1 as t union all select 2 union all select 3)`,
    );
    await transaction.knex.raw(
      `insert into turn_search (rowid, text) select s.ordinal * ${TURNS_PER_ORDINAL} + t.turn_index, t.text
      from sessions s join turns t on t.session_id = s.id order by s.ordinal, t.turn_index`,
    );
    await transaction.knex.raw(
      `insert into events (session_id, turn_index, kind, payload, created_at)
      select id, 3, kind, '{"delta":{},"state_vars":${VARIABLES}}', created_at
      from sessions, (select 'npc_turn' as kind union all select 'state_delta')`,
    );
    await transaction.knex.raw(
      `insert into debriefs (session_id, document, overall_score, dimensions, created_at)
      select id, '{}', 55, '${DIMENSIONS}', created_at from sessions`,
    );
  });
}

/** Makes a data folder whose database holds so many sessions. */
export async function storeSessions(dataDir: string, count: number): Promise<void> {
  const database = await openDatabase({ dataDir });
  try {
    await migrate(database);
    await fill(database, count);
    await database.dialect.flushDeleted();
  } finally {
    await database.close();
  }
}
