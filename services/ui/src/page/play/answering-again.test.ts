import { ApiError } from '../client/api-error';
import { answered, message, myTurn, playing, sceneOf, settle, turn, type Actor } from '../../../testing/play-world';
import { fromStoredEvents } from './play-state';
import type { PlayState } from './play-ports';

const ANSWERS = { variant: 1, variants: 1 };
const talk = (session = {}, answer = {}): PlayState =>
  playing({ turn_count: 3, player_turn_count: 1, ...session }, [
    turn(1, 'npc', 'Come in.'),
    turn(2, 'player', 'Two things.'),
    { ...turn(3, 'npc', 'I see.'), ...ANSWERS, ...answer },
  ]);
const other = (text: string, variant: number, variants = variant) =>
  answered('Two things.', { npc_turn: { ...turn(3, 'npc', text), variant, variants } });
const contextOf = (actor: Actor) => actor.getSnapshot().context;
const lastTurn = (actor: Actor) => contextOf(actor).play?.turns.at(-1);
const can = (actor: Actor, type: 'AGAIN' | 'CHOOSE') =>
  actor.getSnapshot().can(type === 'AGAIN' ? { type } : { type, variant: 1 });

describe('another answer to the last words', () => {
  it('streams in the place of the last one, keeps the draft, and gives the turn back', async () => {
    const { actor, world } = await myTurn({ play: talk() });
    actor.send({ type: 'DRAFT', text: 'Thinking ahead' });
    actor.send({ type: 'AGAIN' });
    expect(sceneOf(actor)).toContain('AnsweringAgain');
    expect(actor.getSnapshot().can({ type: 'SEND' })).toBe(false);
    world.live?.onMessage(message('npc.token', { text: 'Well ' }));
    expect(contextOf(actor).streamed).toBe('Well ');
    world.agains[0]?.answer.resolve(other('Well now.', 2));
    await settle();
    expect(sceneOf(actor)).toContain('Composing');
    expect(lastTurn(actor)).toMatchObject({ text: 'Well now.', variant: 2, variants: 2 });
    expect(contextOf(actor)).toMatchObject({ draft: 'Thinking ahead', streamed: '', pending: null });
    expect(contextOf(actor).play?.turns).toHaveLength(3);
  });

  it('is sent again with the same key after a failure, and with another one when it is wanted once more', async () => {
    const { actor, world } = await myTurn({ play: talk() });
    actor.send({ type: 'AGAIN' });
    world.agains[0]?.answer.reject(ApiError.unreachable(new TypeError('failed to fetch')));
    await settle();
    expect(sceneOf(actor)).toContain('Error');
    actor.send({ type: 'RETRY' });
    world.agains[1]?.answer.resolve(other('Well now.', 2));
    await settle();
    actor.send({ type: 'AGAIN' });
    const keys = world.agains.map(({ key }) => key);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  });

  it('may fail for good: then the talk goes on from what the service has', async () => {
    const { actor, world } = await myTurn({ play: talk() });
    actor.send({ type: 'AGAIN' });
    world.agains[0]?.answer.reject(new ApiError('RUNTIME_UNAVAILABLE', 503, 'Away.', true));
    await settle();
    world.play = talk({}, { text: 'As stored.' });
    actor.send({ type: 'CONTINUE' });
    await settle();
    expect(sceneOf(actor)).toContain('Composing');
    expect(lastTurn(actor)?.text).toBe('As stored.');
  });

  it('is not to be had before the first answer, five times over, after the player left, nor without the words', async () => {
    const noWords = talk();
    const cases: [PlayState, boolean, boolean][] = [
      [playing(), false, false],
      [talk(), true, true],
      [talk({}, { variant: 5, variants: 5 }), false, true],
      [talk({ flow_state: 'Ended', ending_type: 'failure' }), true, true],
      [talk({ flow_state: 'Ended', ending_type: 'player_exit' }), false, false],
      [talk({ flow_state: 'DebriefReady', ending_type: 'failure' }), false, false],
      [{ ...noWords, turns: noWords.turns.map((one) => ({ ...one, text: null })) }, false, true],
    ];
    for (const [play, again, choose] of cases) {
      const { actor } = await myTurn({ play });
      expect([play.session, can(actor, 'AGAIN'), can(actor, 'CHOOSE')]).toEqual([play.session, again, choose]);
    }
  });

  it('undoes an ending, and one that is chosen ends the talk again', async () => {
    const { actor, world } = await myTurn({ play: talk({ flow_state: 'Ended', ending_type: 'failure' }) });
    expect(sceneOf(actor)).toContain('Finished');
    actor.send({ type: 'AGAIN' });
    world.agains[0]?.answer.resolve(other('Well now.', 2));
    await settle();
    expect(sceneOf(actor)).toContain('Composing');
    actor.send({ type: 'CHOOSE', variant: 1 });
    expect(world.choices[0]).toMatchObject({ index: 3, variant: 1 });
    const ended = other('I see.', 1, 2);
    world.choices[0]?.answer.resolve({
      ...ended,
      session: { ...ended.session, flow_state: 'Ended', ending_type: 'failure' },
    });
    await settle();
    expect(sceneOf(actor)).toContain('Finished');
    expect(lastTurn(actor)).toMatchObject({ text: 'I see.', variant: 1, variants: 2 });
  });

  it('that another tab asked for is fetched, also where this tab shows an ending', async () => {
    const { actor, world } = await myTurn({ play: talk({ flow_state: 'Ended', ending_type: 'failure' }) });
    world.play = talk({}, { text: 'Well now.', variant: 2, variants: 2 });
    world.live?.onMessage(message('npc.final', { turn: 3, content: 'Well now.' }));
    await settle();
    expect(sceneOf(actor)).toContain('Composing');
    world.play = talk({}, { text: 'A third.', variant: 3, variants: 3 });
    world.live?.onMessage(message('npc.final', { turn: 3, content: 'A third.' }, 2));
    await settle();
    expect(lastTurn(actor)?.text).toBe('A third.');
    const loads = world.loads.length;
    world.live?.onMessage(message('npc.final', { turn: 3, content: 'A third.' }, 3));
    expect(world.loads).toHaveLength(loads);
  });

  it('is not taken back by a fetch that began before it', async () => {
    const { actor, world } = await myTurn({ play: talk({}, { variants: 2, variant: 2 }) });
    world.play = talk();
    world.live?.onGap();
    await settle();
    expect(lastTurn(actor)?.variants).toBe(2);
  });

  it('leaves nothing of what the answer before it caused', () => {
    const event = { id: 1, session_id: 's', turn_index: 3, created_at: '2026-01-01T00:00:00.000Z' };
    const payload = { flags: ['a'], narration: 'The phone rings.' };
    expect(
      fromStoredEvents([
        { ...event, kind: 'scenario_event', payload, superseded: true },
        { ...event, kind: 'state_delta', payload: { delta: { trust: 4 }, state_vars: {} }, superseded: true },
      ]),
    ).toEqual({ happenings: [], lastDelta: {} });
  });
});
