import { createActor } from 'xstate';
import { ApiError } from '../client/api-error';
import { playMachine } from './play-machine';
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

afterEach(() => jest.useRealTimers());

describe('the play machine', () => {
  it('starts a session that is not started and shows its opening', async () => {
    const { actor, world } = await myTurn({ play: playing({ flow_state: 'NotStarted', turn_count: 0 }, []) });
    expect(sceneOf(actor)).toBe('"NpcOpening"');
    world.starts[0]?.resolve({ session: SESSION, turn: turn(1, 'npc', 'Come in.'), events: [] });
    await settle();
    expect(sceneOf(actor)).toContain('PlayerTurnReview');
    expect(actor.getSnapshot().context.play?.turns).toHaveLength(1);
  });

  it('thinks until the first token, speaks until the answer, then it is the player again with the new state', async () => {
    const { actor, world } = await myTurn();
    await say(actor, '  Fifty-three thousand.  ');
    expect(sceneOf(actor)).toContain('NpcThinking');
    expect(world.turns[0]?.sent).toEqual({ text: 'Fifty-three thousand.', key: 'key-1', turnCount: 1 });

    world.live?.onMessage(message('npc.token', { text: 'I ' }));
    world.live?.onMessage(message('npc.token', { text: 'see' }, 2));
    expect(sceneOf(actor)).toContain('NpcSpeaking');
    expect(actor.getSnapshot().context.streamed).toBe('I see');

    world.turns[0]?.answer.resolve(answered('Fifty-three thousand.'));
    await settle();
    const { context } = actor.getSnapshot();
    expect(sceneOf(actor)).toContain('PlayerTurnReview');
    expect(context.play?.turns.map((one) => one.index)).toEqual([1, 2, 3]);
    expect(context.play?.lastDelta).toEqual({ trust: 6 });
    expect(context.pending).toBeNull();
    expect(world.pending).toBeNull();
  });

  it('replaces the tokens by the final words, also when they differ', async () => {
    const { actor, world } = await myTurn();
    await say(actor, 'Hello');
    world.live?.onMessage(message('npc.token', { text: 'Half a sent' }));
    world.live?.onMessage(message('npc.final', { turn: 3, content: 'Could you repeat that?' }, 2));
    expect(actor.getSnapshot().context.streamed).toBe('Could you repeat that?');
  });

  it('sends nothing for an empty draft', async () => {
    const { actor, world } = await myTurn();
    await say(actor, '   ');
    expect(world.turns).toHaveLength(0);
    expect(sceneOf(actor)).toContain('Composing');
  });

  it('shows an event for a moment before it is the player again', async () => {
    const { actor, world } = await myTurn();
    await say(actor, 'Hello');
    const happened = answered('Hello', {
      events: [{ type: 'scenario.event', payload: { flags: ['mail'], narration: 'A mail comes.' } }],
    });
    world.turns[0]?.answer.resolve(happened);
    await settle();
    expect(sceneOf(actor)).toBe('"ScenarioEvent"');
    expect(actor.getSnapshot().context.play?.happenings).toEqual([{ turn: 3, kind: 'event', text: 'A mail comes.' }]);
    actor.send({ type: 'CONTINUE' });
    expect(sceneOf(actor)).toContain('PlayerTurnReview');
  });

  it('is finished when a turn ends the talk', async () => {
    const { actor, world } = await myTurn();
    await say(actor, 'Hello');
    world.turns[0]?.answer.resolve(
      answered('Hello', { session: { ...SESSION, flow_state: 'Ended', ending_type: 'success', turn_count: 3 } }),
    );
    await settle();
    expect(sceneOf(actor)).toBe('"Finished"');
  });

  it('says that a talk could not be ended, and ends it or goes on as it is told', async () => {
    const { actor, world } = await myTurn();
    world.endFails = new ApiError('UNREACHABLE', 0, 'Nobody answers.', true);
    actor.send({ type: 'END' });
    await settle();
    expect(sceneOf(actor)).toBe('"Error"');
    expect(actor.getSnapshot().context).toMatchObject({ resume: 'end', error: { code: 'UNREACHABLE' } });
    actor.send({ type: 'CONTINUE' });
    await settle();
    expect(sceneOf(actor)).toContain('Composing');
    actor.send({ type: 'END' });
    await settle();
    world.endFails = null;
    actor.send({ type: 'RETRY' });
    await settle();
    expect([sceneOf(actor), world.ends]).toEqual(['"Finished"', 3]);
  });

  it('asks for a stop again that came before the words, and no more once it is over', async () => {
    jest.useFakeTimers();
    const { actor, world } = await myTurn();
    await say(actor, 'Hello');
    actor.send({ type: 'STOP' });
    jest.advanceTimersByTime(2_000);
    expect(world.cancels).toBe(3);
    world.turns[0]?.answer.reject(new ApiError('TURN_ABORTED', 409, 'Stopped.', false));
    await settle();
    expect(sceneOf(actor)).toContain('Composing');
    await say(actor, 'Another');
    jest.advanceTimersByTime(2_000);
    expect([world.cancels, actor.getSnapshot().context.stopping]).toEqual([3, false]);
  });

  it('gives the words back after a stop, and asks the service to cancel once', async () => {
    const { actor, world } = await myTurn();
    await say(actor, 'Hello');
    actor.send({ type: 'STOP' });
    expect(actor.getSnapshot().context.stopping).toBe(true);
    world.turns[0]?.answer.reject(new ApiError('TURN_ABORTED', 409, 'Stopped.', false));
    await settle();
    expect(world.cancels).toBe(1);
    expect(sceneOf(actor)).toContain('Composing');
    expect(actor.getSnapshot().context).toMatchObject({ draft: 'Hello', pending: null, stopping: false });
  });

  it('keeps the words when a turn fails and sends them again with the same key', async () => {
    const { actor, world } = await myTurn();
    await say(actor, 'Hello');
    world.turns[0]?.answer.reject(new ApiError('RUNTIME_UNAVAILABLE', 503, 'Start it.', true));
    await settle();
    expect(sceneOf(actor)).toBe('"Error"');
    expect(world.pending?.text).toBe('Hello');
    actor.send({ type: 'RETRY' });
    expect(world.turns[1]?.sent).toEqual(world.turns[0]?.sent);
  });

  it('lets the words be changed after a failure; they then go with a new key', async () => {
    const { actor, world } = await myTurn();
    await say(actor, 'Hello');
    world.turns[0]?.answer.reject(new ApiError('TURN_TIMEOUT', 504, 'Too slow.', true));
    await settle();
    actor.send({ type: 'EDIT' });
    expect(actor.getSnapshot().context.draft).toBe('Hello');
    await say(actor, 'Hello again');
    expect(world.turns[1]?.sent).toMatchObject({ text: 'Hello again', key: 'key-2' });
  });

  it('does not offer to resend what was recorded although its answer was lost', async () => {
    const { actor, world } = await myTurn();
    await say(actor, 'Hello');
    world.turns[0]?.answer.reject(ApiError.unreachable(new TypeError('failed to fetch')));
    await settle();
    expect(sceneOf(actor)).toBe('"Error"');
    world.play = playing({ turn_count: 3 }, [
      turn(1, 'npc', 'Come in.'),
      turn(2, 'player', 'Hello'),
      turn(3, 'npc', 'Yes.'),
    ]);
    world.live?.onUp(true);
    await settle();
    expect(sceneOf(actor)).toContain('PlayerTurnReview');
    expect(actor.getSnapshot().context).toMatchObject({ pending: null, draft: '' });
  });

  it('says so when the service is back and the words had not arrived', async () => {
    const { actor, world } = await myTurn();
    await say(actor, 'Hello');
    world.turns[0]?.answer.reject(ApiError.unreachable(new TypeError('failed to fetch')));
    await settle();
    world.live?.onUp(true);
    await settle();
    expect(actor.getSnapshot().context.error?.code).toBe('NOT_RECORDED');
    actor.send({ type: 'RETRY' });
    expect(world.turns[1]?.sent).toEqual(world.turns[0]?.sent);
  });

  it('keeps offering to resend when the turns that came meanwhile are of another tab', async () => {
    const { actor, world } = await myTurn();
    await say(actor, 'Hello');
    world.turns[0]?.answer.reject(ApiError.unreachable(new TypeError('failed to fetch')));
    await settle();
    world.play = playing({ turn_count: 3 }, [
      turn(1, 'npc', 'Come in.'),
      turn(2, 'player', 'Other'),
      turn(3, 'npc', 'Yes.'),
    ]);
    world.live?.onGap();
    await settle();
    expect(sceneOf(actor)).toBe('"Error"');
    expect(actor.getSnapshot().context.pending?.text).toBe('Hello');
  });

  it('asks again for the answer to a turn that was under way when the page was reloaded', async () => {
    const pending = { text: 'Hello', key: 'key-before', turnCount: 1 };
    const { actor, world } = await myTurn({ pending });
    expect(sceneOf(actor)).toContain('NpcThinking');
    expect(world.turns[0]?.sent).toEqual(pending);
  });

  it('forgets a pending turn on a reload when it was recorded, and keeps the draft', async () => {
    const { actor, world } = await myTurn({
      pending: { text: 'Hello', key: 'key-before', turnCount: 1 },
      draft: 'And another thing',
      play: playing({ turn_count: 3 }, [
        turn(1, 'npc', 'Come in.'),
        turn(2, 'player', 'Hello'),
        turn(3, 'npc', 'Yes.'),
      ]),
    });
    expect(sceneOf(actor)).toContain('Composing');
    expect(world.turns).toHaveLength(0);
    expect(actor.getSnapshot().context.draft).toBe('And another thing');
  });

  it('fetches the state after a gap and after a reconnect, and not at the first connect', async () => {
    const { world } = await myTurn();
    expect(world.loads).toHaveLength(1);
    world.live?.onUp(false);
    await settle();
    expect(world.loads).toHaveLength(1);
    world.live?.onGap();
    await settle();
    expect(world.loads).toHaveLength(2);
    world.live?.onDown();
    world.live?.onUp(true);
    await settle();
    expect(world.loads).toHaveLength(3);
  });

  it('takes in a turn that another tab played', async () => {
    const { actor, world } = await myTurn();
    world.play = playing({ turn_count: 3 }, [
      turn(1, 'npc', 'Come in.'),
      turn(2, 'player', 'Hi'),
      turn(3, 'npc', 'Yes.'),
    ]);
    world.live?.onMessage(message('npc.final', { turn: 3, content: 'Yes.' }));
    await settle();
    expect(actor.getSnapshot().context.play?.turns).toHaveLength(3);
  });

  it('is finished when another tab ended the talk', async () => {
    const { actor, world } = await myTurn();
    world.play = playing({ flow_state: 'Ended', ending_type: 'player_exit' });
    world.live?.onMessage(message('session.state', { state: 'Ended' }));
    await settle();
    expect(sceneOf(actor)).toBe('"Finished"');
  });

  it('ends the talk also while the character is speaking', async () => {
    const { actor, world } = await myTurn();
    await say(actor, 'Hello');
    actor.send({ type: 'END' });
    await settle();
    expect(world.ends).toBe(1);
    expect(sceneOf(actor)).toBe('"Finished"');
  });

  it('says that a session is gone when its socket says so', async () => {
    const { actor, world } = await myTurn();
    world.live?.onGone();
    expect(sceneOf(actor)).toBe('"Error"');
    expect(actor.getSnapshot().context.error?.code).toBe('SESSION_NOT_FOUND');
  });

  it('stops before a model that is away, and goes on anyway when told to', async () => {
    const one = stage();
    one.world.model = 'UNAVAILABLE';
    await settle();
    expect(sceneOf(one.actor)).toBe('"Error"');
    one.actor.send({ type: 'CONTINUE' });
    expect(sceneOf(one.actor)).toContain('Composing');
  });

  it('writes no words of an unsaved session into what the tab remembers', async () => {
    const { actor, world } = await myTurn({ play: playing({ transcript_saved: false }) });
    await say(actor, 'A secret');
    expect(world.turns[0]?.sent.text).toBe('A secret');
    expect(world.draft).toBe('');
    expect(world.pending).toBeNull();
  });

  it('lets the words be read over before they are sent', async () => {
    const { actor, world } = await myTurn();
    actor.send({ type: 'DRAFT', text: 'Hello' });
    actor.send({ type: 'REVIEW' });
    expect(sceneOf(actor)).toContain('Reviewing');
    actor.send({ type: 'EDIT' });
    expect(sceneOf(actor)).toContain('Composing');
    actor.send({ type: 'REVIEW' });
    actor.send({ type: 'SEND' });
    await settle();
    expect(world.turns[0]?.sent.text).toBe('Hello');
  });

  it('hands a made session to the page', async () => {
    const { ports } = stage();
    const actor = createActor(playMachine, { input: { kind: 'scenario', scenarioId: 'the_ask', ports } }).start();
    await settle();
    actor.send({ type: 'BEGIN', choice: { difficulty: 'hard', focus: null, coaching: false, language: null } });
    await settle();
    expect(actor.getSnapshot().context.created?.id).toBe(SESSION.id);
  });
});
