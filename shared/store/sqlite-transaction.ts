import type { Knex } from 'knex';
import type { Queryable } from './dialect';

/** The part of a statement of the driver that is used here. */
export interface Statement {
  /** Whether it answers rows. */
  readonly reader: boolean;
  all(values: readonly unknown[]): unknown[];
  run(values?: readonly unknown[]): unknown;
}

/** The part of the driver's connection that is used here. */
export interface Connection {
  /** False after SQLite took a transaction back by itself. */
  readonly inTransaction: boolean;
  prepare(sql: string): Statement;
  pragma(source: string, options?: { simple: boolean }): unknown;
  /** Lets statements write the tables behind a virtual table. */
  unsafeMode(on: boolean): unknown;
}

/** The part of a client of knex that is used here. */
export interface SqliteClient {
  acquireConnection(): Promise<Connection>;
  releaseConnection(connection: Connection): Promise<void>;
  query(connection: Connection, statement: unknown): Promise<unknown>;
}

export const clientOf = (knex: Knex): SqliteClient => knex.client as SqliteClient;

export type Explain = (error: unknown) => unknown;

interface Open {
  readonly connection: Connection;
  /** What a statement failed with; null while none has. */
  failure: unknown;
}

/**
 * Write transactions on the one connection.
 *
 * knex would make a whole knex for each of them, which takes 0.1 ms and leaves 10 KB behind until all of the heap is
 * collected. Here one is made for all, whose statements run in the transaction that is open; there is never more than one.
 * Each begins with BEGIN IMMEDIATE: one that reads first and writes later would otherwise fail at once, without waiting,
 * when another process wrote in between.
 */
export class SqliteTransactions {
  private open: Open | null = null;
  private readonly client: SqliteClient;

  /**
   * @param root its pool gives the connection.
   * @param inside what the bodies of transactions get: a knex that nothing else uses.
   * @param beforeCommit throws when what is committed now would be lost.
   * @param committed hears of every commit.
   */
  constructor(
    root: Knex,
    private readonly inside: Knex,
    private readonly explain: Explain,
    private readonly beforeCommit: () => void,
    private readonly committed: () => void,
  ) {
    this.client = clientOf(root);
    const client = clientOf(inside);
    const query = client.query.bind(client);
    client.acquireConnection = async () => this.opened().connection;
    client.releaseConnection = async () => undefined;
    client.query = async (connection, statement) => {
      const open = this.standing();
      try {
        return await query(connection, statement);
      } catch (error) {
        throw this.failed(open, error);
      }
    };
  }

  /**
   * Runs `body` in a transaction: it commits when the promise resolves, and rolls back when it rejects.
   * @throws what the body throws, or the driver's error of the beginning (the body has not run then) or of the commit.
   */
  async run<T>(body: (transaction: Queryable) => Promise<T>): Promise<T> {
    const connection = await this.client.acquireConnection();
    try {
      connection.prepare('begin immediate').run();
      this.open = { connection, failure: null };
      return await this.finished(body);
    } catch (error) {
      throw this.explain(error);
    } finally {
      this.open = null;
      await this.client.releaseConnection(connection);
    }
  }

  /** A statement without what knex does around it; for those that every turn runs. @throws as one of knex does. */
  readonly runText = async (sql: string, values: readonly unknown[]): Promise<unknown> => {
    const open = this.standing();
    try {
      const statement = open.connection.prepare(sql);
      return statement.reader ? statement.all(values) : statement.run(values);
    } catch (error) {
      // As knex puts it: the statement without its values, which are conversation text.
      if (error instanceof Error) error.message = `${sql} - ${error.message}`;
      throw this.failed(open, error);
    }
  };

  private async finished<T>(body: (transaction: Queryable) => Promise<T>): Promise<T> {
    const { connection } = this.opened();
    try {
      const value = await body(this.inside);
      this.standing();
      this.beforeCommit();
      connection.prepare('commit').run();
      this.committed();
      return value;
    } catch (error) {
      this.rollBack(connection);
      throw error;
    }
  }

  /** Never throws: what made it necessary is what the caller has to hear. */
  private rollBack(connection: Connection): void {
    try {
      if (connection.inTransaction) connection.prepare('rollback').run();
    } catch {
      // SQLite takes it back by itself then, or the next beginning says that it did not.
    }
  }

  private opened(): Open {
    if (this.open === null) throw new Error('a statement came after the end of its transaction');
    return this.open;
  }

  /**
   * When a write fails, SQLite may take back the whole transaction by itself. Statements that come after that would stand
   * alone and be kept: they fail with what ended the transaction.
   */
  private standing(): Open {
    const open = this.opened();
    if (open.failure !== null && !open.connection.inTransaction) throw open.failure as Error;
    return open;
  }

  private failed(open: Open, error: unknown): Error {
    open.failure = this.explain(error);
    return open.failure as Error;
  }
}
