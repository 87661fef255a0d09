import {
  RuntimeChoiceState,
  RuntimeTrial,
  ServiceError,
  type Problem,
  type RuntimeChoice,
} from '@parley/shared/contracts';
import { getRuntimeChoice, openDatabase } from '@parley/shared/store';
import { waitUntil } from '@parley/shared/testing';
import { startSessionApiSet, type SessionApiSet } from '../testing/session-api-set';

const PATH = '/api/runtime/choice';
const OLLAMA = { runtime_id: 'local_native', base_url: 'http://127.0.0.1:11434', model_id: 'small:1b' } as const;
const STATE: RuntimeChoiceState = {
  decided_by: 'default',
  runtime_id: 'fake',
  base_url: null,
  model_id: null,
  variables: [],
  can_change: true,
};

let set: SessionApiSet;

beforeEach(async () => {
  set = await startSessionApiSet();
});

afterEach(() => set.stop());

/** A gateway that takes every choice, until it is told to refuse. */
function choosingGateway(): { taken: RuntimeChoice[]; refuse: (error: ServiceError | null) => void } {
  const taken: RuntimeChoice[] = [];
  let refusal: ServiceError | null = null;
  set.gateway.chooses({
    state: () => {
      const { runtime_id = 'fake', base_url = null, model_id = null } = { ...taken.at(-1) };
      return { ...STATE, runtime_id, base_url, model_id, decided_by: taken.length === 0 ? 'default' : 'choice' };
    },
    choose: (choice) => {
      if (refusal !== null) throw refusal;
      taken.push(choice);
    },
  });
  return { taken, refuse: (error) => (refusal = error) };
}

async function storedChoice(): Promise<RuntimeChoice | null> {
  const database = await openDatabase({ dataDir: set.folder.path });
  try {
    return await getRuntimeChoice(database);
  } finally {
    await database.close();
  }
}

