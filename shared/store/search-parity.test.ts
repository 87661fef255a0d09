import { listSessions } from './search-store';
import { insertSession } from './session-store';
import { newSession, newTurn, openMigrated, storeFixture, type StoreFixture } from '../testing/store/store-fixture';
import { describeWithPostgres } from '@parley/shared/testing';
import type { Database } from './database';
import { indexTurns } from './turn-store';

const WORDS =
  "late part LATE. don't Straße naïve NAÏVE café ΣΟΦΟΣ σοφος ёлка елка йод İstanbul 12:30 3.5 e-mail a_b wörld 東京に 行く 무엇 स्थिति ไม่รู้ x1 1x ﬁne née résumé: Ω".split(
    ' ',
  );
const QUERIES = [
  ...WORDS,
  ...[
    'naive',
    'cafe',
    'strasse',
    'sofos',
    'иод',
    'istanbul',
    '30',
    '12',
    'mail',
    'e mail',
    'ab',
    'a b',
    'world',
    '京',
    '東に',
  ],
  ...[
    'late part',
    'part late',
    'don t',
    "don't late",
    'nee resume',
    'late late',
    '३',
    'fine',
    'ω',
    '"late part"',
    'dont',
  ],
];

/** Always the same numbers, so that a text that differs is found again. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

describeWithPostgres('a search on PostgreSQL', (server) => {
  const fixtures: StoreFixture[] = [];
  afterAll(() => Promise.all(fixtures.map((one) => one.remove())));

  const filled = async (url: string | null): Promise<Database> => {
    const fixture = storeFixture(url);
    fixtures.push(fixture);
    const database = await openMigrated(fixture);
    const next = numbers(7);
    await database.write(async (transaction) => {
      for (let at = 0; at < 150; at += 1) {
        const session = await insertSession(transaction, newSession({ id: `session-${at}` }));
        const text = Array.from(
          { length: 1 + next(90) },
          () => `${WORDS[next(WORDS.length)]}${['', ',', '.', ' –', ' '][next(5)]}`,
        );
        await indexTurns(transaction, session, [newTurn(1, text.join(' ')), newTurn(2, text.reverse().join('  '))]);
      }
    });
    return database;
  };

  it('answers the sessions and snippets that SQLite answers', async () => {
    const [sqlite, postgres] = [await filled(null), await filled(await server().createDatabase())];
    let found = 0;
    for (const q of QUERIES) {
      const answer = async (database: Database) =>
        (await listSessions(database, { q, limit: 50 })).rows.map(({ id, snippet }) => [id, snippet]);
      const [ours, wanted] = [await answer(postgres), await answer(sqlite)];
      expect([q, ours]).toEqual([q, wanted]);
      found += wanted.length;
    }
    expect(found).toBeGreaterThan(1_000);
  });
});
