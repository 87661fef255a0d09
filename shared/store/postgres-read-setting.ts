import { z } from 'zod';

const CONNECT_WAIT_MS = 5_000;
const Value = z.object({ value: z.string() });

/**
 * Reads one row of the settings over a connection of its own, and writes nothing.
 * @returns undefined where there is no such row, or no such table yet
 */
export async function readServerSetting(url: string, key: string): Promise<string | undefined> {
  const { Client } = await import('pg');
  const connection = new Client({
    connectionString: url,
    application_name: 'parley',
    connectionTimeoutMillis: CONNECT_WAIT_MS,
  });
  // The query that runs meanwhile fails with it; without a listener it would end the process.
  connection.on('error', () => undefined);
  try {
    await connection.connect();
    const { rows: tables } = await connection.query("select to_regclass('settings') as name");
    if (z.object({ name: z.null() }).safeParse(tables[0]).success) return undefined;
    const { rows } = await connection.query('select value from settings where key = $1', [key]);
    return Value.optional().parse(rows[0])?.value;
  } finally {
    connection.end().catch(() => undefined);
  }
}
