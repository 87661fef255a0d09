import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import {
  Debrief,
  type ChatRequest,
  type Problem,
  type Session,
  type Transcript,
  type TurnAnswer,
} from '@parley/shared/contracts';
import { inPieces, npcTurnJson, type ScriptedGateway, type ScriptedReply } from '@parley/shared/testing';
import { PROJECT_ROOT } from './managed-process';
import type { ParleySet } from './parley-set';
import type { Reply } from './set-client';

/** A narrative as the debrief's schema wants it. */
export const NARRATIVE = {
  summary: 'You said what you came for and stayed with it.',
  strengths: ['You named the point early.'],
  improvements: ['Ask one open question before you argue.'],
  replay_suggestions: [{ turn: 2, suggestion: 'Begin with what the other side needs.' }],
};

export const wantsNarrative = (request: ChatRequest): boolean =>
  Object.hasOwn((request.json_schema?.['properties'] ?? {}) as object, 'replay_suggestions');

export const asText = (text: string): ScriptedReply => ({ kind: 'text', pieces: inPieces(text) });
/** A whole turn of the character with these members. */
export const asTurn = (members: Record<string, unknown> = {}): ScriptedReply => asText(npcTurnJson(members));

/** From now on the model says this in turns, and a fitting narrative for debriefs. */
export function scriptTurns(
  gateway: ScriptedGateway,
  turn: ScriptedReply | ((request: ChatRequest, count: number) => ScriptedReply) = asTurn(),
  narrative: ScriptedReply = asText(JSON.stringify(NARRATIVE)),
): void {
  gateway.reply((request, count) => {
    if (wantsNarrative(request)) return narrative;
    return typeof turn === 'function' ? turn(request, count) : turn;
  });
}

export const createSession = (set: ParleySet, scenario_id = 'the_ask', more: Record<string, unknown> = {}) =>
  set.ask('createSession', { body: { scenario_id, ...more } as { scenario_id: string } });

/** A session in PlayerTurnListening. */
export async function startedSession(
  set: ParleySet,
  scenarioId = 'the_ask',
  more: Record<string, unknown> = {},
): Promise<Session> {
  const { id } = await createSession(set, scenarioId, more);
  return (await set.ask('startSession', { params: { id } })).session;
}

export const say = (
  set: ParleySet,
  id: string,
  text: string,
  headers: Record<string, string> = {},
): Promise<Reply<TurnAnswer & Problem>> => set.call('POST', `/api/sessions/${id}/turn`, { text }, { headers });

export const sessionOf = (set: ParleySet, id: string): Promise<Session> => set.ask('getSession', { params: { id } });
export const transcriptOf = (set: ParleySet, id: string): Promise<Transcript> =>
  set.ask('getTranscript', { params: { id } });

/** Ends a talk of `the_ask` when the model raises `ultimatum` too: that flag asks for the words and the model. */
export const ULTIMATUM = 'Either you give me 53,000 by Friday or I quit.';

/** Says one line after the other until the session ends. @throws Error when the lines do not suffice. */
export async function playToEnd(set: ParleySet, id: string, lines: readonly string[]): Promise<Session> {
  for (const line of lines) {
    const reply = await say(set, id, line);
    if (reply.status !== 200) throw new Error(`a turn was answered with ${reply.status} ${reply.text}`);
    if (reply.body.session.flow_state === 'Ended') return reply.body.session;
  }
  throw new Error(`the session goes on after ${lines.length} turns`);
}

/** A session that the player ended after so many turns. */
export async function endedSession(set: ParleySet, turns = 1, scenarioId = 'the_ask'): Promise<Session> {
  const { id } = await startedSession(set, scenarioId);
  for (let turn = 1; turn <= turns; turn += 1) {
    const reply = await say(set, id, `Words of turn ${turn}.`);
    if (reply.status !== 200) throw new Error(reply.text);
  }
  return (await set.ask('endSession', { params: { id } })).session;
}

/** Asks for the debrief and waits for it. */
export const debriefFor = async (set: ParleySet, id: string): Promise<Debrief> =>
  Debrief.parse(await set.ask('createDebrief', { params: { id } }));

/** What the player says in one of the playthroughs that lie beside a built-in pack. */
export function playthrough(pack: string, name: 'skilled' | 'hostile' | 'passive' | 'skilled_de'): string[] {
  const file = path.join(PROJECT_ROOT, 'packs', pack, 'tests', `${name}.yaml`);
  const content = parse(readFileSync(file, 'utf8')) as { turns: { player_input: string }[] };
  return content.turns.map((turn) => turn.player_input);
}
