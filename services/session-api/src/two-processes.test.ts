import type { Session, TurnAnswer, TurnVariants } from '@parley/shared/contracts';
import { createLogger, createMetrics } from '@parley/shared/service';
import { openDatabase, type Database } from '@parley/shared/store';
import { inPieces, npcTurnJson, waitUntil } from '@parley/shared/testing';
import { once } from 'node:events';
import { Writable } from 'node:stream';
import { sessionApiConfig, startSessionApiSet, type SessionApiSet } from '../testing/session-api-set';
import { createContext, type SessionApiContext } from './context';
import { createDebrief } from './debrief/create-debrief';
import { ownPresence } from './live/presence';
import { ownTurnsOnly, type TurnClaims } from './live/turn-claims';
import { createSession } from './sessions/create-session';
import { forgetCleared } from './sessions/forget-session';
import { startSession } from './sessions/start-session';
import { regenerate } from './variants/regenerate';

describe('a second session-api on the same database', () => {
  let set: SessionApiSet;
  let database: Database;
  let lines: { level: string; msg: string }[];
  beforeEach(async () => {
    set = await startSessionApiSet();
    database = await openDatabase({ dataDir: set.folder.path });
    lines = [];
    set.gateway.reply((_request, count) => ({
      kind: 'text',
      pieces: inPieces(npcTurnJson({ npc_utterance: `Answer ${count}.` })),
    }));
  });
  afterEach(async () => {
    await database.close();
    await set.stop();
  });

  /** The second one, which learns of the turns of the first by its claims. */
  const second = (claims: Partial<TurnClaims>): SessionApiContext => {
    const stream = new Writable({
      write(line: Buffer, _encoding, done) {
        lines.push(JSON.parse(line.toString('utf8')) as (typeof lines)[number]);
        done();
      },
    });
    const config = sessionApiConfig(set.folder.path, {
      pack_service: set.packs.url,
      runtime_gateway: set.gateway.url,
      debrief_worker: set.worker.url,
    });
    const presence = { ...ownPresence(), claims: { ...ownTurnsOnly(), ...claims } };
    const logger = createLogger('session_api', 'info', stream);
    return createContext(config, logger, database, createMetrics('session_api'), presence, 'scripted');
  };
  const played = async (): Promise<string> => {
    const { id } = (await set.call<Session>('POST', '/api/sessions', { scenario_id: 'late_delivery' })).body;
    await set.call('POST', `/api/sessions/${id}/start`);
    await set.call('POST', `/api/sessions/${id}/turn`, { text: 'It is late.' });
    return id;
  };

  it('answers a regenerate that ran on the first with what that has kept, and asks no model', async () => {
    const id = await played();
    const key = 'the-same-regenerate';
    let first: TurnAnswer | undefined;
    const context = second({
      async take() {
        first ??= (await set.call<TurnAnswer>('POST', `/api/sessions/${id}/regenerate`, {}, { 'idempotency-key': key }))
          .body;
        return null;
      },
    });
    const asked = set.gateway.requests.length;
    const answer = await regenerate(context, { sessionId: id, idempotencyKey: key, requestId: 'r' });
    expect(first?.npc_turn).toMatchObject({ variant: 2 });
    expect(answer).toEqual(first);
    expect(set.gateway.requests).toHaveLength(asked + 1);
    const { body } = await set.call<TurnVariants>('GET', `/api/sessions/${id}/turns/3/variants`);
    expect(body.variants).toHaveLength(2);
  });

  it('forgets after a clear what that deleted, and nothing of a talk that was begun while it ran', async () => {
    await set.call('PATCH', '/api/settings', { save_transcripts: false });
    const context = second({});
    /** A talk in the second process, with a turn that ends when it is aborted. */
    const talk = async () => {
      const { id } = await createSession(context, { scenario_id: 'late_delivery' }, 'r');
      await startSession(context, id, 'r');
      let isAborted = false;
      const turn = context.turns.run({ sessionId: id, key: null, text: 'It is late.' }, async ({ signal }) => {
        await once(signal, 'abort');
        isAborted = true;
        throw signal.reason;
      });
      turn.catch(() => undefined);
      return { id, isAborted: () => isAborted };
    };
    const old = await talk();
    await set.call('POST', '/api/privacy/clear', {});
    const fresh = await talk();
    await forgetCleared(context);
    expect([old.isAborted(), fresh.isAborted()]).toEqual([true, false]);
    expect([context.unsaved.ids(), context.hub.ids(), context.turns.ids()]).toEqual([
      [fresh.id],
      [fresh.id],
      [fresh.id],
    ]);
    await context.turns.abortAll();
    await context.hub.close();
  });

  it('begins a debrief also when the turn on the first cannot be stopped', async () => {
    const id = await played();
    await set.call('POST', `/api/sessions/${id}/end`);
    const context = second({ overtake: () => Promise.reject(new Error('the database is away')) });
    const answer = await createDebrief(context, id, true, 'r', new AbortController().signal);
    expect(answer).toMatchObject({ session: { flow_state: 'DebriefGenerating' } });
    await waitUntil('the line in the log', () =>
      lines.some(({ level, msg }) => level === 'warn' && msg === 'a running answer could not be stopped'),
    );
    context.debriefs.stop();
    await context.hub.close();
  });
});
