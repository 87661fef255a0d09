import type { SessionRow, SpokenTurn } from '@parley/shared/store';
import { ReadySessions } from './ready-sessions';

const row = (id: string, version: number, flow_state: SessionRow['flow_state'] = 'PlayerTurnListening'): SessionRow =>
  ({ id, version, flow_state }) as SessionRow;
const turns = (count: number): SpokenTurn[] =>
  Array.from({ length: count }, (_one, at) => ({ turn_index: at + 1, role: 'player', text: `turn ${at + 1}` }));

describe('sessions that are ready for their next turn', () => {
  it('are kept as their last turn left them, with the last twelve turns', () => {
    const ready = new ReadySessions(true);
    ready.keep(row('a', 3), turns(14));
    expect(ready.session('a')?.version).toBe(3);
    expect(ready.spoken(row('a', 3))?.map((turn) => turn.turn_index)).toEqual([
      3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
    ]);
  });

  it('know nothing of what was said in another version of the session', () => {
    const ready = new ReadySessions(true);
    ready.keep(row('a', 3), turns(2));
    expect(ready.spoken(row('a', 4))).toBeNull();
    expect(ready.spoken(row('b', 3))).toBeNull();
  });

  it('are forgotten when they end, when they are told to be, and when many others came after them', () => {
    const ready = new ReadySessions(true);
    for (const id of ['a', 'b', 'c']) ready.keep(row(id, 1), []);
    ready.keep(row('a', 2, 'Ended'), []);
    ready.forget('b');
    expect([ready.session('a'), ready.session('b'), ready.session('c')?.id]).toEqual([null, null, 'c']);
    for (let at = 0; at < 256; at += 1) ready.keep(row(`other ${at}`, 1), []);
    expect([ready.session('c'), ready.session('other 0')?.id]).toEqual([null, 'other 0']);
    ready.forgetAll();
    expect(ready.session('other 0')).toBeNull();
  });
});
