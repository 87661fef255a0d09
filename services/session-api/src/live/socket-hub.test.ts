import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextRound } from 'node:timers/promises';
import type { EmittedMessage } from '@parley/shared/contracts';
import { silentLogger } from '@parley/shared/service';
import { recordSocket, waitUntil } from '@parley/shared/testing';
import { ownSocketsOnly } from './bus';
import { CLOSE } from './session-channel';
import { SEQ_BLOCK, SocketHub } from './socket-hub';

const SESSION = 'a-session-of-this-test-1';
const STATE: EmittedMessage = {
  type: 'session.state',
  payload: { state: 'PlayerTurnListening', state_vars: {}, ending_type: null, ending_id: null },
};

describe('a socket that joins a session', () => {
  let server: Server;
  let hub: SocketHub;
  let stored: boolean;
  let reading: () => Promise<void>;
  let reserve: (count: number) => Promise<number | null>;
  const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  beforeEach(async () => {
    stored = true;
    reading = () => Promise.resolve();
    reserve = (count) => Promise.resolve(stored ? count : null);
    hub = new SocketHub({
      bus: ownSocketsOnly(),
      logger: silentLogger(),
      now: () => new Date(),
      welcome: async () => {
        const found = stored;
        await reading();
        return found ? { state: STATE, replay: [] } : null;
      },
      reserveSeq: (_id, count) => reserve(count),
    });
    server = createServer();
    server.on('upgrade', (request, socket, head) => hub.accept(request, socket, head));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    await hub.close();
    await new Promise((resolve) => server.close(resolve));
  });

  it('is closed with 4404 when the session is deleted while its state is read', async () => {
    reading = () => {
      stored = false;
      hub.drop(SESSION);
      return Promise.resolve();
    };
    const socket = await recordSocket(url(), SESSION);
    expect(await socket.closed()).toBe(CLOSE.sessionNotFound);
    expect(socket.messages.map(({ type, payload }) => [type, payload])).toEqual([
      ['error', expect.objectContaining({ code: 'SESSION_NOT_FOUND' })],
    ]);
  });

  it('hears the session when its counter was put away and taken up again meanwhile', async () => {
    let times = 0;
    reading = () => {
      if ((times += 1) === 1) hub.register(SESSION);
      return Promise.resolve();
    };
    const socket = await recordSocket(url(), SESSION);
    await socket.next('session.state');
    (await hub.channel(SESSION))?.publish({ type: 'npc.token', payload: { text: 'Well' } });
    expect((await socket.next('npc.token')).payload).toEqual({ text: 'Well' });
    socket.close();
  });

  it('never gets a number that was not set aside, however much is told without a turn being stored', async () => {
    let onDisk = SEQ_BLOCK;
    let asked = 0;
    reserve = (count) => {
      asked += 1;
      if (asked === 1) return Promise.reject(new Error('the disk is slow'));
      onDisk += count;
      return Promise.resolve(onDisk - count);
    };
    hub.register(SESSION);
    const channel = await hub.channel(SESSION);
    if (channel === null) throw new Error('there is a channel');
    for (let told = 0; told < 3 * SEQ_BLOCK; told += 1) {
      channel.publish({ type: 'npc.token', payload: { text: 'a' } });
      if (told % 100 === 0) await nextRound();
      expect(channel.seq).toBeLessThanOrEqual(onDisk);
    }
    await waitUntil('the numbers', () => channel.reserved === onDisk);
    expect(channel.seq).toBe(3 * SEQ_BLOCK);
    // Once a block, and once more for the one that failed.
    expect(asked).toBe(4);
  });
});
