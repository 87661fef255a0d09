import { ROUTES } from '@parley/shared/contracts';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { callRoute } from '@parley/shared/client';
import { npcTurnJson, waitUntil } from '@parley/shared/testing';
import { filesWith, scriptedModelServer, SupervisedSet, type ModelServer } from '../set';

/** Starts real processes under PM2, perhaps on a busy machine. */
jest.setTimeout(180_000);

/** Made anew for each run: what tools keep of this file in the temporary folder cannot hold them. */
const canary = (): string => `zq${randomBytes(12).toString('hex')}`;

/** Files of the system's temporary folder that changed since, below folders of other programs too. */
function temporaryFilesWith(words: readonly string[], since: number): string[] {
  const found: string[] = [];
  const look = (folder: string, depth: number): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const file = path.join(folder, entry.name);
      try {
        if (entry.isDirectory() && depth < 6) look(file, depth + 1);
        else if (entry.isFile() && statSync(file).mtimeMs >= since && statSync(file).size < 64 * 1024 * 1024) {
          const bytes = readFileSync(file).toString('latin1').toLowerCase();
          for (const word of words) if (bytes.includes(word.slice(3))) found.push(`${file}: ${word}`);
        }
      } catch {
        // Another program's file that went away or is not ours to read.
      }
    }
  };
  look(os.tmpdir(), 0);
  return found;
}

describe('a session that is not saved, in a set that PM2 supervises', () => {
  const words = { player: canary(), utterance: canary(), note: canary(), narrative: canary() };
  const all = Object.values(words);
  let set: SupervisedSet;
  let model: ModelServer;
  let begun = 0;
  beforeAll(async () => {
    begun = Date.now() - 1_000;
    set = await SupervisedSet.forNewSet();
    model = await scriptedModelServer();
    const turn = npcTurnJson({
      npc_utterance: `Well, ${words.utterance}.`,
      rubric_observations: [{ dimension: 'evidence', delta: 4, note: `Saw ${words.note}.` }],
    });
    const narrative = JSON.stringify({
      summary: `You spoke of ${words.narrative}.`,
      strengths: [],
      improvements: [`Say ${words.narrative} once.`],
      replay_suggestions: [],
    });
    model.answer((isDebrief) => ({ kind: 'says', text: isDebrief ? narrative : turn }));
    set.settings = {
      SIM_LOG_LEVEL: 'trace',
      SIM_RUNTIME_ID: 'local_server',
      SIM_LOCAL_SERVER_BASE_URL: model.url,
    };
    const started = await set.start();
    if (started.code !== 0) throw new Error(started.stderr);
  });
  afterAll(async () => {
    await set?.end();
    await model?.close();
  });

  const expectNothingAnywhere = (): void => {
    // The data folder holds the database, the logs and PM2's own folder.
    expect(filesWith(set.dataDir, all)).toEqual([]);
    expect(temporaryFilesWith(all, begun)).toEqual([]);
  };
  const play = async (): Promise<string> => {
    const { id } = await callRoute(set.url, ROUTES.createSession, { body: { scenario_id: 'the_ask' } });
    await callRoute(set.url, ROUTES.startSession, { params: { id } });
    // The model words a debrief from three lines on.
    for (const line of ['I say', 'I go on with', 'I end with']) {
      const text = `${line} ${words.player}.`;
      const turn = await callRoute(set.url, ROUTES.takeTurn, { params: { id }, body: { text } });
      expect(turn.npc_turn.text).toContain(words.utterance);
    }
    return id;
  };

  it('leaves no byte of it in the data folder, in the folder of PM2 or in the temporary folder', async () => {
    await callRoute(set.url, ROUTES.patchSettings, { body: { save_transcripts: false } });
    const id = await play();
    expectNothingAnywhere();
    await callRoute(set.url, ROUTES.endSession, { params: { id } });
    const debrief = await callRoute(set.url, ROUTES.createDebrief, { params: { id } }, { timeoutMs: 60_000 });
    expect(JSON.stringify(debrief)).toContain(words.player); // it quotes what was said, and keeps none of it
    expectNothingAnywhere();
  });

  it('nor after kill -9 of every process in the middle of it', async () => {
    await play();
    const before = await set.pids();
    for (const pid of Object.values(before)) if (pid !== null) process.kill(pid, 'SIGKILL');
    await waitUntil('all five to be back', async () => {
      const now = await set.status();
      return now.processes.every((one) => one.ready && one.pid !== before[one.name]);
    });
    expectNothingAnywhere();
  });

  it('finds the words when they are kept: the search itself works', async () => {
    await callRoute(set.url, ROUTES.patchSettings, { body: { save_transcripts: true } });
    await play();
    expect(filesWith(set.dataDir, [words.player, words.utterance]).length).toBeGreaterThanOrEqual(2);
  });
});
