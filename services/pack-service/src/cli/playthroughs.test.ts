import path from 'node:path';
import { temporaryFolder, minimalPack, replaced, writePack, type TemporaryFolder } from '@parley/shared/testing';
import { UNPACK_FROM_SOURCES } from '../../testing/pack-service-fixture';
import { packsCommand } from './packs-command';

interface Told {
  valid: boolean;
  findings: {
    severity: string;
    rule: string;
    path: string;
    line: number;
    column: number;
    message: string;
    hint: string | null;
  }[];
  playthroughs: { result: string; reason: string | null; trace: Record<string, unknown>[] }[];
}

/** The sample in 0.2 with a move that trust asks for, and an ending with an id. */
const SCENARIO = replaced('scenarios/talk.yaml', 'schema_version: "0.1"', 'schema_version: "0.2"')
  .replace(
    'title: A talk',
    'title: A talk\nflags: {apology: Said sorry.}\nmoves:\n  - {id: owned_it, description: Says what they did., effect: {trust: 8}}',
  )
  .replace(
    /ending_conditions:[\s\S]*/,
    `endings:
  - {id: made_up, type: success, title: Made up, when: [{type: variable_above, variable: trust, threshold: 54}, {type: flag, flag_id: apology}]}
  - {id: doubts, type: failure, title: Doubts, when: [{type: variable_above, variable: doubt, threshold: 90}]}
`,
  );

const script = (...turns: string[]): string => `schema_version: "0.2"
fixture_id: one
scenario_id: talk
description: D
turns:
${turns.map((turn, index) => `  - {turn: ${index + 1}, player_input: Hello, ${turn}}\n`).join('')}`;

