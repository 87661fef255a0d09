import path from 'node:path';
import { PackImport } from '@parley/shared/contracts';
import { temporaryFolder, waitUntil, type TemporaryFolder } from '@parley/shared/testing';
import { LONG_TALK, startParleySet, writeSamplePack, type ParleySet } from '../set';

/** docs/contract.md, Pack operations: an import that nobody waits for, through session-api. */
describe('an import with Prefer: respond-async', () => {
  let set: ParleySet;
  let folder: TemporaryFolder;
  beforeAll(async () => {
    folder = temporaryFolder('imports');
    set = await startParleySet();
  });
  afterAll(async () => {
    await set.stop();
    folder.remove();
  });

  it('is answered 202 by the API, and can be asked for, played and no longer cancelled', async () => {
    const source = writeSamplePack(path.join(folder.path, 'one'));
    const headers = { prefer: 'respond-async' };
    const answer = await set.call('POST', '/api/packs/import', { path: source }, { headers });
    const { id } = PackImport.parse(answer.body);
    const location = `/api/packs/imports/${id}`;
    expect([answer.status, answer.headers['location'], answer.headers['preference-applied']]).toEqual([
      202,
      location,
      'respond-async',
    ]);
    await waitUntil(
      'the pack to be installed',
      async () => PackImport.parse((await set.call('GET', location)).body).status === 'installed',
    );
    expect((await set.call('GET', `/api/scenarios/${LONG_TALK}`)).status).toBe(200);
    expect((await set.call('DELETE', location)).body).toMatchObject({ status: 409, code: 'INVALID_STATE' });
    expect((await set.call('DELETE', '/api/packs/imports/nothing')).status).toBe(404);
  });
});
