import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Draft, DraftCheck, DraftTalk, DraftTalkRequest, ScenarioContent } from '@parley/shared/contracts';
import { temporaryFolder, type TemporaryFolder } from '@parley/shared/testing';
import { packFromForm } from '../authoring/pack-from-form';
import { writePackFiles } from '../authoring/write-pack';
import { packServiceFixture } from '../../testing/pack-service-fixture';
import { playDraftTalk } from './draft-talk';
import { inspectDraft } from './inspect-draft';

const FORM = {
  who: 'Marta, my team lead',
  want: 'work from home on Fridays',
  need: 'that somebody is there when a customer calls',
};
const SCENARIO = 'a_talk_with_marta';
const asked = (...lines: string[]) => lines.map((player_input) => ({ player_input, npc: null }));
const nobody = () => Promise.reject(new Error('nobody may be asked'));

describe('a talk with the character of a draft', () => {
  let folder: TemporaryFolder;
  let contents: readonly ScenarioContent[];
  beforeAll(async () => {
    folder = temporaryFolder('talk');
    await writePackFiles(path.join(folder.path, 'pack'), packFromForm(FORM));
    ({ contents } = await inspectDraft(path.join(folder.path, 'pack')));
  });
  afterAll(() => folder.remove());
  const talk = (request: Partial<DraftTalkRequest>, ask = nobody as Parameters<typeof playDraftTalk>[2]) =>
    playDraftTalk(contents, { scenario_id: SCENARIO, voice: 'demo', turns: [], ...request }, ask);

  it('begins at the opening, or in the state that is set, inside the bounds', async () => {
    expect(await talk({})).toMatchObject({ npc_name: 'Marta', turns: [], ending: null, prompt: [] });
    const set = await talk({ start: { state_vars: { patience: 22, trust: 100 }, flags: ['said_it'], line: 6 } });
    expect(set.state_vars).toMatchObject({ patience: 22, trust: 100, objective_progress: 0 });
  });

  it('answers with the demo voice, says why, and shows the prompt', async () => {
    const { turns, prompt, prompt_tokens: tokens } = await talk({ turns: asked('What would worry you about it?') });
    expect(turns[0]).toMatchObject({ showed: [{ id: 'asked_open' }], raised: ['asked_open'] });
    expect(turns[0]?.npc_says).toContain('somebody is there when a customer calls');
    expect(turns[0]?.because).toMatch(/^demo\[\d+\]$/);
    expect(prompt.at(-1)?.content).toContain('What would worry you about it?');
    expect(tokens).toBeGreaterThan(500);
  });

  it('goes on from the state that is set: one line is enough for an ending that is near', async () => {
    const near = { state_vars: { objective_progress: 70 }, flags: ['said_it'], line: 5 };
    const line = "Let's look at it again on Friday at ten. Does that work for you?";
    expect((await talk({ turns: asked(line) })).ending).toBeNull();
    expect((await talk({ start: near, turns: asked(line, 'And then?') })).ending).toBe('a_next_step');
    expect((await talk({ start: near, turns: asked(line, 'And then?') })).turns).toHaveLength(1);
    expect((await talk({ start: { line: 9 }, turns: asked('Well.') })).ending).toBe('out_of_time');
  });

  it('asks the model for what has no answer yet, and takes over what it answered before', async () => {
    const output = '{"npc_utterance":"No.","npc_emotion":"neutral","state_delta":{"patience":-3}}';
    const prompts: string[] = [];
    const ask: Parameters<typeof playDraftTalk>[2] = ({ messages }, schema) => {
      expect(schema['type']).toBe('object');
      prompts.push(JSON.stringify(messages));
      return Promise.resolve(output);
    };
    const first = await talk({ voice: 'model', turns: asked('May I ask something?') }, ask);
    expect(first.turns[0]).toMatchObject({ npc: output, npc_says: 'No.', because: null, state_vars: { patience: 62 } });
    const turns = [{ player_input: 'May I ask something?', npc: output }, ...asked('Why not?')];
    const second = await talk({ voice: 'model', turns }, ask);
    expect(second.turns).toHaveLength(2);
    expect(prompts).toHaveLength(2);
    expect(prompts[1]).toContain('Why not?');
  });

  it('refuses a state that the scenario does not have, and a scenario that the draft has not', async () => {
    await expect(Promise.resolve().then(() => talk({ start: { state_vars: { luck: 5 } } }))).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    await expect(Promise.resolve().then(() => talk({ start: { flags: ['flew'] } }))).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    await expect(Promise.resolve().then(() => talk({ scenario_id: 'other' }))).rejects.toMatchObject({
      code: 'SCENARIO_NOT_FOUND',
    });
  });
});

describe('recording a talk', () => {
  const set = packServiceFixture();

  it('writes a playthrough from a set state that comes out as it was played', async () => {
    await set.start();
    const draft = (await set.json('/api/workbench/drafts', { form: FORM })).body as unknown as Draft;
    const at = `/api/workbench/drafts/${draft.draft_id}`;
    const request = {
      scenario_id: SCENARIO,
      voice: 'demo',
      start: { state_vars: { patience: 40 }, flags: ['said_it'], line: 6 },
      turns: asked('What would worry you about it?', 'I hear that. What if we try it for a month?'),
    };
    const played = (await set.json(`${at}/talk`, request)).body as unknown as DraftTalk;
    expect(played.turns).toHaveLength(2);
    const record = { ...request, fixture_id: 'late_ask', description: 'Asks late, with little patience left.' };
    const saved = await set.json(`${at}/talk/record`, record);
    expect([saved.status, saved.body['path']]).toEqual([201, 'tests/late_ask.yaml']);
    const text = readFileSync(path.join(draft.folder, 'tests', 'late_ask.yaml'), 'utf8');
    expect(text).toContain('start:\n  state_vars:\n    patience: 40\n');
    const check = (await set.json(`${at}/check`, {})).body as unknown as DraftCheck;
    expect(check.findings).toEqual([]);
    expect(check.scripts.find(({ fixture_id: id }) => id === 'late_ask')).toMatchObject({ result: 'passed' });
    expect((await set.json(`${at}/talk/record`, record)).body['code']).toBe('INVALID_STATE');

    const file = `${at}/files/tests/late_ask.yaml`;
    const { version } = (await set.get(file)).body;
    const broken = { text: text.replace('patience: 40', 'luck: 40'), base_version: version };
    const json = { 'content-type': 'application/json' };
    await set.call('PUT', file, { headers: json, body: JSON.stringify(broken) });
    const after = (await set.json(`${at}/check`, {})).body as unknown as DraftCheck;
    expect(after.findings.map(({ message }) => message)).toContain('There is no variable luck.');
    const away = await set.json(`${at}/talk`, { ...request, voice: 'model' });
    expect([away.status, away.body['code']]).toEqual([503, 'RUNTIME_UNAVAILABLE']);
  });
});
