import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { REPLAY_CAP, type MessageType } from '@parley/shared/contracts';
import {
  npcTurnJson,
  scriptedGateway,
  temporaryFolder,
  waitUntil,
  type ScriptedGateway,
  type SocketRecorder,
  type TemporaryFolder,
} from '@parley/shared/testing';
import {
  LONG_TALK,
  asTurn,
  endedSession,
  installSamplePack,
  say,
  scriptTurns,
  startParleySet,
  startedSession,
  type ParleySet,
} from '../set';

/** docs/contract.md, WebSocket: replay, numbers that never go back, and the codes with which a socket is closed. */
describe('The WebSocket of a session', () => {
  let gateway: ScriptedGateway;
  let set: ParleySet;
  let folder: TemporaryFolder;
  beforeAll(async () => {
    gateway = await scriptedGateway();
    folder = temporaryFolder('sample');
    set = await startParleySet({ gatewayUrl: gateway.url });
    await installSamplePack(set, folder.path);
  });
  afterAll(async () => {
    await set.stop();
    await gateway.service.close();
    folder.remove();
  });
  beforeEach(() => scriptTurns(gateway));

  /** A socket of a session that has been told the state. */
  async function joined(id: string, port?: number): Promise<SocketRecorder> {
    const socket = await set.socket(id, port === undefined ? {} : { port });
    await socket.next('session.state');
    return socket;
  }
  /** A ping comes back after everything that was sent before it. */
  const answered = (socket: SocketRecorder): Promise<void> =>
    new Promise((resolve) => {
      socket.socket.once('pong', () => resolve());
      socket.socket.ping();
    });
  const count = (socket: SocketRecorder, type: MessageType): number =>
    socket.types().filter((one) => one === type).length;

  it('after_seq=0 replays the stored events after the connect-time state, as the messages of then', async () => {
    const { id } = await startedSession(set, 'kitchen_rota');
    scriptTurns(gateway, asTurn({ safety: { action: 'refuse', reason: 'No.' } }));
    await say(set, id, 'Hm.');
    scriptTurns(gateway, asTurn({ safety: { action: 'stop', reason: 'Enough.' } }));
    await say(set, id, 'Hm.');
    await set.ask('createDebrief', { params: { id } });
    const socket = await set.socket(id, { query: '?after_seq=0' });
    await waitUntil('the ending', () => count(socket, 'session.state') === 2);
    expect(socket.types()).toEqual([
      'session.state',
      'npc.final',
      'npc.final',
      'scenario.state_delta',
      'safety.redirect',
      'npc.final',
      'scenario.state_delta',
      'session.state',
    ]);
    expect(socket.messages[0]?.payload).toMatchObject({ state: 'DebriefReady' });
    expect(socket.messages.at(-1)?.payload).toMatchObject({ state: 'Ended', ending_type: 'safety_stop' });
    const { turns } = await set.ask('getTranscript', { params: { id } });
    const finals = socket.messages.flatMap((one) => (one.type === 'npc.final' ? [one.payload] : []));
    expect(finals.map(({ turn, content }) => [turn, content])).toEqual(
      turns.filter((turn) => turn.role === 'npc').map((turn) => [turn.index, turn.text]),
    );
  });

  it('after_seq=0 is capped at the first 50 stored events; any other value is ignored', async () => {
    const { id } = await startedSession(set, LONG_TALK);
    for (let turn = 1; turn <= 25; turn += 1) await say(set, id, 'Hm.');
    const { events } = await set.ask('listEvents', { params: { id }, query: { limit: 100 } });
    expect(events.length).toBeGreaterThan(REPLAY_CAP + 5);
    const socket = await set.socket(id, { query: '?after_seq=0' });
    await waitUntil('the replay', () => socket.messages.length > REPLAY_CAP);
    await answered(socket);
    expect(socket.messages).toHaveLength(REPLAY_CAP + 1);
    const finals = events.slice(0, REPLAY_CAP).filter((event) => /^npc_/.test(event.kind));
    expect(count(socket, 'npc.final')).toBe(finals.length);
    for (const query of ['?after_seq=1', '?after_seq=', '?after_seq=-0', '?after_seq=0x0', '?after_seq=00']) {
      const other = await set.socket(id, { query });
      await other.next('session.state');
      await answered(other);
      expect([query, other.types()]).toEqual([query, ['session.state']]);
    }
  });

  it('numbers keep growing over reconnects, a restart and a kill -9', async () => {
    const { id } = await startedSession(set);
    const seqs: number[] = [];
    for (const interruption of ['none', 'SIGTERM', 'SIGKILL', 'none'] as const) {
      const socket = await joined(id);
      await say(set, id, 'Well?');
      await socket.next('scenario.state_delta');
      seqs.push(...socket.messages.map((message) => message.seq));
      if (interruption === 'none') continue;
      await set.kill('session_api', interruption);
      expect(await socket.closed()).toBe(interruption === 'SIGTERM' ? 1001 : 1006);
      await set.startProcess('session_api');
    }
    expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b));
  });

  it('an unknown session gets an error message and 4404, a deleted one 4404 as well', async () => {
    const unknown = await set.socket('nobodynobodynobodynobody');
    expect(await unknown.closed()).toBe(4404);
    expect(unknown.messages.map((one) => [one.type, one.payload])).toEqual([
      ['error', expect.objectContaining({ code: 'SESSION_NOT_FOUND' })],
    ]);
    const { id } = await startedSession(set);
    const socket = await joined(id);
    await set.call('DELETE', `/api/sessions/${id}`);
    expect(await socket.closed()).toBe(4404);
    const cleared = await joined((await startedSession(set)).id);
    await set.call('POST', '/api/privacy/clear', {});
    expect(await cleared.closed()).toBe(4404);
  });

  it('messages of the client are ignored, and above 4 KiB they close the socket with 1009', async () => {
    const { id } = await startedSession(set);
    const socket = await joined(id);
    for (const text of ['hello', '{"type":"npc.final"}', 'x'.repeat(4096)]) socket.socket.send(text);
    await say(set, id, 'Well?');
    await socket.next('npc.final');
    socket.socket.send('x'.repeat(4097));
    expect(await socket.closed()).toBe(1009);
  });

  it('a socket that does not read is closed with 1013 and slows nobody else', async () => {
    const { id } = await startedSession(set);
    const reader = await joined(id);
    // Past the proxy: what that one lets wait would come on top of what the process does.
    const [port] = set.portsOf('session_api');
    const sleeper = await joined(id, port);
    const connection = (sleeper.socket as WebSocket & { _socket: Socket })._socket;
    // The kernel takes several megabytes before anything waits in the process: turns that stall leave many tokens each.
    const pieces = ['{"npc_utterance":"', ...Array.from({ length: 160 }, (_piece, word) => `w${word} `)];
    scriptTurns(gateway, { kind: 'error', pieces, code: 'TURN_TIMEOUT' });
    for (let turns = 200; sleeper.closeCode() === null && turns <= 800; turns *= 2) {
      connection.pause();
      for (let turn = 1; turn <= turns; turn += 1) expect((await say(set, id, 'Talk.')).status).toBe(504);
      connection.resume();
      await Promise.race([answered(sleeper), sleeper.closed()]);
    }
    expect(await sleeper.closed()).toBe(1013);
    expect(reader.closeCode()).toBeNull();
    expect(count(reader, 'npc.token')).toBeGreaterThan(count(sleeper, 'npc.token'));
  }, 180_000);

  it('a socket that joins while a turn runs sees it end', async () => {
    const { id } = await endedSession(set, 0).then(() => startedSession(set));
    let release = (): void => undefined;
    const until = new Promise<void>((resolve) => (release = resolve));
    scriptTurns(gateway, { kind: 'hang', pieces: [npcTurnJson()], until });
    const asked = gateway.requests.length;
    const turn = say(set, id, 'Well?');
    await waitUntil('the model to be asked', () => gateway.requests.length > asked);
    const socket = await joined(id);
    release();
    await turn;
    expect((await socket.next('npc.final')).payload).toMatchObject({ turn: 3 });
    expect(socket.messages[0]).toMatchObject({ type: 'session.state', payload: { state: 'PlayerTurnListening' } });
  });
});
