import { contentIn } from '../catalogue/compile-pack';
import type { CommandOutput } from './command-output';
import { plural } from './plural';
import type { ReadPack } from './read-packs';
import { runPlaythrough, skipped, type PlaythroughResult, type SkipReason } from './run-playthrough';
import { formatTrace } from './trace-turn';

/** Plays the scripted playthroughs of a pack. A pack with errors is not played: what is wrong with it comes first. */
export function playAll({ validation }: Pick<ReadPack, 'validation'>): PlaythroughResult[] {
  if (validation === null) return [];
  return validation.pack.playthroughs.map((file) => {
    if (!validation.valid) return skipped(file, 'pack_has_errors');
    const scenario = validation.scenarios.find(({ content }) => content.scenario_id === file.content.scenario_id);
    return scenario === undefined
      ? skipped(file, 'no_scenario')
      : runPlaythrough(file, contentIn(scenario, file.content.language));
  });
}

const SKIPPED: Readonly<Record<SkipReason, string>> = {
  needs_model: 'it needs a model',
  no_scenario: 'its scenario is not there',
  pack_has_errors: 'the pack has errors',
};

/** Says how a playthrough went, with its trace. */
export function tellPlaythrough(run: PlaythroughResult, output: CommandOutput): void {
  const told =
    run.reason === null
      ? `${run.result === 'passed' ? 'ok' : 'FAILED'} (${plural(run.turns_played, 'turn')}, ${run.ending ?? 'no ending'})`
      : `not played: ${SKIPPED[run.reason]}`;
  output.stderr(`${run.fixture_id}: ${told}\n${formatTrace(run.trace)}`);
}
