import type { RuntimeChoice, RuntimeChoiceState } from '@parley/shared/contracts';
import { getRuntimeChoice, migrate, openDatabase, type Database } from '@parley/shared/store';
import { scriptedGateway, temporaryFolder, type ScriptedGateway } from '@parley/shared/testing';
import { RuntimeChoices } from './runtime-choices';

describe('a choice with several gateways behind one name', () => {
  const folder = temporaryFolder('runtime-choices');
  const taken: RuntimeChoice[] = [];
  let decidedBy: RuntimeChoiceState['decided_by'];
  let database: Database;
  let gateway: ScriptedGateway;
  beforeAll(async () => {
    database = await openDatabase({ dataDir: folder.path });
    await migrate(database);
    gateway = await scriptedGateway();
    gateway.chooses({
      state: () => ({
        decided_by: decidedBy,
        runtime_id: 'fake',
        base_url: null,
        model_id: null,
        variables: [],
        can_change: true,
      }),
      choose: (choice) => void taken.push(choice),
    });
  });
  beforeEach(() => {
    decidedBy = 'default';
    taken.length = 0;
  });
  afterAll(async () => {
    await gateway.service.close();
    await database.close();
    folder.remove();
  });

  const choicesAt = (addresses: readonly string[]): RuntimeChoices =>
    new RuntimeChoices({
      database,
      gateway: gateway.url,
      timeoutMs: 10_000,
      onChange: () => undefined,
      addressesOf: (host) => Promise.resolve(host === '127.0.0.1' ? [...addresses] : []),
    });

  it('is refused, since it would reach one of them: nothing is stored', async () => {
    await expect(choicesAt(['10.0.0.4', '10.0.0.5']).change({ runtime_id: 'local_server' }, 'r')).rejects.toMatchObject(
      { code: 'SETTING_READ_ONLY', details: { variable: 'SIM_RUNTIME_ID' } },
    );
    expect([taken, await getRuntimeChoice(database)]).toEqual([[], null]);
  });

  it('is left to the gateway where the environment decides, and taken where there is one gateway', async () => {
    decidedBy = 'environment';
    await choicesAt(['10.0.0.4', '10.0.0.5']).change({ runtime_id: 'local_server' }, 'r');
    decidedBy = 'default';
    for (const addresses of [[], ['10.0.0.4'], ['10.0.0.4', '10.0.0.4']])
      await choicesAt(addresses).change({ runtime_id: 'local_server' }, 'r');
    expect(taken).toHaveLength(4);
  });
});
