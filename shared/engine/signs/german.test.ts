import type { Sign, SignTone } from '@parley/shared/contracts';
import { matchSigns } from './match-signs';
import { read } from '../../testing/engine/reading-fixture';

const inGerman = (line: string, lastNpcLine: string | null = null) =>
  read(line, { language: 'de', names: ['Jules'], lastNpcLine });
const shown = (sign: Sign, line: string, lastNpcLine: string | null = null): string[] =>
  matchSigns([sign], inGerman(line, lastNpcLine)).spans.map(({ start, end }) => line.slice(start, end));
const holds = (sign: Sign, line: string): boolean => matchSigns([sign], inGerman(line)).holds;

/** By tone: lines that have it, and lines that sound like it. */
const TONES: Readonly<Record<Exclude<SignTone, 'shouting'>, readonly [readonly string[], readonly string[]]>> = {
  apology: [
    [
      'Das tut mir wirklich leid.',
      'Entschuldige, das kam härter raus, als es gemeint war.',
      'Sorry, so war das nicht gemeint.',
      'Ich möchte mich für gestern entschuldigen.',
      'Das nehme ich zurück.',
      'Ich wollte dich nicht überfahren.',
    ],
    [
      'Du könntest dich mal entschuldigen.',
      'Ich bin es leid, das Geschirr zu sehen.',
      'Das tut mir kein bisschen leid.',
      'Ich warte noch auf eine Entschuldigung.',
      'Das war nicht mein Fehler.',
    ],
  ],
  thanks: [
    [
      'Danke, dass du das sagst.',
      'Vielen Dank für die Sonntage.',
      'Das weiß ich sehr zu schätzen.',
      'Gut, dass du es mir sagst.',
    ],
    ['Nein danke.', 'Gott sei Dank ist bald Sonntag.', 'Na toll, danke.', 'Niemand hier sagt danke.'],
  ],
  hedge: [
    [
      'Vielleicht könnten wir mal reden.',
      'Ich weiß nicht so recht.',
      'Ich wollte nur mal fragen.',
      'Wenn es dir nichts ausmacht, gern.',
    ],
    ['Ich denke an den Topf.', 'Du glaubst das doch selbst.', 'Ich habe kein bisschen geschlafen.'],
  ],
  absolute: [
    ['Das ist immer so.', 'Du hilfst nie.', 'Jedes Mal dasselbe.', 'Kein einziges Mal stand da ein sauberer Topf.'],
    ['Der Topf steht immer noch da.', 'Das habe ich noch nie gesagt.', 'Wie auch immer.', 'Nicht immer.'],
  ],
  blame: [
    [
      'Das ist deine Schuld.',
      'Nur wegen dir fehlen uns neunzig Euro.',
      'Du hast mir den Abend ruiniert.',
      'Du lässt einfach alles stehen.',
      'Was ist eigentlich los mit dir?',
    ],
    ['Das ist nicht deine Schuld.', 'Ich gebe dir nicht die Schuld.', 'Der Topf steht seit Dienstag da.'],
  ],
  insult: [
    [
      'Du bist so faul.',
      'Was zum Teufel stimmt nicht mit dir?',
      'Du bist ein verwöhntes Kind, Jules.',
      'Halt die Klappe.',
      'Idiot!',
      'Du fauler Sack.',
      'Was bist du für ein Egoist.',
    ],
    [
      'Du bist nicht faul.',
      'Ich war gestern selber faul.',
      'Ich komme mir dumm vor.',
      'Ich sage nicht, dass du faul bist.',
      'Das ist eine dumme Lage.',
      'Das war dumm von mir.',
    ],
  ],
  threat: [
    [
      'Räum auf, sonst ziehe ich aus.',
      'Das wirst du noch bereuen.',
      'Das ist deine letzte Chance.',
      'Dann kannst du ausziehen.',
    ],
    ['Das ist keine Drohung.', 'Sonst noch etwas?', 'Dann kannst du dich hinsetzen.'],
  ],
  you_statement: [
    [
      'Du machst das nie.',
      'Immer lässt du alles liegen.',
      'Dir ist das doch völlig egal.',
      'Du denkst nur an dich.',
      'Typisch Jules.',
      'Du solltest endlich erwachsen werden.',
    ],
    [
      'Du musst das nicht heute machen.',
      'Wenn du nachts nicht kannst, nehmen wir den Morgen.',
      'Du bist immer noch wach.',
      'Du hast recht.',
      'Ich finde nicht, dass du nie hilfst.',
    ],
  ],
  own_part: [
    [
      'Das war nicht fair von mir.',
      'Ich hätte dich vorher fragen sollen.',
      'Ich habe die Liste aufgehängt, ohne dich zu fragen.',
      'Das geht auf meine Kappe.',
      'Da habe ich Mist gebaut.',
    ],
    ['Das war nicht meine Schuld.', 'Ich hätte gern, dass du mir sagst, was geht.', 'Ich bin nicht schuld daran.'],
  ],
};

