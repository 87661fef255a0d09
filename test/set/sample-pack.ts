import { minimalPack, replaced, writePack } from '@parley/shared/testing';
import type { ParleySet } from './parley-set';

/** Public id of the scenario of the sample pack: the ids of pack and scenario are the same. */
export const LONG_TALK = 'long_talk';

/**
 * The minimal pack with a long scenario in which nothing but the turns themselves moves, with an event that comes again and
 * again, for plays that the built-in packs are too short for.
 */
const FILES = minimalPack({
  'manifest.yaml': replaced('manifest.yaml', 'sample.pack', LONG_TALK),
  'scenarios/talk.yaml': `schema_version: "0.1"
scenario_id: ${LONG_TALK}
title: A long talk
summary: The player talks with Kim.
player_role: {label: A colleague, brief: You have news.}
npc: {ref: ../npcs/kim.yaml}
scene: {ref: ../scenes/room.yaml}
rubric: {ref: ../rubrics/basics.yaml}
duration: {max_turns: 100}
opening: {npc_says: "Yes?"}
goals:
  player_visible: [Tell Kim the news.]
  hidden: [Kim knows already.]
state:
  variables:
    doubt: {default: 60, min: 20, max: 90, visibility: hidden, max_delta_per_turn: 15}
events:
  - {id: phone, when: {type: max_turns, value: 3}, npc_instruction: The phone rings again. Do not answer., repeat: true}
ending_conditions:
  success: {type: variable_above, variable: objective_progress, threshold: 99}
  failure: {type: variable_above, variable: doubt, threshold: 89}
`,
});

/** The text of one file of the sample. */
export const sampleFile = (name: string): string => String(FILES[name]);

/** Writes the sample into a folder, with files replaced or added, and answers the folder. */
export function writeSamplePack(folder: string, changes: Readonly<Record<string, string | Buffer>> = {}): string {
  return writePack(folder, { ...FILES, ...changes });
}

/** Installs the sample into a set by its local folder. @throws Error with the findings when it is refused. */
export async function installSamplePack(set: ParleySet, folder: string): Promise<void> {
  const reply = await set.call('POST', '/api/packs/import', { path: writeSamplePack(folder) });
  if (reply.status !== 201) throw new Error(`the sample pack was answered with ${reply.status} ${reply.text}`);
}
