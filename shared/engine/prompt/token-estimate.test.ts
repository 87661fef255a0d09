import { estimateTokens } from './token-estimate';

/** Counted with the vocabularies themselves: Llama 3 (128k), o200k, and Llama 2 (32k). */
const COUNTED: { text: string; language?: string; llama3: number; o200k: number; llama2: number }[] = [
  {
    text: "Come in, push the samples off the chair. I've got you down for half an hour, and honestly it's the only half hour today that isn't about the October switch. You said it was about your role. I'm listening.",
    llama3: 49,
    o200k: 45,
    llama2: 54,
  },
  {
    text: 'Ich verstehe, was du meinst, und würde gern einen Weg finden, der für uns beide funktioniert. Kannst du mir sagen, woran es liegt? Über die Größe der Lieferung müssen wir später reden. Die Abteilungsleiterin hat die Gehaltserhöhung bereits genehmigt, aber die Personalabteilung wartet noch auf die Unterlagen.',
    language: 'de',
    llama3: 84,
    o200k: 71,
    llama2: 89,
  },
  {
    text: 'Capisco quello che vuoi dire e vorrei trovare un modo che vada bene a entrambi. Puoi dirmi che cosa ti limita? La responsabile sta ancora aspettando i documenti.',
    language: 'it',
    llama3: 46,
    o200k: 41,
    llama2: 46,
  },
  {
    text: 'Я понимаю, что вы имеете в виду, и хотел бы найти решение, которое подойдёт нам обоим.',
    llama3: 25,
    o200k: 24,
    llama2: 34,
  },
  { text: 'אני מבין למה אתה מתכוון, והייתי רוצה למצוא דרך שתתאים לשנינו.', llama3: 57, o200k: 22, llama2: 62 },
  {
    text: '我明白你的意思，我想找到一个对我们双方都合适的办法。你能告诉我是什么限制了你吗？',
    llama3: 27,
    o200k: 28,
    llama2: 53,
  },
  {
    text: '{"npc_utterance":"That figure I can use. Ines can look it up herself.","npc_emotion":"curious","state_delta":{"objective_progress":9,"trust":4},"event_flags":["gave_evidence"],"rubric_observations":[{"dimension":"evidence","delta":6,"note":"named a figure with its source"}],"safety":{"action":"ok","reason":null},"session_control":{"end_session":false,"reason":null}}',
    llama3: 94,
    o200k: 96,
    llama2: 117,
  },
];

describe('estimateTokens', () => {
  it.each(COUNTED)('says no less than large vocabularies take, and little less than small ones: $text', (counted) => {
    const estimate = estimateTokens(counted.text, counted.language);
    expect(estimate).toBeGreaterThanOrEqual(Math.max(counted.llama3, counted.o200k));
    expect(estimate).toBeGreaterThanOrEqual(counted.llama2 * 0.9);
  });

  it('is no more than a fifth too high for English talk, so that small contexts are used', () => {
    const [talk] = COUNTED;
    expect(estimateTokens(talk!.text)).toBeLessThanOrEqual(talk!.llama3 * 1.2);
  });

  it.each([
    ['', 0],
    ['the cat sat on the mat', 6],
    ['kitchen', 1],
    ['kitchens', 2],
    ['Refrigerate', 2],
    ['extraordinarily', 3],
    ['a, b. 12', 6],
    ['trust_me', 2],
    ['a__b', 3],
    ['a  b', 3],
    ['\n\n', 2],
    ['é', 2],
    ['éé', 3],
    ['ж', 2],
    ['жжжж', 5],
    ['東京', 4],
    ['😀', 4],
    ['[@`{', 4],
    ['AZaz', 1],
  ])('counts %j as %i', (text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens);
  });

  it('takes other languages than English for shorter pieces', () => {
    expect(estimateTokens('Lieferung', 'de')).toBe(3);
    expect(estimateTokens('Wege', 'de')).toBe(1);
    expect(estimateTokens('Lieferung', 'en')).toBe(2);
  });
});