describe('tones of German', () => {
  const tones = Object.entries(TONES) as [Exclude<SignTone, 'shouting'>, (typeof TONES)['apology']][];
  it.each(tones.flatMap(([tone, [lines]]) => lines.map((line) => [tone, line] as const)))('%s: %s', (tone, line) => {
    expect(holds({ tone: [tone] }, line)).toBe(true);
  });

  it.each(tones.flatMap(([tone, [, lines]]) => lines.map((line) => [tone, line] as const)))(
    'no %s: %s',
    (tone, line) => {
      expect(shown({ tone: [tone] }, line)).toEqual([]);
    },
  );
});

describe('questions of German', () => {
  it.each([
    'Wie sieht der Plan von deiner Seite aus?',
    'Was ist in der Schachtel, wenn ich fragen darf?',
    'Wie läuft deine Woche gerade, und wann passt dir die Küche?',
    'Darf ich fragen, was in der Schachtel ist?',
    'Wenn du frei entscheiden könntest, wie würdest du es machen?',
    'Mich würde interessieren, wie es dir damit ging.',
    'Magst du mir erzählen, was da los war?',
    'Und wohin fahren Sie?',
  ])('open: %s', (line) => {
    expect(holds({ question: 'open' }, line)).toBe(true);
  });

  it.each([
    'Wann kommst du heim?',
    'Hast du gesehen, was da steht?',
    'Wie wäre es mit Montag?',
    'Was stimmt eigentlich nicht mit dir?',
    'Wie bitte?',
    'Kannst du den Topf spülen?',
    'Wie lange dauert das?',
  ])('closed: %s', (line) => {
    expect(holds({ question: 'open' }, line)).toBe(false);
    expect(holds({ question: 'closed' }, line)).toBe(true);
  });
});

describe('words and days of German', () => {
  it('finds what is said, and not what a nicht behind it denies', () => {
    expect(shown({ says: ['stört mich'] }, 'Das stört mich sehr.')).toEqual(['stört mich']);
    expect(holds({ says: ['stört mich'] }, 'Das stört mich eigentlich nicht.')).toBe(false);
    expect(holds({ says: ['müde'] }, 'Ich bin nicht müde.')).toBe(false);
    // The pot is spoken of all the same.
    expect(holds({ says: ['topf'] }, 'Ich lasse den Topf nicht stehen.')).toBe(true);
    expect(holds({ says: ['nicht gefragt'] }, 'Ich habe dich einfach nicht gefragt.')).toBe(true);
  });

  it.each([
    ['Der Topf steht seit Dienstag in der Spüle.', 'seit Dienstag'],
    ['Morgen um zehn kommt die Vermieterin.', 'Morgen um zehn'],
    ['Montags nimmst du die Küche.', 'Montags'],
    ['Wir reden am Sonntagabend darüber.', 'am Sonntagabend'],
    ['Geht das vor zehn?', 'vor zehn'],
    ['In zwei Wochen schauen wir noch mal.', 'In zwei Wochen'],
    ['Morgens bin ich wach.', 'Morgens'],
  ])('a day: %s', (line, words) => {
    expect(shown({ day: true }, line).join(' ')).toContain(words.split(' ').at(-1));
  });

  it.each(['Deine Woche klingt hart.', 'Guten Morgen.', 'Ich habe acht Teller gespült.', 'Gute Nacht.'])(
    'no day: %s',
    (line) => {
      expect(shown({ day: true }, line)).toEqual([]);
    },
  );

  it('takes up what was said in other forms of its words', () => {
    const words = shown(
      { echo: { of: 'last_npc', at_least: 2 } },
      'Eine Schachtel, die man nicht kippen darf?',
      'Sie dürfen gern die halbe Bank haben. Die Schachtel darf nur nicht gekippt werden.',
    );
    expect(words).toEqual([]);
    expect(
      shown(
        { echo: { of: 'last_npc', at_least: 2 } },
        'Vier Jahre sind lang für zwei Geschwister.',
        'Wir haben vier Jahre nicht gesprochen.',
      ),
    ).toEqual(['Vier Jahre']);
  });

  it('reads a line of plain sentences as no row of keywords', () => {
    expect(
      inGerman('Ich mache mir Sorgen wegen morgen, der Topf steht seit Dienstag da und die Vermieterin kommt um zehn.')
        .stuffed,
    ).toBe(false);
  });
});
