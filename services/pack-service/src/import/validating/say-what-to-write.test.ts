import path from 'node:path';
import type { Finding } from '@parley/shared/contracts';
import { temporaryFolder, minimalPack, replaced, writePack, type TemporaryFolder } from '@parley/shared/testing';
import { validatePack } from './validate-pack';

type Changes = Parameters<typeof minimalPack>[0];
type Told = [place: string, rule: string, message: string, hint: string | null];

const in01 = (file: string, piece: string, by: string): Changes => ({ [file]: replaced(file, piece, by) });
const talk = (piece: string, by: string): Changes => in01('scenarios/talk.yaml', piece, by);
const talk02 = (...changes: [piece: string, by: string][]): Changes => ({
  'scenarios/talk.yaml': changes.reduce(
    (text, [piece, by]) => {
      if (!text.includes(piece)) throw new Error(`no ${piece}`);
      return text.replace(piece, by);
    },
    replaced('scenarios/talk.yaml', 'schema_version: "0.1"', 'schema_version: "0.2"').replace(
      'title: A talk',
      'title: A talk\nflags: {apology: Said sorry.}',
    ),
  ),
});

/** Each mistake of a trainer's day, and all that is said of it: one slip, one finding, with what to write. */
const MISTAKES: [name: string, Changes, Told[]][] = [
  [
    'value in the place of threshold',
    talk('variable: trust, threshold: 79', 'variable: trust, value: 79'),
    [['scenarios/talk.yaml:27:52', 'schema.scenario', 'The member value is not known here.', 'Did you mean threshold?']],
  ],
  [
    'value in the place of threshold, in an event',
    talk('when: {type: max_turns, value: 3}', 'when: {type: variable_above, variable: trust, value: 60}'),
    [['scenarios/talk.yaml:24:63', 'schema.scenario', 'The member value is not known here.', 'Did you mean threshold?']],
  ],
  [
    'a ref that starts at the root',
    talk('ref: ../npcs/kim.yaml', 'ref: npcs/kim.yaml'),
    [['scenarios/talk.yaml:6:12', 'ref.unknown', 'There is no file scenarios/npcs/kim.yaml.', 'Write ../npcs/kim.yaml: a ref is relative to the file that holds it.']],
  ],
  [
    'a ref that is no group',
    talk('npc: {ref: ../npcs/kim.yaml}', 'npc: ../npcs/kim.yaml'),
    [['scenarios/talk.yaml:6:6', 'schema.scenario', 'npc: This must be a group of members, but it is text.', 'Write {ref: ../npcs/kim.yaml}.']],
  ],
  [
    'a ref with a slip',
    talk('ref: ../npcs/kim.yaml', 'ref: ../npcs/kin.yaml'),
    [['scenarios/talk.yaml:6:12', 'ref.unknown', 'There is no file npcs/kin.yaml.', 'Did you mean ../npcs/kim.yaml?']],
  ],
  [
    'an entry scenario that is relative to nothing',
    in01('manifest.yaml', '[scenarios/talk.yaml]', '[talk.yaml]'),
    [['manifest.yaml:12:19', 'ref.unknown', 'There is no file talk.yaml.', "Write scenarios/talk.yaml: paths here start at the pack's root."]],
  ],
  [
    'a portrait that is relative to its file',
    { ...in01('npcs/kim.yaml', 'assets/kim.png', '../assets/kim.png'), 'assets/kim.png': Buffer.from('89504e470d0a1a0a', 'hex') },
    [['npcs/kim.yaml:7:11', 'path.escape', "The path leads out of the pack: paths here start at the pack's root.", 'Write assets/kim.png.']],
  ],
  [
    'an unquoted comma in a flow map',
    talk('brief: You have news.', 'brief: You have news, and little time, today.'),
    [['scenarios/talk.yaml:5:57', 'schema.scenario', 'Inside { } a comma ends a text: "and little time" was read as a member of its own.', 'Put the whole text in quotes: "You have news, and little time, today."']],
  ],
  [
    'an unquoted comma in a map of free names',
    talk02(['{apology: Said sorry.}', '{apology: Said sorry, and meant it.}']),
    [['scenarios/talk.yaml:4:30', 'schema.scenario', 'Inside { } a comma ends a text: "and meant it." was read as a member of its own.', 'Put the whole text in quotes: "Said sorry, and meant it."']],
  ],
  [
    'a text with a colon',
    talk('opening: {npc_says: "Yes?"}', 'opening:\n  npc_says: Good evening: what is it?'),
    [['scenarios/talk.yaml:11:13', 'yaml.syntax', 'A text with ": " in it needs quotes.', 'Write "Good evening: what is it?".']],
  ],
  [
    'a text with a colon, in a flow map',
    talk('opening: {npc_says: "Yes?"}', 'opening: {npc_says: Yes: what is it?}'),
    [['scenarios/talk.yaml:10:21', 'yaml.syntax', 'A text with ": " in it needs quotes.', 'Write "Yes: what is it?".']],
  ],
  [
    'a text with a colon, in a list',
    talk('  hidden: [Kim knows already.]', '  hidden:\n    - Kim: knows already.'),
    [['scenarios/talk.yaml:14:7', 'schema.scenario', 'goals.hidden[0]: This must be text, but it is a group of members.', 'A text with ": " in it needs quotes: "Kim: knows already."']],
  ],
  [
    'text after a closing quote',
    talk('title: A talk', 'title: "A talk" again'),
    [['scenarios/talk.yaml:3:17', 'yaml.syntax', 'The text ends at the second quote: "A talk".', `Write '"A talk" again'.`]],
  ],
  [
    'an apostrophe in single quotes',
    talk('title: A talk', "title: 'Kim's talk'"),
    [['scenarios/talk.yaml:3:13', 'yaml.syntax', "The text ends at the second quote: 'Kim'.", `Write "Kim's talk".`]],
  ],
  [
    'one tab',
    talk('  hidden: [Kim knows already.]', '  hidden:\n    - Kim knows already.\n\t- Kim is tired.'),
    [['scenarios/talk.yaml:15:1', 'yaml.syntax', 'This line begins with a tab.', 'Indent with spaces: YAML does not count a tab.']],
  ],
  [
    'a file indented with tabs',
    talk02(['opening: {npc_says: "Yes?"}', 'opening:\n\tnpc_says: "Yes?"\n\temotion: warm']),
    [['scenarios/talk.yaml:12:1', 'yaml.syntax', 'This line begins with a tab, and so does line 13.', 'Indent with spaces: YAML does not count a tab.']],
  ],
  [
    'a number in quotes',
    talk('max_turns: 8', 'max_turns: "10"'),
    [['scenarios/talk.yaml:9:23', 'schema.scenario', 'duration.max_turns: This must be a number, but it is text.', 'Take the quotes away.']],
  ],
  [
    'no for false',
    in01('safety/policy.yaml', 'content_rating_cap: PG', 'content_rating_cap: PG\nallow_profanity: no'),
    [['safety/policy.yaml:5:18', 'schema.safety', 'allow_profanity: This must be true or false, but it is text.', 'Write false: YAML 1.2 knows no "no".']],
  ],
  [
    'yes for true',
    in01('npcs/kim.yaml', 'fictional: true', 'fictional: yes'),
    [['npcs/kim.yaml:5:12', 'schema.npc', 'fictional: This is not allowed here. Allowed: true.', 'Write true: YAML 1.2 knows no "yes".']],
  ],
  [
    'a duplicate key',
    talk('summary: The player talks with Kim.', 'summary: The player talks with Kim.\ntitle: Another talk'),
    [['scenarios/talk.yaml:5:1', 'yaml.duplicate-key', 'The key title is there twice: it stood first in line 3.', 'Keep one of the two.']],
  ],
  [
    'a duplicate id',
    talk02(['{id: says_sorry,', '{id: phone,']),
    [['scenarios/talk.yaml:26:10', 'schema.scenario', 'The id phone is there twice: in line 25 and in line 26.', 'Rename one of the two.']],
  ],
  [
    'a scenario_id of two files',
    { 'scenarios/walk.yaml': replaced('scenarios/talk.yaml', 'title: A talk', 'title: A walk') },
    [['scenarios/walk.yaml:2:14', 'schema.scenario', 'The scenario_id talk is there twice: here and in scenarios/talk.yaml, line 2.', 'Rename one of the two.']],
  ],
  [
    'the form of an id',
    in01('rubrics/basics.yaml', 'rubric_id: basics', 'rubric_id: The Basics'),
    [['rubrics/basics.yaml:2:12', 'schema.rubric', 'rubric_id: This must be 1 to 64 of a-z, 0-9 and _.', 'Write the_basics.']],
  ],
  [
    'the form of a version',
    in01('manifest.yaml', 'version: 1.2.3', 'version: v1.2'),
    [['manifest.yaml:4:10', 'schema.manifest', 'version: This must be three numbers, such as 1.0.0.', 'Write 1.2.0.']],
  ],
  [
    'the form of a licence',
    in01('manifest.yaml', 'license: CC-BY-4.0', 'license: CC BY 4.0'),
    [['manifest.yaml:7:10', 'schema.manifest', 'license: This must be an SPDX id, such as CC-BY-4.0.', 'Write CC-BY-4.0.']],
  ],
  [
    'the form of a pack_id',
    in01('manifest.yaml', 'pack_id: sample.pack', 'pack_id: Sample.Pack'),
    [['manifest.yaml:2:10', 'schema.manifest', 'pack_id: This must be parts of a-z, 0-9 and _ joined by dots.', 'Write sample.pack.']],
  ],
  [
    'a summary that is too long',
    talk('summary: The player talks with Kim.', `summary: ${'x'.repeat(512)}`),
    [['scenarios/talk.yaml:4:10', 'schema.scenario', 'summary: This text may have at most 500 characters; it has 512.', null]],
  ],
  [
    'a condition in words',
    talk('when: {type: max_turns, value: 3}', 'when: trust > 50'),
    [['scenarios/talk.yaml:24:23', 'schema.scenario', 'events[0].when: This must be a condition, but it is text.', 'Write {type: variable_above, variable: trust, threshold: 50}.']],
  ],
  [
    'a condition in words, at least',
    talk('success: {type: variable_above, variable: trust, threshold: 79}', 'success: trust >= 80'),
    [['scenarios/talk.yaml:27:12', 'schema.scenario', 'ending_conditions.success: This must be a condition, but it is text.', 'Write {type: variable_above, variable: trust, threshold: 79}.']],
  ],
  [
    'an unknown type of condition',
    talk('when: {type: max_turns, value: 3}', 'when: {type: variable_over, variable: trust, threshold: 60}'),
    [['scenarios/talk.yaml:24:30', 'schema.scenario', 'events[0].when.type: This is not allowed here. Allowed: variable_above, variable_below, max_turns, flag, no_flag, line.', 'Did you mean variable_above?']],
  ],
  [
    'a version that is a number',
    in01('manifest.yaml', 'version: 1.2.3', 'version: 1.0'),
    [['manifest.yaml:4:10', 'schema.manifest', 'version: This must be three numbers, such as 1.0.0, but it is a number.', 'Write "1.0.0", in quotes.']],
  ],
  ['a variable that is a bar', talk('    trust: 40', '    trust: 40\n    mood: {default: 10, visibility: visible}'), []],
]; // prettier-ignore

