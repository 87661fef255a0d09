import type { PackFileKind } from '@parley/shared/contracts';
import { parseYaml } from './parse-yaml';
import { matchSchema } from './schema-findings';

function match(kind: PackFileKind, text: string) {
  const { document, findings } = parseYaml('file.yaml', Buffer.from(text));
  if (document === null) throw new Error(JSON.stringify(findings));
  return matchSchema(document, kind);
}

const SCENE = 'schema_version: "0.1"\nscene_id: room\ndisplay_name: A room\ndescription: Small.\n';
const SAFETY = 'schema_version: "0.1"\npolicy_id: p\ncontent_rating_cap: G\ncontent_categories:\n';
const NPC = `schema_version: "0.1"
npc_id: dana
display_name: Dana
archetype: manager
fictional: true
age_band: adult
public_persona: {occupation: Manager, speaking_style: Dry, demeanor: Warm}
private_persona: {}
`;

describe('holding files against their schemas', () => {
  it('finds nothing in a whole file', () => {
    expect(match('scene', SCENE)).toMatchObject({ content: { scene_id: 'room' }, findings: [] });
    expect(match('npc', NPC).findings).toEqual([]);
  });

  it('names an unknown member with its place and what was meant', () => {
    const { findings } = match('scene', `${SCENE}backgruond: assets/a.png\n`);
    expect(findings).toEqual([
      expect.objectContaining({
        rule: 'schema.scene',
        line: 5,
        column: 1,
        path: 'backgruond',
        hint: 'Did you mean background?',
      }),
    ]);
  });

  it('tells a 0.1 file that it uses a member of 0.2', () => {
    const { findings, content } = match('scene', `${SCENE}alt: A small room.\n`);
    expect(content).toBeNull();
    expect(findings).toEqual([
      expect.objectContaining({
        rule: 'schema.scene',
        line: 5,
        path: 'alt',
        message: expect.stringContaining('0.2') as string,
      }),
    ]);
    expect(match('scene', `${SCENE}alt: A small room.\n`.replace('0.1', '0.2')).findings).toEqual([]);
  });

  it('reports all that is wrong at once', () => {
    const { findings } = match('scene', 'schema_version: 0.1\nscene_id: A Room\ndescription: 3\n');
    expect(findings.map((one) => [one.path, one.line])).toEqual([
      ['schema_version', 1],
      ['scene_id', 2],
      ['display_name', 1],
      ['description', 3],
    ]);
    expect(findings[0]?.hint).toBe('Put it in quotes.');
  });

  it('stops at a file that is none of its kind, in time', () => {
    const strange = Array.from({ length: 4_500 }, (_, index) => `k${index}: 1\n`).join('');
    const { findings, readable } = match('scene', SCENE + strange);
    expect(findings).toHaveLength(201);
    expect(findings.at(-1)).toMatchObject({ message: 'And 4300 more.', line: 204 });
    expect(readable).toBeNull();
  });

  it('refuses a licensed persona', () => {
    expect(match('npc', `${NPC}licensed_persona: {name: Somebody}\n`).findings).toEqual([
      expect.objectContaining({ rule: 'schema.npc', path: 'licensed_persona', line: 9 }),
    ]);
  });

  it.each([
    ['  minors_romantic_or_sexual: redirect\n', 'policy.global-rule'],
    ['  self_harm_crisis: refuse\n', 'policy.global-rule'],
    ['  legal_claim: stop\n', 'schema.safety'],
    ['  legal_clam: refuse\n', 'schema.safety'],
  ])('names the rule for the policy %j', (line, rule) => {
    expect(match('safety', SAFETY + line).findings).toEqual([expect.objectContaining({ rule, line: 5 })]);
  });

  it('accepts the older names of categories', () => {
    expect(match('safety', `${SAFETY}  nsfw_sexual: block\n  crisis_content: redirect\n`).findings).toEqual([]);
  });

  it('says that a rating above PG-13 is too high, and that an unknown one is unknown', () => {
    const rules = (rating: string) =>
      match(
        'safety',
        `schema_version: "0.1"\npolicy_id: p\ncontent_rating_cap: ${rating}\ncontent_categories: {}\n`,
      ).findings.map((one) => one.rule);
    expect(rules('R')).toEqual(['rating.too-high']);
    expect(rules('NC-17')).toEqual(['rating.too-high']);
    expect(rules('nice')).toEqual(['schema.safety']);
    expect(rules('PG-13')).toEqual([]);
  });

  it('looks into the form of a condition that was meant', () => {
    const scenario = (when: string, version = '0.2') => `schema_version: "${version}"
scenario_id: s
title: T
summary: S
player_role: {label: You, brief: B}
npc: {ref: ../npcs/a.yaml}
rubric: {ref: ../rubrics/a.yaml}
duration: {max_turns: 5}
opening: {npc_says: Hello}
goals: {}
events:
  - {id: e, npc_instruction: I, when: ${when}}
`;
    const find = (when: string, version?: string) => match('scenario', scenario(when, version)).findings;
    expect(find('{type: flag, flag_id: x}', '0.1')).toEqual([]);
    expect(find('[{type: flag, flag_id: x}]')).toEqual([]);
    expect(find('[{type: flag, flag_id: x}]', '0.1')).toEqual([
      expect.objectContaining({ rule: 'schema.scenario', path: 'events[0].when' }),
    ]);
    expect(find('{type: variable_above, variabel: x, threshold: 3}').map((one) => [one.path, one.hint])).toEqual(
      expect.arrayContaining([['events[0].when.variabel', 'Did you mean variable?']]),
    );
    expect(find('[{type: max_turns, value: two}]')).toEqual([
      expect.objectContaining({ path: 'events[0].when[0].value' }),
    ]);
    expect(find('{type: variable_over, variable: x, threshold: 3}')).toHaveLength(1);
  });
});
