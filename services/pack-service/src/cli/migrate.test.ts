import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { temporaryFolder, minimalPack, type TemporaryFolder } from '@parley/shared/testing';
import { validatePack } from '../import/validating/validate-pack';
import { packsCommand } from './packs-command';

const RUBRIC = `schema_version: "0.1"
rubric_id: basics
title: Basics
dimensions:
  - id: clarity # what it is about
    name: Clarity
    description: How clear it was.
    scoring:
      low: Vague. Blames the other.
      medium: Mixed.
      high: Asks what is behind the no. Names a figure with its reason! Thanks the other; stays calm.
  - {id: care, name: Care, description: How kind it was., scoring: {low: Cold., medium: Mixed., high: Kind.}, weight: 0.5}
`;

const SCENARIO = String(minimalPack()['scenarios/talk.yaml']);

describe('packs migrate', () => {
  let folder: TemporaryFolder;
  let out: string;
  let err: string;
  beforeEach(() => (folder = temporaryFolder('packs-migrate')));
  afterEach(() => folder.remove());

  const files = (changes: Readonly<Record<string, string>> = {}): void => {
    const pack = minimalPack({ 'rubrics/basics.yaml': RUBRIC, ...changes });
    for (const [name, content] of Object.entries(pack)) {
      const file = path.join(folder.path, ...name.split('/'));
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, content);
    }
  };
  const read = (name: string): string => readFileSync(path.join(folder.path, ...name.split('/')), 'utf8');
  const run = (argv: string[], answer?: string): Promise<number> => {
    out = '';
    err = '';
    const output = { stdout: (text: string) => (out += text), stderr: (text: string) => (err += text) };
    const input = new PassThrough();
    const asked = new PassThrough();
    asked.on('data', () => input.write(`${answer}\n`));
    return packsCommand(argv, output, {}, answer === undefined ? null : { input, output: asked });
  };

  it('shows a diff and writes nothing of its own accord', async () => {
    files();
    expect(await run(['migrate', folder.path])).toBe(0);
    expect(out).toContain('-schema_version: "0.1"\n+schema_version: "0.2"');
    expect(out).toContain('--- scenarios/talk.yaml\t0.1\n+++ scenarios/talk.yaml\t0.2');
    expect(err).toBe('Nothing was written. Add --write to change 6 files.\n');
    expect(read('manifest.yaml')).toContain('"0.1"');
    expect(await run(['migrate', folder.path], 'n')).toBe(0);
    expect([err, read('manifest.yaml')]).toEqual(['Nothing was written.\n', expect.stringContaining('"0.1"')]);
  });

  it('writes what was agreed to: the same scenario, in 0.2, with the author’s text left as it was', async () => {
    files();
    const [before] = (await validatePack(folder.path)).scenarios;
    expect(await run(['migrate', folder.path], 'y')).toBe(0);
    const { valid, scenarios } = await validatePack(folder.path);
    const [after] = scenarios;
    expect(valid).toBe(true);
    expect(after?.content).toEqual({
      ...before?.content,
      format_version: '0.2',
      endings: [
        expect.objectContaining({ id: 'success', type: 'success', when: before?.content.endings[0]?.when }),
        expect.objectContaining({ id: 'failure', type: 'failure', when: before?.content.endings[1]?.when }),
      ],
      flags: { apology: { meaning: 'The player did this: apology.', shown: null, signs: [], proof: 'model' } },
    });
    expect(read('scenarios/talk.yaml')).toContain(
      SCENARIO.slice(SCENARIO.indexOf('title:'), SCENARIO.indexOf('ending_')),
    );
    expect(read('safety/policy.yaml')).toContain(
      '{legal_claim: redirect, real_person_impersonation: stop, nsfw_sexual_content: stop}',
    );
    expect(await run(['migrate', folder.path, '--write'])).toBe(0);
    expect(err).toBe('There is nothing to do: every file is in format 0.2.\n');
  });

  it('proposes checks from the anchors, which hold once they are no comments any more', async () => {
    files();
    await run(['migrate', folder.path, '--write']);
    const rubric = read('rubrics/basics.yaml');
    expect(rubric).toContain('    # No sign was found for: stays calm. Describe it as a move with exemplars.\n');
    expect(rubric).toContain('- id: clarity # what it is about\n');
    const [, second = ''] = rubric.split('- {id: care');
    expect(second).toContain('# No sign was found for: Kind.');
    writeFileSync(
      path.join(folder.path, 'rubrics', 'basics.yaml'),
      rubric.replaceAll(/^( +)# (checks:|faults:| {2}.*)$/gm, '$1$2'),
    );
    const { valid, findings, scenarios } = await validatePack(folder.path);
    expect([valid, findings.filter((one) => one.severity === 'error')]).toEqual([true, []]);
    const [clarity] = scenarios[0]?.content.rubric.dimensions ?? [];
    expect(clarity?.checks.map(({ id, text, points }) => [id, text, points])).toEqual([
      ['asks', 'Asks what is behind the no.', 17],
      ['names_a_figure', 'Names a figure with its reason!', 17],
      ['thanks', 'Thanks the other;', 16],
    ]);
    expect(clarity?.faults.map(({ id }) => id)).toEqual(['hedges', 'blames']);
  });

  it('leaves endings with comments in them as they are', async () => {
    const commented = SCENARIO.replace('ending_conditions:\n', 'ending_conditions:\n  # a good day\n');
    files({ 'scenarios/talk.yaml': commented });
    await run(['migrate', folder.path, '--write']);
    expect(read('scenarios/talk.yaml')).toContain('ending_conditions:\n  # a good day\n');
    expect(read('scenarios/talk.yaml')).toMatch(/^schema_version: "0\.2"\n/);
  });

  it('keeps an old name that 0.2 cannot say', async () => {
    const policy = String(minimalPack()['safety/policy.yaml']);
    files({
      'safety/policy.yaml': policy.replace(
        'legal_claim: redirect',
        'medical_professional_advice: block, crisis_content: redirect',
      ),
    });
    await run(['migrate', folder.path, '--write']);
    expect(read('safety/policy.yaml')).toContain(
      'medical_professional_advice: block, self_harm_crisis: stop_with_resource_message',
    );
    expect((await validatePack(folder.path)).valid).toBe(true);
  });

  it('writes nothing of a pack that 0.2 would refuse, and says why', async () => {
    files({ 'scenarios/talk.yaml': SCENARIO.replace('threshold: 79', 'threshold: 10') });
    expect(await run(['migrate', folder.path, '--write'])).toBe(1);
    expect(out).toMatch(/scenarios\/talk\.yaml:\d+:\d+ error/);
    expect(err).toContain('format 0.2 is stricter here');
    expect(read('manifest.yaml')).toContain('"0.1"');
  });

  it('begins with the errors that are there, and wants a folder of a pack', async () => {
    files({ 'manifest.yaml': 'pack_id: [' });
    expect(await run(['migrate', folder.path])).toBe(1);
    expect(err).toBe('Nothing was written. Mend these errors first.\n');
    expect(await run(['migrate', path.join(folder.path, 'nowhere')])).toBe(2);
  });
});
