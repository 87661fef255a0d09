import path from 'node:path';
import { recordSocket, scriptedGateway, type ScriptedGateway } from '@parley/shared/testing';
import {
  asTurn,
  debriefFor,
  LONG_TALK,
  sampleFile,
  say,
  scriptTurns,
  startedSession,
  startParleySet,
  writeSamplePack,
  type ParleySet,
} from '../set';

/** A word for every member that a player must never read; each reaches the model. */
const SECRETS = {
  'goals.hidden': 'qzxhiddengoal',
  'private_persona.hidden_agenda': 'qzxagenda',
  'private_persona.biases_to_simulate': 'qzxbias',
  'private_persona.boundaries': 'qzxboundary',
  'events.npc_instruction': 'qzxinstruction',
  'npc.sample_lines': 'qzxsampleline',
  'npc.emotional_triggers.when_player': 'qzxwhenplayer',
  'npc.emotional_triggers.reaction': 'qzxreaction',
} as const;
/** A threshold of a hidden variable: it stands nowhere else, in the pack or in an answer. */
const HIDDEN_THRESHOLD = '83.625';

const changes = {
  'manifest.yaml': sampleFile('manifest.yaml').replace('"0.1"', '"0.2"'),
  'scenarios/talk.yaml': sampleFile('scenarios/talk.yaml')
    .replace('"0.1"', '"0.2"')
    .replace('hidden: [Kim knows already.]', `hidden: [${SECRETS['goals.hidden']}]`)
    .replace('The phone rings again. Do not answer.', SECRETS['events.npc_instruction'])
    .replace('variable: doubt, threshold: 89', `variable: doubt, threshold: ${HIDDEN_THRESHOLD}`),
  'npcs/kim.yaml': `${sampleFile('npcs/kim.yaml')
    .replace('"0.1"', '"0.2"')
    .replace('[Wants to go home.]', `[${SECRETS['private_persona.hidden_agenda']}]`)}
  biases_to_simulate: [${SECRETS['private_persona.biases_to_simulate']}]
  boundaries: [${SECRETS['private_persona.boundaries']}]
sample_lines: [${SECRETS['npc.sample_lines']}]
emotional_triggers:
  - {when_player: ${SECRETS['npc.emotional_triggers.when_player']}, reaction: ${SECRETS['npc.emotional_triggers.reaction']}}
`,
};

describe('what authors hide from players', () => {
  let gateway: ScriptedGateway;
  let set: ParleySet;
  const answers = new Map<string, string>();
  beforeAll(async () => {
    gateway = await scriptedGateway();
    set = await startParleySet({ gatewayUrl: gateway.url });
    await play();
  });
  afterAll(async () => {
    await set.stop();
    await gateway.service.close();
  });

  /** Plays a session to its debrief and keeps every answer that a client can get on the way. */
  async function play(): Promise<void> {
    const folder = writeSamplePack(path.join(set.folder.path, 'secrets'), changes);
    const keep = async (method: string, address: string, body?: object): Promise<void> => {
      const reply = await set.call(method, address, body);
      if (reply.status >= 400) throw new Error(`${method} ${address}: ${reply.status} ${reply.text}`);
      answers.set(`${method} ${address.replace(/[A-Za-z0-9_-]{20,}/, ':id')}`, reply.text);
    };
    await keep('POST', '/api/packs/import', { path: folder });
    for (const address of [
      '/api/packs',
      `/api/packs/${LONG_TALK}`,
      '/api/scenarios',
      `/api/scenarios/${LONG_TALK}`,
      `/api/scenarios/${LONG_TALK}/versions`,
    ])
      await keep('GET', address);

    scriptTurns(gateway, asTurn({ state_delta: { doubt: 3 }, rubric_observations: [] }));
    const { id } = await startedSession(set, LONG_TALK);
    const socket = await recordSocket(set.url, id, { query: '?after_seq=0' });
    for (let turn = 1; turn <= 5; turn += 1) {
      const reply = await say(set, id, `Line ${turn}.`);
      expect(reply.status).toBe(200);
      answers.set(`POST turn ${turn}`, reply.text);
    }
    await keep('POST', `/api/sessions/${id}/fork`, { turn: 5 });
    await keep('POST', `/api/sessions/${id}/end`);
    answers.set('debrief', JSON.stringify(await debriefFor(set, id)));
    for (const address of ['', '/transcript', '/events', '/export', '/debrief'])
      await keep('GET', `/api/sessions/${id}${address}`);
    for (const address of ['/api/sessions', '/api/progress']) await keep('GET', address);
    answers.set('WebSocket', JSON.stringify(socket.messages));
    socket.close();
    const replay = await recordSocket(set.url, id, { query: '?after_seq=0' });
    await replay.next('npc.final');
    answers.set('WebSocket replay', JSON.stringify(replay.messages));
    replay.close();
  }

  it.each(Object.entries(SECRETS))('reaches the model, and no answer to a client: %s', (_member, secret) => {
    expect(gateway.requests.filter((request) => JSON.stringify(request).includes(secret)).length).toBeGreaterThan(0);
    const telling = [...answers].filter(([, text]) => text.includes(secret)).map(([name]) => name);
    expect(telling).toEqual([]);
  });

  it('does not give away what a hidden variable must reach', () => {
    const telling = [...answers].filter(([, text]) => text.includes(HIDDEN_THRESHOLD)).map(([name]) => name);
    expect(telling).toEqual([]);
    expect(answers.get(`GET /api/scenarios/${LONG_TALK}`)).toContain('"type":"failure"');
  });

  it('looked at every kind of answer that a game gives', () => {
    expect(answers.size).toBe(23);
    expect([...answers.values()].every((text) => text.length > 2)).toBe(true);
  });
});
