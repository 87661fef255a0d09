import type { z } from 'zod';
import type { ScenarioSummary as ScenarioSummarySchema } from '@parley/shared/contracts';

export type ScenarioSummary = z.infer<typeof ScenarioSummarySchema>;

export interface ScenarioFilter {
  readonly words: string;
  readonly skill: string | null;
}

const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Scenarios that hold every word somewhere in title, summary, skills or name, and train the skill when one is chosen. */
export function filterScenarios(
  scenarios: readonly ScenarioSummary[],
  { words, skill }: ScenarioFilter,
): ScenarioSummary[] {
  const wanted = plain(words).split(/\s+/).filter(Boolean);
  return scenarios.filter((scenario) => {
    const text = plain([scenario.title, scenario.summary, scenario.npc.name, ...scenario.skills].join(' '));
    return (skill === null || scenario.skills.includes(skill)) && wanted.every((word) => text.includes(word));
  });
}

/** All skills that scenarios name, in the order of the alphabet. */
export function skillsOf(scenarios: readonly ScenarioSummary[]): string[] {
  return [...new Set(scenarios.flatMap((scenario) => scenario.skills))].sort((a, b) => a.localeCompare(b));
}

/** The scenario for a first visit: the gentlest talk that the set comes with, else the first. */
export function startHere(scenarios: readonly ScenarioSummary[]): ScenarioSummary | undefined {
  return scenarios.find((scenario) => scenario.id === 'the_ask') ?? scenarios[0];
}
