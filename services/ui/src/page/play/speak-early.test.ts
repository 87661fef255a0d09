import { ApiError } from '../client/api-error';
import type { PlayEvent } from './play-ports';
import {
  SESSION,
  answered,
  message,
  myTurn,
  playing,
  say,
  sceneOf,
  settle,
  stage,
  turn,
} from '../../../testing/play-world';

const withEvent = (text: string) =>
  answered(text, { events: [{ type: 'scenario.event', payload: { flags: ['mail'], narration: 'A mail comes.' } }] });

async function inScenarioEvent() {
  const one = await myTurn();
  await say(one.actor, 'Hello');
  one.world.turns[0]?.answer.resolve(withEvent('Hello'));
  await settle();
  expect(sceneOf(one.actor)).toBe('"ScenarioEvent"');
  return one;
}

describe('words that are said a moment too early', () => {
  it('end the pause after an event at once, and are sent', async () => {
    const { actor, world } = await inScenarioEvent();
    await say(actor, 'I saw that mail.');
    expect(sceneOf(actor)).toContain('AwaitingReply');
    expect(world.turns[1]?.sent).toEqual({ text: 'I saw that mail.', key: 'key-2', turnCount: 3 });
    expect(actor.getSnapshot().context).toMatchObject({ draft: '', wish: null });
  });

  it('are shown to be read over where that is wanted', async () => {
    const { actor, world } = await inScenarioEvent();
    actor.send({ type: 'DRAFT', text: 'I saw that mail.' });
    actor.send({ type: 'REVIEW' });
    expect(sceneOf(actor)).toContain('Reviewing');
    actor.send({ type: 'EDIT' });
    expect(sceneOf(actor)).toContain('Composing');
    expect(world.turns).toHaveLength(1);
  });

  it('are nothing while the draft is empty', async () => {
    const { actor } = await inScenarioEvent();
    actor.send({ type: 'SEND' });
    expect(sceneOf(actor)).toBe('"ScenarioEvent"');
  });

  it('wait for the answer to the turn when the whole reply stands there already', async () => {
    const { actor, world } = await myTurn();
    await say(actor, 'Hello');
    world.live?.onMessage(message('npc.token', { text: 'I ' }));
    world.live?.onMessage(message('npc.final', { turn: 3, content: 'I see.' }, 2));
    await say(actor, 'Good.');
    expect(world.turns).toHaveLength(1);
    world.turns[0]?.answer.resolve(answered('Hello'));
    await settle();
    expect(world.turns[1]?.sent).toMatchObject({ text: 'Good.', turnCount: 3 });
  });

  it('are not sent by a reply that is still being spoken: the player has not heard it yet', async () => {
    const { actor, world } = await myTurn();
    await say(actor, 'Hello');
    world.live?.onMessage(message('npc.token', { text: 'I ' }));
    actor.send({ type: 'DRAFT', text: 'Good.' });
    expect(actor.getSnapshot().can({ type: 'SEND' })).toBe(false);
    actor.send({ type: 'SEND' });
    world.turns[0]?.answer.resolve(answered('Hello'));
    await settle();
    expect(sceneOf(actor)).toContain('Composing');
    expect(actor.getSnapshot().context.draft).toBe('Good.');
    expect(world.turns).toHaveLength(1);
  });

  it('wait for a page that is still loading and for the opening', async () => {
    const { actor, world } = stage({ play: playing({ flow_state: 'NotStarted', turn_count: 0 }, []), draft: 'Hello' });
    actor.send({ type: 'SEND' });
    await settle();
    expect(sceneOf(actor)).toBe('"NpcOpening"');
    world.starts[0]?.resolve({ session: SESSION, turn: turn(1, 'npc', 'Come in.'), events: [] });
    await settle();
    expect(world.turns[0]?.sent).toMatchObject({ text: 'Hello', turnCount: 1 });
  });

  it('are not said when they are changed once more before it is the player’s turn', async () => {
    const { actor, world } = stage({ draft: 'Hello' });
    actor.send({ type: 'SEND' });
    actor.send({ type: 'DRAFT', text: 'Hello, D' });
    await settle();
    expect(sceneOf(actor)).toContain('Composing');
    expect(world.turns).toHaveLength(0);
  });

  it('are not said behind the back of a player whose talk met a failure meanwhile', async () => {
    const one = stage({ draft: 'Hello' });
    one.world.model = 'UNAVAILABLE';
    one.actor.send({ type: 'SEND' });
    await settle();
    one.actor.send({ type: 'CONTINUE' });
    expect(sceneOf(one.actor)).toContain('Composing');
    expect(one.actor.getSnapshot().context).toMatchObject({ draft: 'Hello', wish: null });
  });
});

describe('the word to the service that the player types', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const type = (actor: { send(event: PlayEvent): void }, text: string) => actor.send({ type: 'DRAFT', text });

  it('is sent 400 ms after the first key, once in a turn, and its failure is nobody’s', async () => {
    const { actor, world } = await myTurn();
    type(actor, 'H');
    jest.advanceTimersByTime(399);
    expect(world.hints).toBe(0);
    jest.advanceTimersByTime(1);
    expect(world.hints).toBe(1);
    type(actor, 'He');
    jest.advanceTimersByTime(1000);
    await settle();
    expect(world.hints).toBe(1);
    expect(actor.getSnapshot().context.error).toBeNull();
  });

  it('is sent again in the next turn', async () => {
    const { actor, world } = await myTurn();
    type(actor, 'H');
    jest.advanceTimersByTime(400);
    await say(actor, 'Hello');
    world.turns[0]?.answer.resolve(answered('Hello'));
    await settle();
    type(actor, 'G');
    jest.advanceTimersByTime(400);
    expect(world.hints).toBe(2);
  });

  it('is not sent when the words were said sooner, nor while the character replies', async () => {
    const { actor, world } = await myTurn();
    await say(actor, 'Hello');
    jest.advanceTimersByTime(1000);
    type(actor, 'Thinking ahead');
    jest.advanceTimersByTime(1000);
    expect(world.hints).toBe(0);
    world.turns[0]?.answer.reject(new ApiError('TURN_ABORTED', 409, 'Stopped.', false));
    await settle();
    expect(sceneOf(actor)).toContain('Composing');
    expect(world.hints).toBe(0);
  });
});
