import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ParleySet } from './parley-set';

/** Public id of the scenario of the sample pack: the ids of pack and scenario are the same. */
export const LONG_TALK = 'long_talk';

/**
 * A pack without pictures: a long scenario in which nothing but the turns themselves moves, with an event that comes
 * again and again, for plays that the built-in packs are too short for.
 */
const FILES: Readonly<Record<string, string>> = {
  'manifest.yaml': `schema_version: "0.1"
pack_id: ${LONG_TALK}
name: A long talk
version: 1.0.0
description: Two people talk for a long time.
author: Parley contributors
license: CC-BY-4.0
content_rating: PG
tags: [work]
supported_languages: [en]
requirements: {min_app_version: 0.1.0}
entry_scenarios: [scenarios/talk.yaml]
assets: {allow_external_urls: false}
safety: {policy: safety/policy.yaml}
`,
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
  'npcs/kim.yaml': `schema_version: "0.1"
npc_id: kim
display_name: Kim
archetype: busy_colleague
fictional: true
age_band: adult
public_persona: {occupation: Clerk, speaking_style: Brief., demeanor: Calm.}
private_persona:
  hidden_agenda: [Wants to be home by six.]
`,
  'scenes/room.yaml': `schema_version: "0.1"
scene_id: room
display_name: A room
description: Two chairs.
`,
  'rubrics/basics.yaml': `schema_version: "0.1"
rubric_id: basics
title: Basics
dimensions:
  - {id: clarity, name: Clarity, description: How clear it was., scoring: {low: Vague., medium: Mixed., high: Plain.}}
  - {id: care, name: Care, description: How kind it was., scoring: {low: Cold., medium: Mixed., high: Kind.}, weight: 0.5}
`,
  'safety/policy.yaml': `schema_version: "0.1"
policy_id: policy
content_categories: {legal_claim: redirect, real_person_impersonation: refuse, nsfw_sexual_content: redirect}
content_rating_cap: PG
`,
  LICENSE: 'CC-BY-4.0, see https://creativecommons.org/licenses/by/4.0/\n',
};

/** The text of one file of the sample. */
export const sampleFile = (name: string): string => FILES[name] ?? '';

/** Writes the sample into a folder, with files replaced or added, and answers the folder. */
export function writeSamplePack(folder: string, changes: Readonly<Record<string, string | Buffer>> = {}): string {
  for (const [name, content] of Object.entries({ ...FILES, ...changes })) {
    mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
  return folder;
}

/** Installs the sample into a set by its local folder. @throws Error with the findings when it is refused. */
export async function installSamplePack(set: ParleySet, folder: string): Promise<void> {
  const reply = await set.call('POST', '/api/packs/import', { path: writeSamplePack(folder) });
  if (reply.status !== 201) throw new Error(`the sample pack was answered with ${reply.status} ${reply.text}`);
}
