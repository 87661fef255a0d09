import { ApiError } from '../client/api-error';
import {
  answered,
  message,
  myTurn,
  playing,
  say,
  sceneOf,
  settle,
  turn,
  type Actor,
} from '../../../testing/play-world';

const token = (text: string) => message('npc.token', { text });
const final = (index: number, seq = 2) => message('npc.final', { turn: index, content: 'Yes.' }, seq);
const AFTER_THE_OTHER = playing({ turn_count: 3 }, [
  turn(1, 'npc', 'Come in.'),
  turn(2, 'player', 'Other'),
  turn(3, 'npc', 'Yes.'),
]);
const contextOf = (actor: Actor) => actor.getSnapshot().context;

describe('a turn of another tab', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('is heard from its tokens, fetched when it is over, and leaves the draft alone', async () => {
    const { actor, world } = await myTurn();
    actor.send({ type: 'DRAFT', text: 'Thinking ahead' });
    world.live?.onMessage(token('I '));
    world.live?.onMessage(token('see'));
    expect(sceneOf(actor)).toContain('AnsweringElsewhere');
    expect(contextOf(actor).streamed).toBe('I see');
    world.play = AFTER_THE_OTHER;
    world.live?.onMessage(final(3));
    expect(world.loads).toHaveLength(2);
    await settle();
    expect(sceneOf(actor)).toContain('Composing');
    expect(contextOf(actor)).toMatchObject({ draft: 'Thinking ahead', streamed: '', streamedLate: false });
    expect(contextOf(actor).play?.turns).toHaveLength(3);
  });

  it('is heard while words are read over, which are still there afterwards', async () => {
    const { actor, world } = await myTurn();
    actor.send({ type: 'DRAFT', text: 'Hello' });
    actor.send({ type: 'REVIEW' });
    world.live?.onMessage(token('I '));
    expect(sceneOf(actor)).toContain('AnsweringElsewhere');
    expect(contextOf(actor).draft).toBe('Hello');
  });

  it('gives the words back that were refused because of it, and cannot be spoken over', async () => {
    const { actor, world } = await myTurn();
    await say(actor, 'Hello');
    world.turns[0]?.answer.reject(new ApiError('TURN_IN_PROGRESS', 409, 'Wait.', true));
    await settle();
    expect(sceneOf(actor)).toContain('AnsweringElsewhere');
    expect(contextOf(actor)).toMatchObject({ draft: 'Hello', pending: null, error: null });
    expect(world.draft).toBe('Hello');
    expect(actor.getSnapshot().can({ type: 'SEND' })).toBe(false);
  });

  it('is no turn of another tab when the words are late ones of this tab’s own', async () => {
    const { actor, world } = await myTurn();
    await say(actor, 'Hello');
    world.turns[0]?.answer.resolve(answered('Hello'));
    await settle();
    world.live?.onMessage(token('I '));
    expect(sceneOf(actor)).toContain('Composing');
    world.live?.onMessage(final(3));
    expect(sceneOf(actor)).toContain('Composing');
    world.live?.onMessage(message('npc.token', { text: 'Now ' }, 3));
    expect(sceneOf(actor)).toContain('AnsweringElsewhere');
  });

  it('may fail there: then it is this tab’s turn again', async () => {
    const { actor, world } = await myTurn();
    world.live?.onMessage(token('I '));
    world.live?.onMessage(message('error', { code: 'TURN_ABORTED', message: 'Stopped.' }, 2));
    await settle();
    expect(sceneOf(actor)).toContain('Composing');
  });

  it('is looked after when nothing was heard of it for 20 seconds, and again when nobody could say', async () => {
    const { actor, world, ports } = await myTurn();
    world.live?.onMessage(token('I '));
    jest.advanceTimersByTime(19_000);
    world.live?.onMessage(message('npc.token', { text: 'see' }, 2));
    jest.advanceTimersByTime(19_000);
    expect(world.loads).toHaveLength(1);
    const load = ports.loadPlay;
    ports.loadPlay = (id) => {
      world.loads.push(id);
      return Promise.reject(ApiError.unreachable(new TypeError('failed to fetch')));
    };
    jest.advanceTimersByTime(1_000);
    await settle();
    expect(sceneOf(actor)).toContain('AnsweringElsewhere');
    ports.loadPlay = load;
    jest.advanceTimersByTime(4_000);
    await settle();
    expect(world.loads).toHaveLength(3);
    expect(sceneOf(actor)).toContain('Composing');
  });

  it('shows what it says as late once the connection was lost', async () => {
    const { actor, world } = await myTurn();
    world.live?.onMessage(token('I '));
    world.live?.onDown();
    world.live?.onUp(true);
    world.live?.onMessage(token('see'));
    expect(contextOf(actor)).toMatchObject({ streamed: 'see', streamedLate: true });
  });

  it('is fetched anew when the news comes while something older is being fetched', async () => {
    const { actor, world } = await myTurn();
    world.live?.onGap();
    world.play = AFTER_THE_OTHER;
    world.live?.onMessage(final(3));
    await settle();
    expect(world.loads).toHaveLength(3);
    expect(contextOf(actor).play?.turns).toHaveLength(3);
  });

  it('can be the last one: the talk is over here, too', async () => {
    const { actor, world } = await myTurn();
    world.live?.onMessage(token('I '));
    world.play = playing({ flow_state: 'Ended', ending_type: 'success', turn_count: 3 }, [...AFTER_THE_OTHER.turns]);
    world.live?.onMessage(final(3));
    await settle();
    expect(sceneOf(actor)).toBe('"Finished"');
  });

  it('reaches a tab that stands before a failure of its own', async () => {
    const { actor, world } = await myTurn();
    await say(actor, 'Hello');
    world.turns[0]?.answer.reject(new ApiError('RUNTIME_UNAVAILABLE', 503, 'Away.', true));
    await settle();
    world.play = AFTER_THE_OTHER;
    world.live?.onMessage(final(3));
    await settle();
    expect(sceneOf(actor)).toBe('"Error"');
    expect(contextOf(actor).play?.turns).toHaveLength(3);
    expect(contextOf(actor).pending?.text).toBe('Hello');
  });
});

describe('words that were typed until the end of a talk', () => {
  it('are kept beside the ending, in the tab’s memory too', async () => {
    const { actor, world } = await myTurn();
    await say(actor, 'Hello');
    actor.send({ type: 'DRAFT', text: 'And one more thing' });
    world.turns[0]?.answer.resolve(
      answered('Hello', { session: { ...AFTER_THE_OTHER.session, flow_state: 'Ended', ending_type: 'success' } }),
    );
    await settle();
    expect(sceneOf(actor)).toBe('"Finished"');
    expect(contextOf(actor)).toMatchObject({ draft: 'And one more thing', pending: null });
    expect(world.draft).toBe('And one more thing');
    expect(world.pending).toBeNull();
  });
});
