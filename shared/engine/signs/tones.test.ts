import { SIGN_TONES, type SignTone } from '@parley/shared/contracts';
import { matchSigns } from './match-signs';
import { read } from '../../testing/engine/reading-fixture';

const shown = (line: string, tone: SignTone, language = 'en'): string[] =>
  matchSigns([{ tone: [tone] }], read(line, { language })).spans.map(({ start, end }) => line.slice(start, end));

/** Lines that have a tone, and lines beside them that have not. */
const LINES: Readonly<Record<SignTone, { readonly has: readonly string[]; readonly lacks: readonly string[] }>> = {
  apology: { has: ["I'm really sorry.", 'im sorry', 'My apologies.', 'I apologise for that.', 'Forgive me.', 'I take that back.'], lacks: ["I'm not sorry.", 'Sorry?', "I'm sorry you feel that way.", 'You owe me an apology.', 'Better safe than sorry.', 'You said you were sorry.', "Sorry, but that's wrong."] },
  thanks: { has: ['Thanks a lot.', 'thx', 'I really appreciate it.', "I'm so grateful."], lacks: ['No thanks.', 'Thanks for nothing.', 'Thanks to Piotr it works.', 'Nobody thanked me.', 'I would appreciate an answer.', 'Thank God.'] },
  hedge: { has: ['Maybe a bit more.', 'I guess so.', "It's kind of hard.", 'I was wondering if we could talk.', "I don't know, really.", "We're not really sure about Friday."], lacks: ['What kind of result?', 'You said maybe.', "I don't know how finance decides.", "That's very kind of you.", "So you're not sure she'll want it.", 'Ines is not sure yet.', "He isn't sure."] },
  absolute: { has: ['You never listen.', "It's always me.", 'Every single time.', 'all the time'], lacks: ['Never mind.', 'Not always.', 'Better late than never.', "I've never said it, but thank you.", 'Every Monday works.', "I don't want to say always."] },
  blame: { has: ["It's your fault.", 'Because of you we lost it.', 'You let me down.', "You should've told me.", "This wouldn't have happened if you had asked."], lacks: ["It's not your fault.", "I don't blame you.", "It's my fault.", 'You made me feel at home.', 'If I had asked, we would not be here.'] },
  insult: { has: ["You're an idiot.", 'you lazy slob', 'What a jerk.', 'Shut up.', "You're pathetic.", 'Are you stupid?', 'What the hell is wrong with you?', 'Who the hell do you think you are?'], lacks: ["That's a stupid rule.", "I'm an idiot.", "You're not lazy.", 'They called you a slob.', 'My boss was an idiot.', 'The pot is disgusting.', 'What the hell happened?', 'What is wrong with your laptop?'] },
  threat: { has: ['Pay me or else.', "If you don't sign, I'll quit.", "I'll report you.", "You'll regret this.", 'Do it or get out.', "I'm leaving unless you sign."], lacks: ["I'm not threatening you.", "I won't leave.", "If you don't mind, I'll write it.", 'I could do the floor, or you could.', "If Ines says no, I'll bring better figures."] },
  shouting: { has: ['PAY ME NOW', 'This is RIDICULOUS!', 'answer me!!!', 'STOP IT'], lacks: ['OK.', 'HR and IT know.', 'Thank you so much!!!', 'The KPI report.', 'I can do that!'] },
  you_statement: { has: ["You don't care.", 'You never listen.', "You're being unfair.", 'You just look after your favourites.', 'You keep interrupting me.', 'You need to stop this.', 'You must stop making excuses.'], lacks: ['You need to stop your blood thinner two days before.', 'You must stop eating at ten.', 'You have seven people.', "You're right.", "I'm not saying you don't care.", 'You sound worried.', "You don't have to decide now.", 'You said Friday.'] },
  own_part: { has: ['I should have asked you.', "That's on me.", 'I never asked you.', 'I was unfair.', "I shouldn't have said that.", 'I got that wrong.', 'I put it up without asking you.'], lacks: ["It's not my fault.", 'I did my part.', 'You should have asked me.', 'I should have been paid more.', 'How is that my fault?', 'I was not wrong.'] },
}; // prettier-ignore

describe.each(SIGN_TONES)('the tone %s', (tone) => {
  it.each(LINES[tone].has)('is heard in: %s', (line) => expect(shown(line, tone)).not.toEqual([]));
  it.each(LINES[tone].lacks)('is not heard in: %s', (line) => expect(shown(line, tone)).toEqual([]));
});

describe('tones', () => {
  it('point at the words that have them', () => {
    expect(shown('Well, I guess so, and maybe not.', 'hedge')).toEqual(['I guess', 'maybe']);
    expect(shown("You're an idiot, Dana.", 'insult')).toEqual(["You're an idiot"]);
  });

  it('do not count in words that are quoted as the words of another', () => {
    expect(shown('You called it "my fault, sorry", remember?', 'apology')).toEqual([]);
    expect(shown('He said "shut up" to me.', 'insult')).toEqual([]);
  });

  it('hold when one of several is there', () => {
    expect(matchSigns([{ tone: ['apology', 'thanks'] }], read('Thanks.')).holds).toBe(true);
    expect(matchSigns([{ tone: ['apology', 'insult'] }], read('Thanks.')).holds).toBe(false);
  });

  it('are known in English and German; shouting is heard in any language', () => {
    expect(shown('Danke, Entschuldigung, vielleicht.', 'apology', 'de')).toEqual(['Entschuldigung']);
    expect(shown('Merci, pardon, peut-être. Sorry.', 'apology', 'fr')).toEqual([]);
    expect(shown('ICH WILL MEIN GELD', 'shouting', 'de')).toEqual(['ICH WILL MEIN GELD']);
  });
});
