import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PackImport } from '@parley/shared/contracts';
import { waitUntil, minimalPack } from '@parley/shared/testing';
import { packServiceFixture } from '../../../testing/pack-service-fixture';
import { zipOfPack } from '../../../testing/zip-bytes';

const ASYNC = { prefer: 'respond-async' };

describe('importing a pack without waiting for it', () => {
  const set = packServiceFixture();

  const upload = (bytes: Buffer) => {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(bytes)]), 'pack.zip');
    return set.call('POST', '/api/packs/import', { body: form, headers: ASYNC });
  };
  const fromPath = (at: string) =>
    set.call('POST', '/api/packs/import', {
      headers: { ...ASYNC, 'content-type': 'application/json' },
      body: JSON.stringify({ path: at }),
    });
  const stateOf = async (id: string): Promise<PackImport> =>
    PackImport.parse((await set.get(`/api/packs/imports/${id}`)).body);
  const ended = async (id: string): Promise<PackImport> => {
    let state = await stateOf(id);
    await waitUntil('the import to end', async () => {
      state = await stateOf(id);
      return ['installed', 'failed', 'cancelled'].includes(state.status);
    });
    return state;
  };
  const cancel = (id: string) => set.call('DELETE', `/api/packs/imports/${id}`);

  it('is answered at once with where to ask, and ends with the pack installed', async () => {
    await set.start();
    const answer = await upload(zipOfPack(minimalPack()));
    const begun = PackImport.parse(answer.body);
    expect([answer.status, answer.headers.get('preference-applied')]).toEqual([202, 'respond-async']);
    expect(answer.headers.get('location')).toBe(`/api/packs/imports/${begun.id}`);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await ended(begun.id)).toEqual({
      id: begun.id,
      status: 'installed',
      files_done: 7,
      files_total: 7,
      findings: [expect.objectContaining({ rule: 'ref.missing-asset' })],
      pack_id: 'sample.pack',
      code: null,
      message: null,
      details: null,
    });
    expect([set.installed(), set.leftovers()]).toEqual([['sample.pack'], []]);
    expect((await cancel(begun.id)).body).toMatchObject({ status: 409, code: 'INVALID_STATE' });
    expect(set.installed()).toEqual(['sample.pack']);
  });

  it('ends with all findings of a pack that is not valid', async () => {
    await set.start();
    const begun = PackImport.parse((await upload(zipOfPack(minimalPack({ 'assets/run.js': 'x' })))).body);
    expect(await ended(begun.id)).toMatchObject({
      status: 'failed',
      code: 'PACK_INVALID',
      message: expect.stringContaining('nothing was installed') as string,
      findings: expect.arrayContaining([expect.objectContaining({ rule: 'file.forbidden-extension' })]) as unknown,
      pack_id: null,
    });
    expect((await cancel(begun.id)).status).toBe(204);
    expect([set.installed(), set.leftovers()]).toEqual([[], []]);
  });

  it('ends with the reason when the pack is installed already', async () => {
    await set.start();
    const source = set.source(minimalPack());
    await set.json('/api/packs/import', { path: source });
    const begun = PackImport.parse((await fromPath(source)).body);
    expect(await ended(begun.id)).toMatchObject({
      status: 'failed',
      code: 'PACK_ALREADY_INSTALLED',
      findings: [],
      details: { installed_version: '1.2.3', version: '1.2.3', replaceable: false },
    });
  });

  it('is refused at once for a path that is not there, and unknown imports are 404', async () => {
    await set.start();
    expect((await fromPath('/nowhere/at/all')).body).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
    expect((await set.get('/api/packs/imports/nothing')).body).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    expect((await cancel('nothing')).status).toBe(404);
  });

  describe('while it runs', () => {
    /** Says how far it is, and goes on when there is a file. */
    const program = (): string => {
      const file = path.join(set.folder(), 'program.js');
      writeFileSync(
        file,
        `const fs = require('node:fs');
        process.once('message', (job) => {
          fs.writeFileSync(${JSON.stringify(set.folder())} + '/begun-' + process.pid, '');
          process.send({ say: 'progress', stage: 'unpacking', files_done: 1, files_total: 3 });
          setInterval(() => {
            if (fs.existsSync(${JSON.stringify(set.folder())} + '/check'))
              process.send({ say: 'progress', stage: 'checking', files_done: 2, files_total: 3 });
          }, 20);
        });`,
      );
      return file;
    };
    const begunPrograms = (): number[] =>
      readdirSync(set.folder()).flatMap((name) => (name.startsWith('begun-') ? [Number(name.slice(6))] : []));
    const isRunning = (pid: number): boolean => {
      try {
        process.kill(pid, 0);
        return true;
      } catch {
        return false;
      }
    };
    beforeEach(() => set.start(undefined, { childPath: program(), nodeArguments: [], timeoutMs: 60_000 }));
    const begin = async (): Promise<string> => PackImport.parse((await upload(zipOfPack(minimalPack()))).body).id;
    const reaches = (id: string, expected: Partial<PackImport>) =>
      waitUntil(`the import to be ${JSON.stringify(expected)}`, async () => {
        const state = await stateOf(id);
        return Object.entries(expected).every(([name, value]) => state[name as keyof PackImport] === value);
      });

    it('says what it does and how many files are done, and waits its turn', async () => {
      const ids = [await begin(), await begin(), await begin()];
      await reaches(ids[0] ?? '', { status: 'unpacking', files_done: 1, files_total: 3 });
      await reaches(ids[2] ?? '', { status: 'queued', files_done: 0, files_total: null });
      writeFileSync(path.join(set.folder(), 'check'), '');
      await reaches(ids[1] ?? '', { status: 'checking', files_done: 2, files_total: 3 });
      for (const id of ids) expect((await cancel(id)).status).toBe(204);
    });

    it('can be cancelled, queued or not, and leaves nothing behind', async () => {
      const ids = [await begin(), await begin(), await begin()];
      await waitUntil('two to begin', () => begunPrograms().length === 2);
      for (const id of [...ids].reverse()) {
        expect((await cancel(id)).status).toBe(204);
        expect(await stateOf(id)).toMatchObject({ status: 'cancelled', findings: [], code: null });
      }
      expect(begunPrograms()).toHaveLength(2);
      expect(begunPrograms().filter(isRunning)).toEqual([]);
      expect([set.installed(), set.leftovers()]).toEqual([[], []]);
    });

    it('ends with the service and leaves nothing behind', async () => {
      await begin();
      await begin();
      await begin();
      await waitUntil('two to begin', () => begunPrograms().length === 2);
      await set.stop();
      expect(begunPrograms().filter(isRunning)).toEqual([]);
      expect([set.installed(), set.leftovers()]).toEqual([[], []]);
    });
  });
});
