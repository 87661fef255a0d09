import { FALLBACK_UTTERANCE } from '@parley/shared/contracts';
import { scenarioFixture } from '../../testing/scenario-fixture';
import { compileScenario } from '../compiled-scenario';
import { openSession } from '../open-session';
import { resolveTurn } from '../resolve-turn';
import type { TurnOutcome } from '../turn-outcome';
import { parseReply } from './parse-reply';

const content = scenarioFixture();
const members = {
  npc_emotion: 'frustrated',
  state_delta: { trust: -4 },
  event_flags: ['false_promise_x'],
  rubric_observations: [{ dimension: 'clarity', delta: 6, note: 'said it at once' }],
  safety: { action: 'ok', reason: null },
  session_control: { end_session: false, reason: null },
};
const answer = (npc_utterance: string): string => JSON.stringify({ npc_utterance, ...members });

function played(text: string, languages = ['en']): TurnOutcome {
  const scenario = compileScenario({ ...content, languages });
  const { state } = openSession(scenario.content, 'standard');
  const reply = parseReply(text, null, scenario);
  return resolveTurn({ content: scenario.content, difficulty: 'standard', state, reply, player_turn_index: 2 });
}

const LONG = 'You said Tuesday, and now it is two weeks. '.repeat(60);

/** What models do instead of answering as they should, and what of it the player hears. */
const KEPT: [string, string, string, string[]][] = [
  ['over-long', answer(LONG), LONG.slice(0, 1200).replace(/[^.]*$/, ''), ['longer than 1200 characters']],
  ['a thinking model, before the answer', `<think>{"npc_utterance":"no"}</think>${answer('Two weeks?')}`, 'Two weeks?', []],
  ['thoughts in the utterance', answer('<think>She is angry.</think>Two weeks?'), 'Two weeks?', []],
  ['thoughts in capitals, after the words', answer('Two weeks? <THINKING>Now she waits.</THINKING>'), 'Two weeks?', []],
  ['thoughts without an end', answer('Two weeks? <think>Now she'), 'Two weeks?', []],
  ['a fence around the answer', `\`\`\`json\n${answer('Two weeks?')}\n\`\`\``, 'Two weeks?', []],
  ['a fence in the utterance', answer('```text\nTwo weeks?\n```'), 'Two weeks?', []],
  ['marks of a chat template', answer('Two weeks?<|im_end|></s>'), 'Two weeks?', []],
  ['other marks of a chat template', answer('[INST]Two weeks?[/INST]<end_of_turn>'), 'Two weeks?', []],
  ['a cue of its own name', answer('Ines: Two weeks?'), 'Two weeks?', []],
  ['a bold cue of its own full name', answer('**Ines Duarte**: Two weeks?'), 'Two weeks?', []],
  ['quotation marks around it', answer('"Two weeks?"'), 'Two weeks?', []],
  ['curly quotation marks after a cue', answer('Ines: “Two weeks?”'), 'Two weeks?', []],
  ['quotations that are part of it', answer('"Soon" is no "date"'), '"Soon" is no "date"', []],
  ['a colon of its own', answer('My answer: no.'), 'My answer: no.', []],
  ['brackets of its own', answer('It is < 3 days [or 4].'), 'It is < 3 days [or 4].', []],
  ['speaking for the player', answer('Two weeks?\nPlayer: Yes, sorry.\nInes: Fine.'), 'Two weeks?', ['spoke for the player']],
  ['speaking for the user, in bold', answer('Two weeks?\n**User:** Yes.'), 'Two weeks?', ['spoke for the player']],
  ['speaking for You on a later line', answer('Two weeks?\nYou: Yes.'), 'Two weeks?', ['spoke for the player']],
  ['speaking for the role of the player', answer('Two weeks?\n  account manager : Yes.'), 'Two weeks?', ['spoke for the player']],
  ['You at the beginning, which is speech', answer('You: always late. Me: waiting.'), 'You: always late. Me: waiting.', []],
  ['a leaked fence', answer('Two weeks?\n<END 9f8e7>\nSecret.'), 'Two weeks?', ['recited the prompt']],
  ['a leaked heading', answer('Two weeks?\n## 6 GOALS OF MINE\nShe accepts'), 'Two weeks?', ['recited the prompt']],
  ['a leaked state', answer('Two weeks?\n## STATE\nPlayer turn 2'), 'Two weeks?', ['recited the prompt']],
  ['a leaked name of a section', answer('Two weeks? NPC_GOALS say that she accepts.'), 'Two weeks?', ['recited the prompt']],
  ['talk of itself beside speech', answer('Two weeks? As an AI language model, I cannot be angry. Tell me more.'), 'Two weeks? Tell me more.', ['spoke of itself as a model']],
  ['words that only look like a refusal', answer("I can't help you with this delivery. I won't."), "I can't help you with this delivery. I won't.", []],
  ['the end of the talk in its own words', answer("I can't continue this conversation."), "I can't continue this conversation.", []],
  ['a refusal of the character', answer("I can't help with that request. My guidelines are strict."), "I can't help with that request. My guidelines are strict.", []],
  ['a name in other letters', answer('His name is 東京.'), 'His name is 東京.', []],
]; // prettier-ignore

