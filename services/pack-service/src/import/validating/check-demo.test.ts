import path from 'node:path';
import { temporaryFolder, minimalPack, replaced, writePack, type TemporaryFolder } from '@parley/shared/testing';
import { validatePack } from './validate-pack';

const scenario = (...demo: string[]): string =>
  replaced('scenarios/talk.yaml', 'schema_version: "0.1"', 'schema_version: "0.2"')
    .replace(
      'title: A talk',
      `title: A talk
flags: {apology: {meaning: Said sorry., signs: [{says: [sorry]}]}, silence: Said nothing.}
moves:
  - {id: owned_it, description: Says what they did., effect: {trust: 8}, signs: [{says: [my part]}]}`,
    )
    .replace(
      /ending_conditions:[\s\S]*/,
      `endings:
  - {id: made_up, type: success, title: Made up, when: [{type: variable_above, variable: trust, threshold: 54}, {type: flag, flag_id: apology}]}
demo:
${demo.map((line) => `  - ${line}\n`).join('')}`,
    );

describe('the lines of the demo voice', () => {
  let folder: TemporaryFolder;
  beforeEach(() => {
    folder = temporaryFolder('demo-lines');
  });
  afterEach(() => folder.remove());

  async function found(...demo: string[]): Promise<(string | null)[][]> {
    const at = writePack(path.join(folder.path, 'pack'), minimalPack({ 'scenarios/talk.yaml': scenario(...demo) }));
    const { findings } = await validatePack(at);
    return findings
      .filter((one) => one.path?.startsWith('demo'))
      .map(({ severity, rule, path: member, message, hint }) => [severity, rule, member, message, hint]);
  }

  it('may answer moves, flags and events, with conditions, and fill in', async () => {
    expect(
      await found(
        '{after: owned_it, says: One., emotion: warm}',
        '{after: owned_it, says: Two.}',
        '{after: apology, when: {type: no_flag, flag_id: owned_it}, says: Three.}',
        '{after: phone, signs: [{question: any}], says: Asked.}',
        '{after: phone, signs: [{says: [phone]}], says: Named.}',
        '{after: phone, says: Four.}',
        '{after: says_sorry, says: Five.}',
        '{after: says_sorry, says: Six.}',
        '{when: [{type: variable_above, variable: trust, threshold: 40}, {type: variable_below, variable: trust, threshold: 42}], says: Seven.}',
        '{when: {type: line, value: 8}, says: Eight.}',
        '{otherwise: true, says: Nine.}',
        '{otherwise: true, says: Ten.}',
      ),
    ).toEqual([]);
  });

  it.each<[string, string[], string, string, string | null]>([
    ['names nothing', ['{after: ownd_it, says: A.}'], 'demo[0].after', 'There is no move, flag or event ownd_it.', 'Did you mean owned_it?'],
    ['has a feeling that the character has not', ['{says: A., emotion: wram}'], 'demo[0].emotion', 'There is no emotion wram.', 'Did you mean warm?'],
    ['is there twice', ['{says: A.}', '{otherwise: true, says: "A. "}'], 'demo[1].says', 'The demo says this in demo[0] already.', 'Say it in other words.'],
    ['answers and waits', ['{after: owned_it, otherwise: true, says: A.}'], 'demo[0].otherwise', 'This line answers owned_it and waits until nothing fits, at once.', 'Leave out after or otherwise.'],
    ['comes after the end', ['{when: {type: line, value: 9}, says: A.}'], 'demo[0]', 'This line is never said: the talk has 8 lines, not 9.', 'Change its conditions, or take it out.'],
    ['asks for a value beyond its bounds', ['{when: {type: variable_above, variable: trust, threshold: 100}, says: A.}'], 'demo[0]', 'This line is never said: trust is never above 100.', 'Change its conditions, or take it out.'],
    ['contradicts itself', ['{when: [{type: flag, flag_id: apology}, {type: no_flag, flag_id: apology}], says: A.}'], 'demo[0]', 'This line is never said: apology cannot be raised and not raised.', 'Change its conditions, or take it out.'],
    ['asks for a value between two neighbours', ['{when: [{type: variable_above, variable: trust, threshold: 40}, {type: variable_below, variable: trust, threshold: 41}], says: A.}'], 'demo[0]', 'This line is never said: no value of trust is above 40 and below 41.', 'Change its conditions, or take it out.'],
    ['denies what it answers', ['{after: phone, when: {type: no_flag, flag_id: phone}, says: A.}'], 'demo[0]', 'This line is never said: phone is raised once it has happened.', 'Change its conditions, or take it out.'],
    ['is second to one event with the same signs', ['{after: phone, signs: [{says: [ring]}], says: A.}', '{after: phone, signs: [{says: [ring]}], when: {type: flag, flag_id: apology}, says: B.}'], 'demo[1]', 'This line is never said: demo[0] fits whenever it does and comes first.', 'Move it up, or ask for more in when before it.'],
    ['is second to one event', ['{after: phone, says: A.}', '{after: phone, when: {type: flag, flag_id: apology}, says: B.}'], 'demo[1]', 'This line is never said: demo[0] fits whenever it does and comes first.', 'Move it up, or ask for more in when before it.'],
  ])('a line that %s is an error', async (_name, demo, member, message, hint) => {
    const findings = await found(...demo);
    expect(findings.map(([severity, , ...rest]) => [severity, ...rest])).toEqual([['error', member, message, hint]]);
  }); // prettier-ignore

  it('a line that only a model could place is a warning', async () => {
    expect(await found('{after: silence, says: A.}')).toEqual([
      [
        'warning',
        'lint.demo',
        'demo[0].after',
        'silence has no signs: without a model nobody can tell when it happened, and this line is never said.',
        'Give silence signs, or let the line answer something else.',
      ],
    ]);
  });
});
