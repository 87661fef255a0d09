import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { validatePack } from '../../services/pack-service/src/import/validate-pack';

const PACKS = path.join(__dirname, '..', '..', 'packs');
const BUILT_IN = readdirSync(PACKS).filter((name) => existsSync(path.join(PACKS, name, 'manifest.yaml')));

/** What a learner reads about their own doing: the rubric's dimensions with their anchors, and the hints. */
async function textsFor(name: string) {
  const { scenarios } = await validatePack(path.join(PACKS, name));
  const contents = scenarios.flatMap(({ content }) => (content === null ? [] : [content]));
  expect(contents.length).toBeGreaterThan(0);
  const dimensions = contents.flatMap((content) => content.rubric.dimensions);
  return {
    ofRubrics: dimensions.flatMap(({ description, scoring }) => [
      description,
      scoring.low,
      scoring.medium,
      scoring.high,
    ]),
    background: dimensions.flatMap(({ framework }) => (framework === null ? [] : [framework])),
    ofHints: contents.flatMap((content) => content.hints.map((hint) => hint.text)),
  };
}

describe('the texts that built-in packs say to a learner', () => {
  it('belong to at least two packs', () => {
    expect(BUILT_IN).toEqual(expect.arrayContaining(['the_ask', 'kitchen_rota']));
  });

  it.each(BUILT_IN)('never speak of "the player": %s', async (name) => {
    const { ofRubrics, background, ofHints } = await textsFor(name);
    const distant = [...ofRubrics, ...background, ...ofHints].filter((text) => /\b(?:the )?players?\b/i.test(text));
    expect(distant).toEqual([]);
  });

  it.each(BUILT_IN)('say "you" in each dimension and each of its anchors: %s', async (name) => {
    const { ofRubrics, ofHints } = await textsFor(name);
    expect(ofRubrics.filter((text) => !/\byou\b/i.test(text))).toEqual([]);
    expect(ofHints.length).toBeGreaterThan(0);
  });
});