describe('choosing who plays', () => {
  it('tells the gateway and keeps the choice, beside the settings of the user', async () => {
    const { taken } = choosingGateway();
    expect(RuntimeChoiceState.parse((await set.call('GET', PATH)).body).decided_by).toBe('default');
    const { status, body } = await set.call('PUT', PATH, OLLAMA);
    expect([status, RuntimeChoiceState.parse(body)]).toMatchObject([200, { ...OLLAMA, decided_by: 'choice' }]);
    expect(taken).toEqual([OLLAMA]);
    expect(await storedChoice()).toEqual(OLLAMA);
    const settings = await set.call<{ settings: object }>('GET', '/api/settings');
    expect(Object.keys(settings.body.settings)).toHaveLength(5);
    const patched = await set.call<Problem>('PATCH', '/api/settings', { runtime_choice: { runtime_id: 'fake' } });
    expect([patched.status, patched.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect((await set.call('POST', '/api/privacy/clear', {})).status).toBe(200);
    expect(await storedChoice()).toEqual(OLLAMA);
  });

  it('keeps what was chosen before when the gateway refuses, and says why', async () => {
    const { refuse } = choosingGateway();
    await set.call('PUT', PATH, OLLAMA);
    refuse(new ServiceError('SETTING_READ_ONLY', 'SIM_RUNTIME_ID decides who plays.'));
    const { status, body } = await set.call<Problem>('PUT', PATH, { runtime_id: 'fake' });
    expect([status, body.code, body.detail]).toEqual([400, 'SETTING_READ_ONLY', 'SIM_RUNTIME_ID decides who plays.']);
    expect(await storedChoice()).toEqual(OLLAMA);
  });

  it('stores nothing while the gateway cannot be reached', async () => {
    await set.gateway.service.close();
    const { status, body } = await set.call<Problem>('PUT', PATH, OLLAMA);
    expect([status, body.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(await storedChoice()).toBeNull();
  });

  it('leaves it to a gateway that knows no choices, and says so', async () => {
    expect(RuntimeChoiceState.parse((await set.call('GET', PATH)).body)).toEqual({
      ...STATE,
      decided_by: 'gateway',
      runtime_id: 'scripted',
      variables: ['SIM_GATEWAY_URL'],
      can_change: false,
    });
    const { status, body } = await set.call<Problem>('PUT', PATH, OLLAMA);
    expect([status, body.code]).toEqual([409, 'NOT_SUPPORTED_BY_RUNTIME']);
    expect(body.detail).toContain('SIM_GATEWAY_URL');
    expect(await storedChoice()).toBeNull();
  });

  it.each([
    [{ runtime_id: 'gpt' }, 'runtime_id'],
    [{ runtime_id: 'local_server', base_url: 'http://10.0.0.1:80' }, 'base_url'],
    [{ runtime_id: 'local_server', base_url: 'http://127.0.0.1:8080/v1' }, 'base_url'],
    [{ runtime_id: 'local_server', api_key: 'x' }, 'api_key'],
    [{}, 'runtime_id'],
  ])('refuses %j and names the member', async (choice, member) => {
    choosingGateway();
    const { status, body } = await set.call<Problem>('PUT', PATH, choice);
    expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(body.details).toMatchObject({ issues: [{ path: member }] });
  });

  it('makes the choices of two callers one after the other: what is stored last is what plays', async () => {
    const { taken } = choosingGateway();
    const choices: RuntimeChoice[] = [OLLAMA, { runtime_id: 'fake' }, { runtime_id: 'local_server' }];
    await Promise.all(choices.map((choice) => set.call('PUT', PATH, choice)));
    expect(taken).toHaveLength(3);
    expect(await storedChoice()).toEqual(taken.at(-1));
  });

  it('lets health and the length of the context follow at once', async () => {
    choosingGateway();
    await set.call('GET', '/api/health');
    const models = { asked: 0 };
    set.gateway.listModels(() => {
      models.asked += 1;
      return { models: [{ id: 'm', name: 'm', context_length: 8192, size_bytes: null, loaded: true }] };
    });
    const create = () => set.call('POST', '/api/sessions', { scenario_id: 'late_delivery' });
    expect((await create()).status).toBe(201);
    await waitUntil('the length of the context', () => models.asked === 1);
    await create();
    expect(models.asked).toBe(1);
    const before = set.gateway.healthAsked();
    await set.call('PUT', PATH, OLLAMA);
    await set.call('GET', '/api/health');
    expect(set.gateway.healthAsked()).toBeGreaterThan(before);
    await create();
    await waitUntil('it to be asked for anew', () => models.asked === 2);
  });
});

describe('trying one line', () => {
  it('says how the answer begins and how long the first word took', async () => {
    set.gateway.reply(() => ({ kind: 'text', pieces: [' ', 'Good ', 'morning', '!'] }));
    const { status, body } = await set.call('POST', '/api/runtime/try');
    const trial = RuntimeTrial.parse(body);
    expect([status, trial.text, trial.model_id]).toEqual([200, 'Good morning!', 'scripted']);
    expect(trial.first_word_ms).toBeLessThanOrEqual(trial.total_ms);
    expect(set.gateway.requests.at(-1)).toMatchObject({ max_tokens: 60, json_schema: null });
  });

  it('cuts a long answer, between characters', async () => {
    set.gateway.reply(() => ({ kind: 'text', pieces: ['🙂'.repeat(300)] }));
    const { body } = await set.call('POST', '/api/runtime/try');
    expect(RuntimeTrial.parse(body).text).toBe('🙂'.repeat(200));
  });

  it('passes on what keeps the runtime from answering', async () => {
    set.gateway.reply(() => ({ kind: 'error', pieces: [], code: 'RUNTIME_ERROR' }));
    const failed = await set.call<Problem>('POST', '/api/runtime/try');
    expect([failed.status, failed.body.code]).toEqual([502, 'RUNTIME_ERROR']);
    await set.gateway.service.close();
    const gone = await set.call<Problem>('POST', '/api/runtime/try');
    expect([gone.status, gone.body.code]).toEqual([503, 'RUNTIME_UNAVAILABLE']);
  });
});
