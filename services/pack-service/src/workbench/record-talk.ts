import { stringify } from 'yaml';
import { NpcTurnOutput, type DraftTalk, type RecordDraftTalkRequest } from '@parley/shared/contracts';

/** An output as members where it is a whole one, so that a person can read and change it; else as the text that it is. */
function outputOf(text: string): unknown {
  try {
    const { data } = NpcTurnOutput.partial().safeParse(JSON.parse(text));
    return data ?? text;
  } catch {
    return text;
  }
}

/** A talk as a playthrough: its lines, the outputs, and what must be true at its end. */
export function playthroughOf(request: RecordDraftTalkRequest, talk: DraftTalk): string {
  const last = talk.turns.at(-1);
  const begun = request.start?.line ?? 0;
  const turns = talk.turns.map((turn, at) => ({
    turn: begun + at + 1,
    player_input: turn.player_input,
    npc: outputOf(turn.npc),
    ...(turn === last ? { expect: { ending: talk.ending, state_vars: turn.state_vars } } : {}),
  }));
  const file = {
    schema_version: '0.2',
    fixture_id: request.fixture_id,
    scenario_id: request.scenario_id,
    description: request.description,
    difficulty: talk.difficulty,
    ...(request.start === undefined ? {} : { start: request.start }),
    turns,
  };
  return stringify(file, { lineWidth: 120, aliasDuplicateObjects: false });
}
