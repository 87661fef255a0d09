import { socketAddress } from '../live/socket-address';
import { openLiveSocket } from '../live/live-socket';
import { askHealth } from '../client/ask-health';
import { callApi } from '../client/call-api';
import { queryClient, scenarioQuery } from '../client/queries';
import { randomKey } from '../client/random-key';
import type { StoredEvent } from '@parley/shared/contracts';
import type { PlayPorts } from './play-ports';
import { fromStoredEvents } from './play-state';
import { sessionMemory } from './session-memory';

/** How often health is asked for while a model loads, in milliseconds. */
const MODEL_POLL_MS = 1_000;

async function allEvents(sessionId: string): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  let cursor: string | null = null;
  do {
    const page: { events: StoredEvent[]; next_cursor: string | null } = await callApi('listEvents', {
      params: { id: sessionId },
      query: { limit: 100, ...(cursor === null ? {} : { cursor }) },
    });
    events.push(...page.events);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return events;
}

/** The world of the play machine: the API, the socket and what the tab remembers. */
export const apiPorts: PlayPorts = {
  loadScenario: (id) => queryClient.fetchQuery(scenarioQuery(id)),
  async loadPlay(sessionId) {
    const params = { id: sessionId };
    const [session, transcript, events] = await Promise.all([
      callApi('getSession', { params }),
      callApi('getTranscript', { params }),
      allEvents(sessionId),
    ]);
    return { session, turns: transcript.turns, ...fromStoredEvents(events) };
  },
  async waitForModel(signal, onWaiting) {
    for (;;) {
      const health = await askHealth(signal);
      // The pill at the top says the same as the stage, at once.
      queryClient.setQueryData(['health'], health);
      const { runtime } = health;
      if (runtime.status !== 'STARTING') return runtime;
      onWaiting(runtime);
      await new Promise((resolve) => setTimeout(resolve, MODEL_POLL_MS));
      signal.throwIfAborted();
    }
  },
  createSession: (scenarioId, { difficulty, focus, coaching, language }) =>
    callApi('createSession', {
      body: {
        scenario_id: scenarioId,
        ...(language === null ? {} : { language }),
        ...(difficulty === null ? {} : { difficulty }),
        ...(focus === null ? {} : { focus_dimension: focus }),
        ...(coaching ? { coaching } : {}),
      },
    }),
  startSession: (id) => callApi('startSession', { params: { id } }),
  takeTurn: (id, { text, key }) =>
    callApi('takeTurn', { params: { id }, body: { text }, headers: { 'idempotency-key': key } }),
  regenerate: (id, key) => callApi('regenerate', { params: { id }, headers: { 'idempotency-key': key } }),
  chooseVariant: (id, index, variant) =>
    callApi('chooseVariant', { params: { id, index: String(index) }, body: { variant } }),
  hintTyping: (id) => callApi('hintTyping', { params: { id } }),
  cancelTurn: (id) => callApi('cancelTurn', { params: { id } }),
  endSession: (id) => callApi('endSession', { params: { id } }),
  openSocket: (sessionId, events) => openLiveSocket({ url: socketAddress(sessionId), ...events }),
  readDraft: sessionMemory.readDraft,
  writeDraft: sessionMemory.writeDraft,
  readPending: sessionMemory.readPending,
  writePending: sessionMemory.writePending,
  newKey: randomKey,
};
