import { buildPrompt, compileScenario, openSession, summaryUpTo } from '@parley/shared/engine';
import { CANNED_LINES } from './canned-lines';
import { cannedTurn } from './canned-turn';
import { GERMAN_LINES } from './german-lines';
import { playerMood } from './player-mood';
import { spokenLanguage } from './player-utterance';
import { scenarioFixture } from '../testing/scenario-fixture';

const content = scenarioFixture();
const prompt = (said: string, language: string) =>
  buildPrompt({
    scenario: compileScenario(content),
    difficulty: 'standard',
    language,
    focus_dimension: null,
    fence: 'f',
    state: openSession(content, 'standard').state,
    turns: [],
    summary: summaryUpTo({ content, language }, 0, { events: [], turns: [] }),
    recap: null,
    player_text: said,
    context_length: 4096,
  }).messages;

describe('the demo voice in German', () => {
  it('is told by the prompt that the engine writes', () => {
    expect(spokenLanguage(prompt('Hallo.', 'de'))).toBe('de');
    expect(spokenLanguage(prompt('Speak German. Spoken words only', 'en'))).toBe('en');
    expect(spokenLanguage(prompt('Bonjour.', 'fr'))).toBe('en');
  });

  it('says German lines where the author has none, and English ones elsewhere', () => {
    const said = (text: string, language: string): string =>
      cannedTurn(prompt(text, language), { properties: {} }).npc_utterance;
    for (const text of ['Hm.', 'Du bist so faul.', 'Ich verstehe das. Wie wäre es, wenn wir am Freitag reden?']) {
      expect(Object.values(GERMAN_LINES).flat()).toContain(said(text, 'de'));
      expect(Object.values(CANNED_LINES).flat()).toContain(said(text, 'en'));
    }
  });

  it('has as many lines for every mood, none twice, none long, none with du or Sie', () => {
    for (const [mood, lines] of Object.entries(GERMAN_LINES)) {
      expect(lines.length).toBe(CANNED_LINES[mood as keyof typeof CANNED_LINES].length);
      expect(new Set(lines).size).toBe(lines.length);
      expect(lines.filter((line) => line.split(' ').length > 30)).toEqual([]);
      expect(
        lines.filter((line) => /(?<!\p{L})(?:du|dich|dir|dein\p{L}*|Sie|Ihnen|Ihr\p{L}*)(?!\p{L})/u.test(line)),
      ).toEqual([]);
    }
  });

  it.each([
    ['hostile', 'Du bist ein Faulpelz, Jules.'],
    ['hostile', 'Du hilfst hier nie.'],
    ['hostile', 'Sonst kündige ich.'],
    ['hostile', 'Lassen Sie mich in Ruhe.'],
    ['constructive', 'Der Topf steht seit Dienstag da. Könnten wir uns auf Montag einigen?'],
    ['constructive', 'Das tut mir leid, ich hätte dich vorher fragen sollen.'],
    ['constructive', 'Ich verstehe, dass das schwer ist. Was würde dir helfen?'],
    ['passive', 'Hm.'],
    ['passive', 'Na ja, wird schon.'],
    ['passive', 'Okay. Dann gute Nacht.'],
  ])('is %s after: %s', (mood, line) => {
    expect(playerMood(line, 'de').mood).toBe(mood);
  });
});
