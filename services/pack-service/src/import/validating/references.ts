import type { LoadedFile, LoadedPack } from './load-pack';
import { resolveInside } from './check-name';

/** The files that one scenario is made of. Absent where a reference leads nowhere or to a file that could not be read. */
export interface ScenarioParts {
  readonly scenario: LoadedFile<'scenario'>;
  readonly npc: LoadedFile<'npc'> | undefined;
  readonly scene: LoadedFile<'scene'> | undefined;
  readonly rubric: LoadedFile<'rubric'> | undefined;
  readonly policy: LoadedFile<'safety'> | undefined;
}

export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** A `ref` is relative to the file that holds it. null: it leads out of the pack. */
const refTarget = (file: LoadedFile, ref: string): string | null => resolveInside(folderOf(file.path), ref);

export function partsOf(pack: LoadedPack, scenario: LoadedFile<'scenario'>): ScenarioParts {
  const { npc, scene, rubric } = scenario.content;
  const at = <F extends LoadedFile>(files: readonly F[], target: string | null): F | undefined =>
    target === null ? undefined : files.find((file) => file.path === target);
  const policy = pack.manifest?.content.safety.policy;
  return {
    scenario,
    npc: at(pack.npcs, refTarget(scenario, npc.ref)),
    scene: scene === undefined ? undefined : at(pack.scenes, refTarget(scenario, scene.ref)),
    rubric: at(pack.rubrics, refTarget(scenario, rubric.ref)),
    policy: policy === undefined ? undefined : at(pack.policies, resolveInside('', policy)),
  };
}

/** A scenario's public id: `pack_id.scenario_id`, or just the pack's when both are equal (pack format, "Ids"). */
export const publicScenarioId = (packId: string, scenarioId: string): string =>
  packId === scenarioId ? packId : `${packId}.${scenarioId}`;