describe('point 22: scripted playthroughs', () => {
  let folder: TemporaryFolder;
  let out: string;
  let err: string;
  beforeEach(() => {
    folder = temporaryFolder('playthroughs');
  });
  afterEach(() => folder.remove());

  const run = (command: string, files: Parameters<typeof minimalPack>[0], ...options: string[]): Promise<number> => {
    out = '';
    err = '';
    const at = writePack(path.join(folder.path, 'pack'), minimalPack({ 'scenarios/talk.yaml': SCENARIO, ...files }));
    const write = { stdout: (text: string) => (out += text), stderr: (text: string) => (err += text) };
    return packsCommand([command, at, ...options], write, UNPACK_FROM_SOURCES);
  };
  const told = async (command: string, files: Parameters<typeof minimalPack>[0]): Promise<Told & { exit: number }> => {
    const exit = await run(command, files, '--json');
    const [pack] = (JSON.parse(out) as { packs: Told[] }).packs;
    if (pack === undefined) throw new Error('no pack');
    return { ...pack, exit };
  };

  describe('name only what there is', () => {
    it.each<[string, string, string, string, string, string | null]>([
      ['flag', 'npc: {npc_utterance: Hi., event_flags: [apologi]}', 'ref.unknown', 'turns[0].npc.event_flags[0]', 'There is no flag or move apologi.', 'Did you mean apology?'],
      ['flag that the engine raises', 'npc: {npc_utterance: Hi., event_flags: [phone]}', 'ref.unknown', 'turns[0].npc.event_flags[0]', 'phone is an event: the engine raises it, not the model.', 'Name it in expect.events.'],
      ['variable', 'npc: {npc_utterance: Hi., state_delta: {trist: 5}}', 'ref.unknown', 'turns[0].npc.state_delta.trist', 'There is no variable trist.', 'Did you mean trust?'],
      ['emotion', 'npc: {npc_utterance: Hi., npc_emotion: wram}', 'ref.unknown', 'turns[0].npc.npc_emotion', 'There is no emotion wram.', 'Did you mean warm?'],
      ['dimension', 'npc: {npc_utterance: Hi., rubric_observations: [{dimension: clarty, delta: 2, note: x}]}', 'ref.unknown', 'turns[0].npc.rubric_observations[0].dimension', 'There is no dimension clarty.', 'Did you mean clarity?'],
      ['member', 'npc: {npc_utterance: Hi., state_deltas: {trust: 5}}', 'schema.tests', 'turns[0].npc.state_deltas', 'The member state_deltas is not known here.', 'Did you mean state_delta?'],
      ['member of an observation', 'npc: {npc_utterance: Hi., rubric_observations: [{dimension: clarity, delta: 2, nota: x}]}', 'schema.tests', 'turns[0].npc.rubric_observations[0].nota', 'The member nota is not known here.', 'Did you mean note?'],
      ['observation beyond its bounds', 'npc: {npc_utterance: Hi., rubric_observations: [{dimension: clarity, delta: 12, note: x}]}', 'schema.tests', 'turns[0].npc.rubric_observations[0].delta', 'turns[0].npc.rubric_observations[0].delta: This must be at most 10.', null],
      ['expected change', 'npc: {npc_utterance: Hi.}, expect: {state_delta_contains: [trist]}', 'ref.unknown', 'turns[0].expect.state_delta_contains[0]', 'There is no variable trist.', 'Did you mean trust?'],
      ['unexpected emotion', 'npc: {npc_utterance: Hi.}, expect: {npc_emotion_not: [angry, wram]}', 'ref.unknown', 'turns[0].expect.npc_emotion_not[1]', 'There is no emotion wram.', 'Did you mean warm?'],
      ['unexpected emotion alone', 'npc: {npc_utterance: Hi.}, expect: {npc_emotion_not: wram}', 'ref.unknown', 'turns[0].expect.npc_emotion_not', 'There is no emotion wram.', 'Did you mean warm?'],
      ['flag in the text of an output', `npc: '{"npc_utterance": "Hi.", "event_flags": ["apologi"]}'`, 'ref.unknown', 'turns[0].npc', 'There is no flag or move apologi.', 'Did you mean apology?'],
      ['member in the text of an output', `npc: '{"npc_utterance": "Hi.", "state_deltas": {"trust": 5}}'`, 'schema.tests', 'turns[0].npc', 'The member state_deltas is not known here.', 'Did you mean state_delta?'],
    ])('an unknown %s is an error for lint and for test', async (_name, turn, rule, member, message, hint) => {
      for (const command of ['lint', 'test']) {
        const { findings, exit } = await told(command, { 'tests/one.yaml': script(turn) });
        const errors = findings.filter((one) => one.severity === 'error');
        expect(errors.map((one) => [one.rule, one.path, one.message, one.hint])).toEqual([[rule, member, message, hint]]);
        expect(errors[0]?.line).toBe(6);
        expect(exit).toBe(1);
      }
    }); // prettier-ignore

    it('names of emotions are taken as the engine takes them, whatever their case', async () => {
      const { exit } = await told('test', { 'tests/one.yaml': script('npc: {npc_utterance: Hi., npc_emotion: Warm}') });
      expect(exit).toBe(0);
    });

    it('scripts of 0.1 are imported as before', async () => {
      const older =
        'schema_version: "0.1"\nfixture_id: one\nscenario_id: talk\ndescription: D\nturns:\n  - {turn: 1, player_input: Hello, expect: {state_delta_contains: [trist], npc_emotion_not: wram}}\n  - {turn: 2, player_input: Hello}\n';
      const { findings, exit } = await told('lint', { 'tests/one.yaml': older });
      expect(findings.filter((one) => one.path?.startsWith('turns'))).toEqual([]);
      expect(exit).toBe(0);
    });
  });

  describe('say why they fail', () => {
    const failing = script(
      'npc: {npc_utterance: Hi., npc_emotion: warm, state_delta: {trust: 25, doubt: -90}, event_flags: [owned_it]}',
      'npc: {npc_utterance: Hm., npc_emotion: warm, state_delta: {trust: 9, patience: -4}}, expect: {state_vars: {trust: 69}, ending: made_up}',
    );

    it('with the turn, every variable before and after, and what was dropped and why', async () => {
      expect(await run('test', { 'tests/one.yaml': failing })).toBe(1);
      expect(out).toContain('Turn 2, state_vars.trust: expected 69, but it is 48.');
      expect(out).toContain(
        'Turn 2, ending: expected "made_up", but it is null: trust is 48 and must be above 54, and the flag apology was not raised.',
      );
      expect(err).toBe(`one: FAILED (2 turns, no ending)
  Turn 1: Hello
    state_delta trust +25: dropped, only moves of the player earn it: owned_it
    state_delta doubt -90: kept -15, the most in a turn with standard
  Turn 2: Hello
    trust               48 -> 48
    patience            70 -> 66
    pressure            25 -> 25
    rapport             50 -> 50
    openness            50 -> 50
    objective_progress   0 -> 0
    doubt               45 -> 45
    raised: nothing; fired: nothing
    state_delta trust +9: dropped, only moves of the player earn it: owned_it
1 playthrough: 0 passed, 1 failed, 0 skipped.
`);
    });

    it('in the JSON form, turn by turn', async () => {
      const { playthroughs } = await told('test', { 'tests/one.yaml': failing });
      expect(playthroughs[0]).toMatchObject({
        result: 'failed',
        trace: [
          {
            turn: 1,
            failed: false,
            variables: {
              trust: { before: 40, after: 48 },
              doubt: { before: 60, after: 45 },
              patience: { before: 70, after: 70 },
            },
            raised: ['owned_it'],
            fired: [],
            ending: null,
          },
          {
            turn: 2,
            failed: true,
            variables: { trust: { before: 48, after: 48 } },
            dropped: [{ what: 'state_delta trust +9' }],
          },
        ],
      });
    });

    it('with a variable that reached its bound, an observation that was cut and an output that was none', async () => {
      const turns = script(
        'npc: {npc_utterance: Hi., npc_emotion: warm, event_flags: [owned_it], state_delta: {rapport: 25}}',
        'npc: {npc_utterance: Hi., npc_emotion: warm, event_flags: [owned_it], state_delta: {rapport: 25}, rubric_observations: [{dimension: clarity, delta: 8, note: a}, {dimension: clarity, delta: 6, note: b}]}',
        'npc: {npc_utterance: Hi., npc_emotion: warm, event_flags: [owned_it], state_delta: {rapport: 25}}',
        'npc: {npc_utterance: Hi., npc_emotion: warm, event_flags: [owned_it], state_delta: {rapport: 25}}',
        `npc: '{"nothing": 1', expect: {ending: doubts}`,
      );
      expect(await run('test', { 'tests/one.yaml': turns })).toBe(1);
      expect(err).toContain('  Turn 4: Hello\n    state_delta rapport +25: kept 0, rapport ends at 100\n');
      expect(err).toContain('rubric_observations clarity +6: kept +2, the most in a turn is 10\n');
      expect(err).toContain('    the whole output: dropped, it holds no JSON; the fixed line stood in\n');
      expect(out).toContain('expected "doubts", but it is null: doubt is 60 and must be above 90.');
    });

    it('and what an ending still lacked', async () => {
      const turn =
        'npc: {npc_utterance: Hi., npc_emotion: warm, event_flags: [owned_it, apology], state_delta: {trust: 14}}, expect: {ending: success}';
      expect(await run('test', { 'tests/one.yaml': script(turn) })).toBe(1);
      expect(out).toContain('Turn 1, ending: expected "success", but it is null: trust is 48 and must be above 54.');
    });
  });

  describe('are whole, or for runs with a model', () => {
    it('a turn without npc is an error where another has one', async () => {
      const { findings, exit } = await told('lint', {
        'tests/one.yaml': script('npc: {npc_utterance: Hi.}', 'expect: {flow_state: PlayerTurnListening}'),
      });
      expect(findings.filter((one) => one.severity === 'error')).toEqual([
        expect.objectContaining({
          rule: 'schema.tests',
          path: 'turns[1]',
          line: 7,
          column: 5,
          message: 'This turn has no npc, but others of the script have one.',
          hint: "Write the model's output for it, or take npc out of every turn: then the script waits for a model.",
        }),
      ]);
      expect(exit).toBe(1);
    });

    const silent = script('expect: {flow_state: PlayerTurnListening}');
    const played = script('npc: {npc_utterance: Hi., npc_emotion: warm}').replace('fixture_id: one', 'fixture_id: two');

    it('scripts that were skipped are counted, and fail only with --strict', async () => {
      const files = { 'tests/one.yaml': silent, 'tests/two.yaml': played };
      expect(await run('test', files)).toBe(0);
      expect(err).toContain('one: not played: it needs a model\n');
      expect(err).toMatch(/2 playthroughs: 1 passed, 0 failed, 1 skipped\.\n$/);
      expect(await run('test', files, '--strict')).toBe(1);
      expect(err).toMatch(
        /2 playthroughs: 1 passed, 0 failed, 1 skipped\.\n--strict: a skipped playthrough is an error\.\n$/,
      );
      expect(await run('test', { 'tests/one.yaml': played }, '--strict')).toBe(0);
    });

    it('a script without a scenario, and one of a pack with errors, are skipped too, and say so', async () => {
      const older = 'schema_version: "0.1"\nfixture_id: one\nscenario_id: talk_two\ndescription: D\nturns: []\n';
      expect(await told('test', { 'tests/one.yaml': older })).toMatchObject({
        exit: 0,
        playthroughs: [{ result: 'skipped', reason: 'no_scenario' }],
      });
      expect(await run('test', { 'tests/one.yaml': older })).toBe(0);
      expect(err).toContain('one: not played: its scenario is not there\n');
      const broken = { 'tests/one.yaml': played, 'scenes/room.yaml': 'schema_version: "0.1"\n' };
      expect(await told('test', broken)).toMatchObject({
        exit: 1,
        playthroughs: [{ result: 'skipped', reason: 'pack_has_errors' }],
      });
    });
  });
});
