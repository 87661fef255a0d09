import { openLiveSocket, type LiveSocketOptions } from './live-socket';

/** A socket whose other end is the test. */
class FakeSocket {
  static all: FakeSocket[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  closed = false;
  constructor(readonly url: string) {
    FakeSocket.all.push(this);
  }
  close(): void {
    this.closed = true;
  }
  say(seq: number, type = 'npc.token'): void {
    this.onmessage?.({ data: JSON.stringify({ seq, session_id: 's', ts: '', type, payload: { text: 'x' } }) });
  }
}

/** The two objects of a browser that the socket listens to. */
function browserWorld() {
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  const view = new EventTarget();
  Object.assign(globalThis, { document: page, window: view });
  return { page, view };
}

function open(overrides: Partial<LiveSocketOptions> = {}) {
  const seen: string[] = [];
  const socket = openLiveSocket({
    url: 'ws://127.0.0.1:1/ws/session/s',
    onMessage: (message) => seen.push(`${message.type} ${message.seq}`),
    onUp: (again) => seen.push(again ? 'up again' : 'up'),
    onDown: () => seen.push('down'),
    onGap: () => seen.push('gap'),
    onGone: () => seen.push('gone'),
    connect: (url) => new FakeSocket(url) as unknown as WebSocket,
    random: () => 1,
    ...overrides,
  });
  return { socket, seen };
}

const latest = (): FakeSocket => FakeSocket.all.at(-1) as FakeSocket;

let world: ReturnType<typeof browserWorld>;
beforeEach(() => {
  jest.useFakeTimers();
  FakeSocket.all = [];
  world = browserWorld();
});
afterEach(() => {
  jest.useRealTimers();
  Reflect.deleteProperty(globalThis, 'document');
  Reflect.deleteProperty(globalThis, 'window');
});

describe('openLiveSocket', () => {
  it('passes on messages and notices a missing number', () => {
    const { seen, socket } = open();
    latest().onopen?.();
    latest().say(7);
    latest().say(8);
    latest().say(10);
    expect(seen).toEqual(['up', 'npc.token 7', 'npc.token 8', 'gap', 'npc.token 10']);
    socket.close();
  });

  it.each(['no json', '[]', '{"seq":"1","type":"x","payload":{}}', '{"seq":1,"type":"x"}', 'null'])(
    'lets %s pass unread',
    (data) => {
      const { seen, socket } = open();
      latest().onmessage?.({ data });
      expect(seen).toEqual([]);
      socket.close();
    },
  );

  it('comes back after waits that double up to ten seconds, and starts over once it was up', () => {
    const { socket } = open();
    for (const wait of [400, 800, 1600, 3200, 6400, 10_000, 10_000]) {
      const before = FakeSocket.all.length;
      latest().onclose?.({ code: 1006 });
      jest.advanceTimersByTime(wait - 1);
      expect(FakeSocket.all).toHaveLength(before);
      jest.advanceTimersByTime(1);
      expect(FakeSocket.all).toHaveLength(before + 1);
    }
    latest().onopen?.();
    latest().onclose?.({ code: 1001 });
    const before = FakeSocket.all.length;
    jest.advanceTimersByTime(400);
    expect(FakeSocket.all).toHaveLength(before + 1);
    socket.close();
  });

  it('says that it is up again, and takes the first number after that for no gap', () => {
    const { seen, socket } = open();
    latest().onopen?.();
    latest().say(1);
    latest().onclose?.({ code: 1013 });
    jest.advanceTimersByTime(400);
    latest().onopen?.();
    latest().say(9);
    expect(seen).toEqual(['up', 'npc.token 1', 'down', 'up again', 'npc.token 9']);
    socket.close();
  });

  it('does not come back to a session that is gone', () => {
    const { seen } = open();
    latest().onclose?.({ code: 4404 });
    jest.advanceTimersByTime(60_000);
    expect(seen).toEqual(['gone']);
    expect(FakeSocket.all).toHaveLength(1);
  });

  it('reconnects at once when the network is back', () => {
    const { socket } = open();
    latest().onclose?.({ code: 1006 });
    world.view.dispatchEvent(new Event('online'));
    expect(FakeSocket.all).toHaveLength(2);
    jest.advanceTimersByTime(60_000);
    expect(FakeSocket.all).toHaveLength(2);
    socket.close();
  });

  it('asks for the state when the page wakes up after a long sleep, and not after a short look away', () => {
    const { seen, socket } = open();
    latest().onopen?.();
    const look = (state: string) => {
      world.page.visibilityState = state;
      world.page.dispatchEvent(new Event('visibilitychange'));
    };
    look('hidden');
    jest.advanceTimersByTime(5_000);
    look('visible');
    expect(seen).toEqual(['up']);
    look('hidden');
    jest.advanceTimersByTime(30_000);
    look('visible');
    expect(seen).toEqual(['up', 'gap']);
    socket.close();
  });

  it('stays closed once it is closed', () => {
    const { socket, seen } = open();
    const only = latest();
    socket.close();
    only.onclose?.({ code: 1000 });
    world.view.dispatchEvent(new Event('online'));
    jest.advanceTimersByTime(60_000);
    expect(only.closed).toBe(true);
    expect(FakeSocket.all).toHaveLength(1);
    expect(seen).toEqual([]);
  });
});
