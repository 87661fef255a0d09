import { playerMood } from './player-mood';

describe('playerMood', () => {
  it.each([
    'You are an idiot and everybody here knows it.',
    'Give me the raise or else I quit on Friday.',
    'You never listen to anybody.',
    "I've been underpaid for a year and everyone on this floor knows it. So when do I get what I'm owed?",
    "Don't give me the freeze. You just look after your favourites.",
    "Fine. 53,000 in writing by Friday, or I'm at Torvald and you can run your October switch without me.",
    'THIS IS NOT ACCEPTABLE AT ALL',
    'I understand you are busy, but this is pathetic and you are useless.',
  ])('takes insults, threats and shouting as hostile: %s', (text) => {
    expect(playerMood(text).mood).toBe('hostile');
  });

  it.each([
    'I understand that October is hard for you. What would help you to say yes?',
    'I would like 54,000, because the stock count error rate fell to 1 percent since March.',
    'What limits you here, and who decides about it in the end?',
    'I\u2019m sorry about yesterday. That was my mistake, and I want to make it right.',
    'Could we agree on one evening a week, and look at it again next Monday?',
  ])('takes questions, acknowledgement, specifics and proposals as constructive: %s', (text) => {
    expect(playerMood(text).mood).toBe('constructive');
  });

  it.each(['ok', 'Fine.', 'I guess.', 'whatever', 'hm, sure', 'I do not know.', ''])(
    'takes short answers without substance as passive: %s',
    (text) => {
      expect(playerMood(text).mood).toBe('passive');
    },
  );

  it.each([
    'This deadline is killing me, and I want to find a plan that works for both of us.',
    'I am not threatening to leave. I want to understand what is possible for you.',
    'I feel stuck with the pot since Tuesday, and I would like us to find a way.',
  ])('does not mistake strong words for hostility: %s', (text) => {
    expect(playerMood(text).mood).toBe('constructive');
  });
});
