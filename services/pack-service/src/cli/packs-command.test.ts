import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder, minimalPack, replaced, writePack, type TemporaryFolder } from '@parley/shared/testing';
import { zipOfPack } from '../../testing/zip-bytes';
import { BUILT_IN_IDS, BUILT_IN_PACKS, UNPACK_FROM_SOURCES } from '../../testing/pack-service-fixture';
import { packsCommand } from './packs-command';

describe('the pack commands', () => {
  let folder: TemporaryFolder;
  let out: string;
  let err: string;
  beforeEach(() => {
    folder = temporaryFolder('packs-command');
    out = '';
    err = '';
  });
  afterEach(() => folder.remove());

  const run = (...argv: string[]): Promise<number> => {
    out = '';
    err = '';
    return packsCommand(
      argv,
      { stdout: (text) => (out += text), stderr: (text) => (err += text) },
      UNPACK_FROM_SOURCES,
    );
  };
  const pack = (changes: Parameters<typeof minimalPack>[0] = {}, name = 'sample') =>
    writePack(path.join(folder.path, name), minimalPack(changes));
  const broken = () =>
    pack({ 'scenarios/talk.yaml': replaced('scenarios/talk.yaml', 'title: A talk', 'titel: A, talk: 100%') }, 'broken');

  describe('lint', () => {
    it('exits with 0 on warnings only and says how soon the endings can come', async () => {
      const at = pack();
      expect(await run('lint', at)).toBe(0);
      expect(out).toBe(
        `${at}/npcs/kim.yaml:7:11 warning ref.missing-asset There is no file assets/kim.png; the page will do without.\n    Put the file there, or leave the member out.\n`,
      );
      expect(err).toContain('sample.pack.talk: success (standard) after 2 turns at the earliest\n');
      expect(err).toMatch(/1 pack: 0 errors, 1 warning\.\n$/);
    });

    it('exits with 1 on errors', async () => {
      expect(await run('lint', broken())).toBe(1);
      expect(out).toContain('broken/scenarios/talk.yaml:3:8 error');
    });

    it.each([
      [['lint']],
      [['lint', '/nowhere/at/all']],
      [['lnt', '.']],
      [['lint', '.', '--format', 'xml']],
      [['lint', '--colour', '.']],
    ])('exits with 2 when it is called as %j', async (argv) => {
      expect(await run(...argv)).toBe(2);
      expect(out).toBe('');
      expect(err).not.toBe('');
    });

    it('exits with 0 after help', async () => {
      expect(await run('--help')).toBe(0);
      expect(out).toContain('lint');
    });

    it('reads zips, and folders of packs', async () => {
      const zip = path.join(folder.path, 'pack.zip');
      writeFileSync(zip, zipOfPack(minimalPack({ 'assets/a.exe': 'x' })));
      expect(await run('lint', zip)).toBe(1);
      expect(out).toContain('pack.zip/assets/a.exe:1:1 error file.forbidden-extension');
      pack({}, 'several/one');
      pack({}, 'several/two');
      expect(await run('lint', path.join(folder.path, 'several'))).toBe(0);
      expect(err).toContain('2 packs: 0 errors, 2 warnings.');
    });

    it('writes JSON, SARIF and GitHub annotations', async () => {
      const at = broken();
      expect(await run('lint', at, '--json')).toBe(1);
      const [first] = (JSON.parse(out) as { packs: { valid: boolean; findings: { rule: string }[] }[] }).packs;
      expect(first).toMatchObject({ path: at, valid: false });
      const rules = first?.findings.map((one) => one.rule) ?? [];
      expect(rules).toContain('yaml.syntax');
      await run('lint', at, '-f', 'sarif');
      const sarif = JSON.parse(out) as {
        version: string;
        runs: { results: unknown[]; tool: { driver: { rules: { id: string; helpUri: string }[] } } }[];
      };
      expect(sarif.version).toBe('2.1.0');
      expect(sarif.runs[0]?.results).toHaveLength(rules.length);
      const told = sarif.runs[0]?.tool.driver.rules ?? [];
      expect(told.map(({ id }) => id)).toEqual([...new Set(rules)].sort());
      for (const { id, helpUri } of told) {
        // A viewer on this machine opens it as it stands: the file is there, and has the anchor.
        expect(helpUri).toMatch(/^file:\/\/\//);
        expect(readFileSync(new URL(helpUri), 'utf8')).toContain(
          `id="${decodeURIComponent(new URL(helpUri).hash.slice(1))}"`,
        );
        expect(decodeURIComponent(new URL(helpUri).hash)).toBe(`#${id}`);
      }
      await run('lint', at, '-f', 'sarif', '--rules-url', 'https://docs.example.org/rules.html#top');
      expect(out).toContain('"helpUri": "https://docs.example.org/rules.html#yaml.syntax"');
      expect(out).not.toContain('file:///');
      await run('lint', at);
      expect(err).toMatch(/^What each rule means: file:\/\/\/\S+rules\.html#[\w.-]+$/m);
      await run('lint', at, '-f', 'github');
      expect(out.trim().split('\n')).toHaveLength(rules.length);
      expect(out).toMatch(/^::error file=\S+broken\/\S+,line=\d+,col=\d+,title=[\w.-]+::/m);
    });
  });

  describe('test', () => {
    it.each(BUILT_IN_IDS)('plays the scripts of the built-in pack %s to an ending of each type', async (name) => {
      expect(await run('test', path.join(BUILT_IN_PACKS, name), '--json')).toBe(0);
      const [report] = (JSON.parse(out) as { packs: { playthroughs: { result: string; ending: string }[] }[] }).packs;
      const { playthroughs = [] } = report ?? {};
      expect(playthroughs.length).toBeGreaterThanOrEqual(3);
      expect(playthroughs.filter((one) => one.result !== 'passed')).toEqual([]);
      expect(new Set(playthroughs.map((one) => one.ending)).size).toBeGreaterThanOrEqual(3);
    });

    const script = (expectation: string, turns = '') => ({
      'scenarios/talk.yaml': replaced('scenarios/talk.yaml', 'schema_version: "0.1"', 'schema_version: "0.2"').replace(
        'title: A talk',
        'title: A talk\nflags: {apology: Said sorry.}',
      ),
      'tests/one.yaml': `schema_version: "0.2"
fixture_id: one
scenario_id: talk
description: D
turns:
  - turn: 1
    player_input: Hello
    npc: {npc_utterance: Hi., npc_emotion: warm, state_delta: {trust: 15, doubt: -90}, event_flags: [apology]}
    expect: ${expectation}
${turns}`,
    });

    it('finds that a script comes out as expected', async () => {
      const all =
        '{state_vars: {trust: 55, doubt: 45}, flags: [apology], events: [says_sorry], ending: null, flow_state: PlayerTurnListening, state_delta_contains: [trust], npc_emotion_not: angry, session_control: continue_session, safety_status: ok}';
      expect(await run('test', pack(script(all)))).toBe(0);
      expect(err).toContain('one: ok (1 turn, no ending)');
    });

    it.each([
      ['{state_vars: {trust: 56}}', 'turns[0].expect.state_vars.trust', '9:34'],
      ['{events: [phone]}', 'turns[0].expect.events[0]', '9:23'],
      ['{ending: success}', 'turns[0].expect.ending', '9:22'],
      ['{flow_state: Ended}', 'turns[0].expect.flow_state', '9:26'],
      ['{state_delta_contains: [patience]}', 'turns[0].expect.state_delta_contains[0]', '9:37'],
      ['{npc_emotion_not: [warm]}', 'turns[0].expect.npc_emotion_not', '9:31'],
      ['{safety_status: stop}', 'turns[0].expect.safety_status', '9:29'],
    ])('finds that %s does not hold, and says where', async (expectation, member, place) => {
      const at = pack(script(expectation));
      expect(await run('test', at, '--json')).toBe(1);
      const [report] = (
        JSON.parse(out) as { packs: { findings: { rule: string; path: string; line: number; column: number }[] }[] }
      ).packs;
      expect(report?.findings.map((one) => [one.rule, one.path, `${one.line}:${one.column}`])).toEqual([
        ['test.expectation', member, place],
      ]);
    });

    it('says when a script goes on after the ending', async () => {
      const turns = Array.from(
        { length: 3 },
        (_, index) =>
          `  - {turn: ${index + 2}, player_input: More, npc: {npc_utterance: Yes., state_delta: {trust: 20}}}\n`,
      ).join('');
      expect(await run('test', pack(script('{}', turns)))).toBe(1);
      expect(out).toContain('The talk has ended with success before this turn.');
    });

    it('leaves scripts without the output of a model for runs with one', async () => {
      const only = {
        'tests/one.yaml':
          'schema_version: "0.1"\nfixture_id: one\nscenario_id: talk\ndescription: D\nturns:\n  - {turn: 1, player_input: Hello}\n',
      };
      expect(await run('test', pack(only))).toBe(0);
      expect(err).toContain('one: not played: it needs a model');
    });
  });
});
