import { randomBytes } from 'node:crypto';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describeWithPostgres } from '@parley/shared/testing';
import type { Database } from '../../store/database';
import { openDatabase, type OpenDatabaseOptions } from '../../store/open-database';
import { migrate } from '../../store/migrate';
import { newSessionId } from '../../store/session-id';
import type { NewSession } from '../../store/session-row';
import type { TurnRow } from '../../store/turn-store';

/** For the tests of the store: real files in folders of their own, or a database of a real server. */
export interface StoreFixture {
  readonly dataDir: string;
  readonly file: string;
  /** Address of the server's database; null with a file. */
  readonly url: string | null;
  /** Opens another connection to the same database; closed by `remove`. */
  open(options?: Partial<OpenDatabaseOptions>): Promise<Database>;
  /** Runs a program in a process of its own; `require('store')` in it is the store's source, `place` where the database is. */
  run(program: string, parameters?: readonly string[]): ChildProcess;
  remove(): Promise<void>;
}

export function storeFixture(url: string | null = null): StoreFixture {
  const folder = mkdtempSync(join(tmpdir(), 'parley-store-'));
  const dataDir = join(folder, 'data');
  const opened: Database[] = [];
  const children: ChildProcess[] = [];
  return {
    dataDir,
    file: join(dataDir, 'parley.sqlite'),
    url,
    async open(options = {}) {
      const database = await openDatabase({ dataDir, url, ...options });
      opened.push(database);
      return database;
    },
    run(program, parameters = []) {
      const path = join(folder, `program-${children.length}.cjs`);
      writeFileSync(
        path,
        `const place = ${JSON.stringify({ dataDir, url })};\n${program.replaceAll("require('store')", `require(${JSON.stringify(resolve(__dirname, '../../store/index.ts'))})`)}`,
      );
      const hook = resolve(__dirname, '../typescript-hook.cjs');
      const child = spawn(process.execPath, ['-r', hook, path, dataDir, ...parameters], {
        stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      });
      children.push(child);
      return child;
    },
    async remove() {
      for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
      await Promise.all(opened.map((database) => database.close()));
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** What both say of a row that is there already. */
export const DUPLICATE: unknown = expect.stringMatching(/^(SQLITE_CONSTRAINT_(PRIMARYKEY|UNIQUE)|23505)$/);

/**
 * The suite twice, on SQLite and on PostgreSQL. It is given how to make a fixture with a database of its own, on PostgreSQL
 * with all tables unless it is to be empty.
 */
export function describeOnEachDatabase(
  what: string,
  suite: (makeFixture: (isEmpty?: boolean) => Promise<StoreFixture>) => void,
): void {
  describe(`${what}, on SQLite`, () => suite(() => Promise.resolve(storeFixture())));
  describeWithPostgres(`${what}, on PostgreSQL`, (server) => {
    let template: string | null = null;
    suite(async (isEmpty = false) => {
      if (isEmpty) return storeFixture(await server().createDatabase());
      if (template === null) {
        const url = await server().createDatabase();
        const made = storeFixture(url);
        await openMigrated(made);
        await made.remove();
        template = new URL(url).pathname.slice(1);
      }
      return storeFixture(await server().createDatabase(`template ${template}`));
    });
  });
}

/** An opened database with all tables. */
export async function openMigrated(fixture: StoreFixture): Promise<Database> {
  const database = await fixture.open();
  await migrate(database);
  return database;
}

export const AT = '2026-03-04T05:06:07.000Z';

export function newSession(overrides: Partial<NewSession> = {}): NewSession {
  return {
    id: newSessionId(Date.parse(AT), randomBytes),
    scenario_id: 'late_delivery',
    scenario_version: 1,
    scenario_title: 'The late delivery',
    pack_id: 'late_delivery',
    npc_id: 'ines',
    flow_state: 'PlayerTurnListening',
    state_vars: { trust: 50, patience: 75 },
    flags: [],
    engine_state: { fired_events: [] },
    ending_type: null,
    ending_id: null,
    turn_count: 1,
    player_turn_count: 0,
    transcript_saved: true,
    difficulty: 'standard',
    language: 'en',
    focus_dimension: null,
    forked_from_session: null,
    forked_from_turn: null,
    attempt: 'first',
    coaching: false,
    fence: 'k3j9',
    created_at: AT,
    started_at: AT,
    ended_at: null,
    ...overrides,
  };
}

export function newTurn(turnIndex: number, text: string | null, overrides: Partial<TurnRow> = {}): TurnRow {
  return {
    turn_index: turnIndex,
    role: turnIndex % 2 === 1 ? 'npc' : 'player',
    text,
    emotion: turnIndex % 2 === 1 ? 'curious' : null,
    used_fallback: false,
    raw_output: null,
    observations: null,
    judgement: null,
    variant: 1,
    variants: 1,
    created_at: AT,
    ...overrides,
  };
}

/** Resolves with the exit code; rejects when a signal ended it. */
export const exitOf = (child: ChildProcess): Promise<number> =>
  new Promise((resolvePromise, reject) => {
    child.once('exit', (code, signal) =>
      code === null ? reject(new Error(`ended by ${signal}`)) : resolvePromise(code),
    );
  });

/** What all files of a folder hold, to look for what must not be in any of them. */
export const everyByte = (folder: string): Buffer =>
  Buffer.concat(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name))),
  );

/** Keeps the write lock of another connection to the same database. @returns gives it back */
export async function holdWriteLock(other: Database): Promise<() => Promise<void>> {
  let release: (() => void) | undefined;
  let held: Promise<void> | undefined;
  const isHeld = new Promise<void>((resolveHeld) => {
    held = other.write(async () => {
      resolveHeld();
      await new Promise<void>((resolveReleased) => (release = resolveReleased));
    });
  });
  await isHeld;
  return async () => {
    release?.();
    await held;
  };
}
