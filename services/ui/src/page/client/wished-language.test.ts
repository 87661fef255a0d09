import { wishedLanguage } from './wished-language';

describe('wishedLanguage', () => {
  it.each([
    [['de-AT', 'en'], 'de'],
    [['en-US'], 'en'],
    [['DE'], 'de'],
    [['gsw-CH', 'de'], 'gsw'],
  ])('is the first of %j: %s', (languages, wished) => {
    expect(wishedLanguage(languages)).toBe(wished);
  });

  it.each([[[]], [['']], [['x-klingon']], [['*']]])(
    'is nothing where the browser says no language: %j',
    (languages) => {
      expect(wishedLanguage(languages)).toBeUndefined();
    },
  );
});