describe('point 21: lint says what to write', () => {
  let folder: TemporaryFolder;
  beforeEach(() => {
    folder = temporaryFolder('lint');
  });
  afterEach(() => folder.remove());

  const found = async (changes: Changes, severity?: Finding['severity']): Promise<Finding[]> => {
    const { findings } = await validatePack(writePack(path.join(folder.path, 'pack'), minimalPack(changes)));
    // The sample is published without its picture: that warning is no part of the mistake.
    return findings.filter(
      (one) => one.rule !== 'ref.missing-asset' && (severity === undefined || one.severity === severity),
    );
  };
  const told = (findings: readonly Finding[]): Told[] =>
    findings.map((one) => [`${one.file}:${one.line}:${one.column}`, one.rule, one.message, one.hint]);

  it.each(MISTAKES)('%s', async (name, changes, expected) => {
    // A picture of eight bytes is none: what is said of it is another test's.
    const findings = (await found(changes)).filter((one) => !one.file.startsWith('assets/'));
    expect([name, told(findings)]).toEqual([name, expected]);
  });

  it('a threshold out of reach: how far the variable comes, and what it takes', async () => {
    const slow = talk02(
      ['trust: 40', 'trust: {default: 40, max_delta_per_turn: 3}'],
      [
        '  options:\n    standard: {patience: 70, volatility: 50}\n    hard: {patience: 40, volatility: 80, label: A bad day}\n',
        '',
      ],
      ['difficulty:\n  default: standard\n', ''],
      ['threshold: 79', 'threshold: 70'],
    );
    expect(told(await found(slow))).toEqual([
      [
        'scenarios/talk.yaml:23:12',
        'lint.unreachable-ending',
        'The ending success cannot be reached within 8 turns: trust comes to at most 64 in 8 turns, and it needs above 70.',
        'Look at the start, the bounds and max_delta_per_turn of the variables that it asks for, and at the flags.',
      ],
    ]);
  });

  it('a threshold out of reach with one preset only, and one that a variable cannot fall below', async () => {
    const slow = talk02(
      ['trust: 40', 'trust: {default: 40, max_delta_per_turn: 4}'],
      ['threshold: 79', 'threshold: 74'],
      [
        'failure: {type: variable_above, variable: doubt, threshold: 90}',
        'failure: {type: variable_below, variable: trust, threshold: 2}',
      ],
      ['max_turns: 8', 'max_turns: 9'],
      ['visibility: hidden, ', ''],
    );
    // With standard 4 a turn both ways: 40 + 36 = 76 and 40 − 36 = 4. With hard 3 up and 5 down: 67 and 0.
    expect((await found(slow)).map((one) => one.message)).toEqual([
      'The ending success cannot be reached within 9 turns with hard: trust comes to at most 67 in 9 turns, and it needs above 74.',
      'The ending failure cannot be reached within 9 turns with standard: trust comes down to 4 at the lowest in 9 turns, and it needs below 2.',
    ]);
  });

  it('an ending that waits for too late a turn, or for an event that never comes', async () => {
    const late = talk02(
      ['success: {type: variable_above, variable: trust, threshold: 79}', 'timeout: {type: max_turns, value: 9}'],
      ['threshold: 90', 'threshold: 80'],
    );
    expect((await found(late)).map((one) => one.message)).toEqual([
      'The ending timeout cannot be reached within 8 turns: it waits for turn 9.',
    ]);
  });

  it('names each known thing once where it lists them', async () => {
    const twice = talk02(['{id: says_sorry,', '{id: phone,']);
    const script =
      'schema_version: "0.2"\nfixture_id: one\nscenario_id: talk\ndescription: D\nturns:\n  - {turn: 1, player_input: Hello, expect: {events: [thunderstorm]}}\n';
    const hints = (await found({ ...twice, 'tests/one.yaml': script }, 'error')).map((one) => one.hint);
    expect(hints).toContain('There is: phone.');
  });
});
