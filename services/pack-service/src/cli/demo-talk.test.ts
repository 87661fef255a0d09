import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder, minimalPack, replaced, writePack, type TemporaryFolder } from '@parley/shared/testing';
import { UNPACK_FROM_SOURCES } from '../../testing/pack-service-fixture';
import { packsCommand } from './packs-command';

const SCENARIO = replaced('scenarios/talk.yaml', 'schema_version: "0.1"', 'schema_version: "0.2"')
  .replace(
    'title: A talk',
    `title: A talk
moves:
  - {id: owned_it, description: Says what they did., effect: {trust: 8}, signs: [{says: [my part]}]}`,
  )
  .replace('  - {id: says_sorry, when: {type: flag, flag_id: apology}, npc_instruction: Soften., repeat: true}\n', '')
  .replace(
    /ending_conditions:[\s\S]*/,
    `endings:
  - {id: made_up, type: success, title: Made up, when: [{type: variable_above, variable: trust, threshold: 54}]}
demo:
  - {after: owned_it, says: You said it., emotion: warm}
  - {after: owned_it, says: You said it again.}
  - {after: phone, says: It was only my sister.}
  - {otherwise: true, says: Hm.}
`,
  );

const SCRIPT = `schema_version: "0.2"
fixture_id: owner
scenario_id: talk
description: D
turns:
  - {turn: 1, player_input: Hello Kim.}
  - {turn: 2, player_input: That was my part.}
  - {turn: 3, player_input: Nice weather today.}
  - {turn: 4, player_input: Who was that?}
  - {turn: 5, player_input: And another thing.}
  - {turn: 6, player_input: "Really, it was all my part."}
  - {turn: 7, player_input: Are we friends?}
`;

describe('packs test --demo', () => {
  let folder: TemporaryFolder;
  let out: string;
  let err: string;
  beforeEach(() => {
    folder = temporaryFolder('demo-talks');
  });
  afterEach(() => folder.remove());

  const run = (files: Parameters<typeof minimalPack>[0], ...options: string[]): Promise<number> => {
    out = '';
    err = '';
    const at = writePack(path.join(folder.path, 'pack'), minimalPack({ 'scenarios/talk.yaml': SCENARIO, ...files }));
    const write = { stdout: (text: string) => (out += text), stderr: (text: string) => (err += text) };
    return packsCommand(['test', at, '--demo', ...options], write, UNPACK_FROM_SOURCES);
  };

  it('prints what was said, what each line showed, which line answered and why, and what happened', async () => {
    expect(await run({ 'tests/owner.yaml': SCRIPT })).toBe(0);
    expect(out).toContain('## talk, standard: owner\n');
    expect(out).toContain('1. You: Hello Kim.\n     shows: nothing\n   Kim [');
    expect(out).toMatch(/\]: Hm\.\n {5}demo\[3\], otherwise\n/);
    expect(out).toContain(
      '2. You: That was my part.\n     shows: owned_it ("my part")\n   Kim [warm]: You said it.\n     demo[0], after owned_it\n',
    );
    expect(out).toContain('     * phone\n');
    expect(out).toMatch(/4\. You: Who was that\?\n {5}shows: nothing\n {5}after: phone\n.*It was only my sister\./);
    expect(out).toContain('canned: no line of demo was left that fits');
    expect(out).toContain('You said it again.');
    expect(err).toMatch(/^talk: 4 of 4 demo lines were said; \d answers were not from demo\.\n$/);
  });

  it('plays the lines of a file at a difficulty, to the end of the talk', async () => {
    const lines = path.join(folder.path, 'lines.txt');
    const said = [
      'That was my part.',
      '',
      'My part, too.',
      ...Array.from({ length: 9 }, (_unused, at) => `Line ${at}.`),
    ];
    writeFileSync(lines, said.join('\r\n'));
    expect(await run({}, '--lines', lines, '--difficulty', 'hard', '--json')).toBe(0);
    const [talk] = (
      JSON.parse(out) as {
        talks: {
          difficulty: string;
          from: string;
          ending: string;
          unused: number;
          turns: { demo_line: number | null; npc: string }[];
        }[];
      }
    ).talks;
    expect(talk).toMatchObject({ difficulty: 'hard', from: 'the given lines', ending: 'timeout', unused: 3 });
    expect(talk?.turns.slice(0, 2).map(({ demo_line: place, npc }) => [place, npc])).toEqual([
      [0, 'You said it.'],
      [1, 'You said it again.'],
    ]);
    expect(err).toBe('talk: 4 of 4 demo lines were said; 4 answers were not from demo.\n');
    expect(await run({}, '--lines', lines, '--difficulty', 'warm')).toBe(0);
    writeFileSync(lines, 'Hello.\n');
    expect(await run({}, '--lines', lines)).toBe(0);
    expect(err).toContain('Not said in these talks: demo[0], demo[1], demo[2].');
  });

  it('says what is missing: lines, scripts, or a pack without errors', async () => {
    expect(await run({}, '--lines', path.join(folder.path, 'none.txt'))).toBe(2);
    expect(err).toContain('none.txt cannot be read: write what the player says, one line a row.');
    expect(await run({})).toBe(1);
    expect(err).toContain('has no scripts in tests/; name a file with --lines.');
    expect(await run({ 'tests/owner.yaml': SCRIPT, 'scenes/room.yaml': 'schema_version: "0.1"\n' })).toBe(1);
    expect(err).toContain('has errors: lint it first.');
  });
});
