import type { DraftNames, FormatMember } from '@parley/shared/contracts';
import { memberAt, membersAt, nameOf, namesAt, type Format } from './format-lookup';
import { placeAt } from './yaml-path';

const member = (path: string, values: string[] = []): FormatMember => ({
  path,
  values,
  description: `About ${path}.`,
  type: 'text',
  required: false,
  holds: 'value',
});
const FORMAT: Format = {
  scenario: [
    member('title'),
    member('npc'),
    member('npc.ref'),
    member('moves'),
    member('moves[].id'),
    member('moves[].repeat', ['once', 'halved', 'always']),
    member('moves[].signs'),
    member('events[].when'),
    member('state.variables.<name>.min'),
  ],
  sign: [member('tone', ['apology', 'thanks']), member('words'), member('words.at_least'), member('any')],
  condition: [member('type', ['flag', 'line']), member('flag_id')],
};
const NAMES: DraftNames = {
  files: ['manifest.yaml', 'npcs/ana.yaml', 'rubrics/talk.yaml'],
  scenarios: ['talk'],
  variables: ['trust', 'patience'],
  flags: ['attacked'],
  moves: ['asked_open'],
  events: ['sits_back'],
  endings: ['agreed'],
  dimensions: ['saying_it'],
  emotions: ['warm'],
};

describe('placeAt', () => {
  it.each([
    ['ti', [], null],
    ['title: A ta', [], 'title'],
    ['npc:\n  re', ['npc'], null],
    ['npc:\n  ref: ../np', ['npc'], 'ref'],
    ['npc: { ref: ../np', ['npc'], 'ref'],
    ['moves:\n  - id: one\n    re', ['moves', '[]'], null],
    ['moves:\n  - id: one\n    repeat: on', ['moves', '[]'], 'repeat'],
    ['moves:\n- id: one\n  repeat: on', ['moves', '[]'], 'repeat'],
    ['moves:\n  - id: one\n    signs:\n      - ', ['moves', '[]', 'signs', '[]'], null],
    [
      'moves:\n  - id: one\n    signs:\n      - any:\n          - to',
      ['moves', '[]', 'signs', '[]', 'any', '[]'],
      null,
    ],
    [
      'moves:\n  - id: one\n    signs:\n      - not: { tone: [ap',
      ['moves', '[]', 'signs', '[]', 'not', 'tone', '[]'],
      null,
    ],
    ['events:\n  - id: a\n    when:\n      - { type: flag, flag_id: as', ['events', '[]', 'when', '[]'], 'flag_id'],
    ['a:\n  b: 1\n# c:\n\nd:\n  e', ['d'], null],
    ['a:\n  - x\n  - y\nb', [], null],
    ['text: "a: { b"\nnext: ', [], 'next'],
  ])('of %j is in %j, at the value of %s', (before, around, key) => {
    expect(placeAt(before)).toMatchObject({ around, key });
  });
});

describe('what the editor offers', () => {
  const offered = (before: string): string[] => {
    const place = placeAt(before);
    return membersAt(FORMAT, 'scenario', place.around).map(nameOf);
  };
  it('is the members of the place', () => {
    expect(offered('ti')).toEqual(['title', 'npc', 'moves']);
    expect(offered('moves:\n  - re')).toEqual(['id', 'repeat', 'signs']);
    expect(offered('moves:\n  - signs:\n      - any:\n          - ')).toEqual(['tone', 'words', 'any']);
    expect(offered('moves:\n  - signs:\n      - words:\n          ')).toEqual(['at_least']);
    expect(offered('events:\n  - when:\n      - ')).toEqual(['type', 'flag_id']);
    expect(offered('state:\n  variables:\n    trust:\n      m')).toEqual(['min']);
  });

  it('knows what a member is', () => {
    expect(memberAt(FORMAT, 'scenario', ['moves', '[]'], 'repeat')?.values).toEqual(['once', 'halved', 'always']);
    expect(memberAt(FORMAT, 'scenario', ['moves', '[]', 'signs', '[]'], 'tone')?.description).toBe('About tone.');
    expect(memberAt(FORMAT, 'scenario', [], 'unheard_of')).toBeNull();
  });

  it.each([
    ['events:\n  - when:\n      - flag_id: ', ['asked_open', 'attacked', 'sits_back']],
    ['npc:\n  ref: ', ['../npcs/ana.yaml']],
    ['npc: { ref: ', ['../npcs/ana.yaml']],
    ['opening:\n  emotion: ', ['warm']],
    ['moves:\n  - effect:\n      ', ['trust', 'patience']],
    ['taught_dimensions:\n  - ', ['saying_it']],
    ['title: ', []],
  ])('of the names of the pack at %j is %j', (before, names) => {
    expect(namesAt(NAMES, placeAt(before))).toEqual(names);
  });
});