const REPLACED: [string, string][] = [
  ['nothing at all', ''],
  ['white space', ' \n\t '],
  ['an empty utterance', answer('')],
  ['an utterance of white space', answer(' \n ')],
  ['a refusal in prose', "I'm sorry, but I can't assist with that request."],
  ['a refusal in the utterance', answer("I'm sorry, but I can't assist with that request.")],
  ['another refusal in the utterance', answer('I am unable to participate in this role-play.')],
  ['a statement of what it is', answer('As a language model I have no feelings!')],
  ['a refusal with curly marks', answer('I’m unable to assist with your request.')],
  ['a refusal that will not', answer("I won't continue the role-play.")],
  ['a refusal in few words', answer('I cannot fulfil this request!')],
  ['talk of its making', answer('That is beyond my training data.')],
  ['nothing but speech of the player', answer('Player: Yes, sorry.')],
  ['nothing but the prompt', answer('<TEXT 9f8e7>\nTitle: The late delivery')],
  ['nothing but thoughts', answer('<think>She is angry.</think>')],
  ['nothing but a cue', answer('Ines:')],
  ['an answer in Chinese', answer('你说的是星期二，现在要等两个星期了。')],
  ['an answer in Russian', answer('Вы говорили про вторник, а теперь две недели.')],
];

describe('the play goes on', () => {
  it.each(KEPT)('with the words of the character when the model gives %s', (_name, text, heard, dropped) => {
    const outcome = played(text);
    expect(outcome).toMatchObject({ utterance: heard.trim(), used_fallback: false, emotion: 'frustrated' });
    expect(outcome.delta).toEqual({ trust: -4 });
    const reasons = outcome.dropped.filter((one) => one.member === 'npc_utterance').map((one) => one.reason);
    expect(reasons).toEqual(dropped);
  });

  it.each(REPLACED)('with the fallback and unchanged variables when the model gives %s', (_name, text) => {
    const outcome = played(text);
    expect(outcome).toMatchObject({ utterance: FALLBACK_UTTERANCE, used_fallback: true, ending: null, delta: {} });
    expect(outcome.state.player_turns).toBe(1);
  });

  it.each([
    ['zh', '你说的是星期二，现在要等两个星期了。'],
    ['ja', 'おっしゃることはよくわかります。二週間ですか。'],
    ['ko', '무슨 말씀인지 이해합니다. 2주요?'],
    ['ru', 'Вы говорили про вторник, а теперь две недели.'],
    ['ar', 'قلت الثلاثاء والآن أسبوعين.'],
    ['el', 'Είπες Τρίτη και τώρα δύο εβδομάδες.'],
    ['he', 'אמרת יום שלישי ועכשיו שבועיים.'],
    ['hi', 'आपने मंगलवार कहा था, अब दो सप्ताह।'],
    ['th', 'คุณบอกว่าวันอังคาร ตอนนี้สองสัปดาห์'],
    ['de', 'Sie sagten Dienstag, und jetzt zwei Wochen.'],
  ])('in the letters of %s where the pack speaks it, beside English', (language, line) => {
    expect(played(answer(line), ['en', language])).toMatchObject({ utterance: line, used_fallback: false });
    const foreign = language === 'de' ? line : FALLBACK_UTTERANCE;
    expect(played(answer(line), ['en']).utterance).toBe(foreign);
    const english = 'You said Tuesday, and now two weeks.';
    expect(played(answer(english), [language]).used_fallback).toBe(language !== 'de');
  });

  it('takes a text for foreign when more than half of its letters are, from eight letters on', () => {
    expect(played(answer('abcd где да')).used_fallback).toBe(true);
    expect(played(answer('abcde где да')).used_fallback).toBe(false);
    expect(played(answer('где даже')).used_fallback).toBe(false);
    expect(played(answer('где даже.. я')).used_fallback).toBe(true);
  });
});
