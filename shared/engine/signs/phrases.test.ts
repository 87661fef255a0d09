import { matchSigns } from './match-signs';
import { read } from '../../testing/engine/reading-fixture';

const said = (line: string, says: string[], context: Parameters<typeof read>[1] = {}): string[] =>
  matchSigns([{ says }], read(line, context)).spans.map(({ start, end }) => line.slice(start, end));

describe('the sign says', () => {
  it.each([
    ['I needed it', 'need', 'needed'],
    ['It RESTS ON three results', 'rests on', 'RESTS ON'],
    ['I’d like that', 'I would like', 'I’d like'],
    ['I would really like that', 'would like', 'would really like'],
    ['a follow-up', 'follow up', 'follow-up'],
    ['He left in March', 'leave', 'left'],
    ['I dont know', "don't know", 'dont know'],
    ["I don't know", 'do not know', "don't know"],
    ['I apologize', 'apologise', 'apologize'],
    ['We were worried', 'worry', 'worried'],
    ['in stages', 'stage', 'stages'],
    ['”Because”', 'because', 'Because'],
  ])('finds in %s: %s', (line, phrase, found) => {
    expect(said(line, [phrase])).toEqual([found]);
  });

  it.each([
    ['hopeful', 'hope'],
    ['needle', 'need'],
    ['the rest is on you', 'rests on'],
    ['general', 'generous'],
    ['careful', 'care'],
    ['university', 'universe'],
    ['because of', 'cause'],
  ])('does not take %s for %s', (line, phrase) => {
    expect(said(line, [phrase])).toEqual([]);
  });

  it('does not count what is denied directly, and counts what is only spoken of in a negation', () => {
    expect(said("I won't leave", ['leave'])).toEqual([]);
    expect(said("I'm not going to quit", ['quit'])).toEqual([]);
    expect(said('No promises', ['promise'])).toEqual([]);
    expect(said("I can't promise you that", ['promise'])).toEqual([]);
    expect(said("You haven't cleaned the pot", ['pot'])).toEqual(['pot']);
    expect(said("Why don't we split it?", ['split'])).toEqual(['split']);
    expect(said("It's not because I'm greedy", ['because'])).toEqual(['because']);
    expect(said("I don't know", ["don't know"])).toEqual(["don't know"]);
  });

  it('does not count what is copied or quoted as the words of the other', () => {
    expect(said('You said "no deadline here".', ['deadline'])).toEqual([]);
    expect(
      said('The page has to be on her desk by noon.', ['desk'], {
        lastNpcLine: 'The page has to be on her desk by noon.',
      }),
    ).toEqual([]);
    expect(said('"There is a deadline," I say.', ['deadline'])).toEqual(['deadline']);
  });

  it('compares whole words in languages without a stemmer', () => {
    expect(said('Je voudrais parler', ['voudrais'], { language: 'fr' })).toEqual(['voudrais']);
    expect(said('Ich brauche das', ['brauchen'], { language: 'de' })).toEqual(['brauche']);
  });
});

describe('the sign never_says', () => {
  it('is the opposite of says and points at nothing', () => {
    expect(matchSigns([{ never_says: ['always'] }], read('Could we talk?'))).toEqual({ holds: true, spans: [] });
    expect(matchSigns([{ never_says: ['always'] }], read('You always do.'))).toEqual({ holds: false, spans: [] });
  });
});
