import { z } from 'zod';
import { DraftCheck, ScenarioContent } from '@parley/shared/contracts';
import { playAll } from '../cli/play-all';
import { draftNames } from './draft-names';
import { boundedFindings, inFileOrder, validatePack } from './pack-tools';
import { storyOf } from './story';

/** What the check of a draft leaves: what its author is told, and its scenarios made whole when it has no errors. */
export const DraftInspection = z.object({ check: DraftCheck, contents: z.array(ScenarioContent) });
export type DraftInspection = z.infer<typeof DraftInspection>;

/** Reads a draft to the end. Made for a process of its own, as the validation is. */
export async function inspectDraft(folder: string): Promise<DraftInspection> {
  const validation = await validatePack(folder);
  const { pack, scenarios, valid } = validation;
  const runs = valid ? playAll({ validation }) : [];
  const stories = scenarios.flatMap(({ content }) => {
    const file = pack.scenarios.find((one) => one.content.scenario_id === content.scenario_id);
    if (file === undefined) return [];
    return [
      storyOf(
        file,
        content,
        validation.findings.filter((one) => one.file === file.path),
      ),
    ];
  });
  const findings = boundedFindings(inFileOrder([...validation.findings, ...runs.flatMap((run) => run.findings)]));
  const scripts = runs.map(({ fixture_id, file, result, ending }) => ({ fixture_id, file, result, ending }));
  const check = { valid, findings, names: draftNames(pack), stories, scripts };
  return { check, contents: scenarios.map(({ content }) => content) };
}
