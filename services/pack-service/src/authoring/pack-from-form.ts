import { GLOBAL_SAFETY_ACTIONS, type PackForm } from '@parley/shared/contracts';
import { stringify } from 'yaml';
import { FORM_RUBRIC } from './form-rubric';
import { formScenario, type FormTalk } from './form-scenario';
import { personOf, phraseOf, slugOf, type Person } from './person';

export interface FormPack {
  readonly pack_id: string;
  readonly scenario_id: string;
  /** By path inside of the pack, in the order in which a reader would want them. */
  readonly files: ReadonlyMap<string, string>;
}

/** Where a pack that is made from a form says what may be asked of its character. */
const POLICY = {
  schema_version: '0.2',
  policy_id: 'plain_talk',
  description: 'A talk between two people who will meet again.',
  content_rating_cap: 'PG',
  allow_profanity: false,
  redirect_message: "Let's stay with what you came for.",
  content_categories: {
    nsfw_sexual_content: 'redirect',
    real_person_impersonation: 'redirect',
    voice_cloning_request: 'refuse',
    medical_or_therapy_claim: 'redirect',
    legal_claim: 'redirect',
    criminal_instruction: 'refuse',
    harassment_extreme: 'redirect',
    ...GLOBAL_SAFETY_ACTIONS,
  },
};

const EMOTIONS = [
  'neutral',
  'warm',
  'curious',
  'surprised',
  'thoughtful',
  'hesitant',
  'hurt',
  'frustrated',
  'angry',
  'defensive',
  'relieved',
];

const person = ({ name, described }: Person, need: string): Record<string, unknown> => ({
  schema_version: '0.2',
  npc_id: 'person',
  display_name: name,
  archetype: 'somebody_with_a_need',
  fictional: true,
  age_band: 'adult',
  public_persona: {
    occupation: `The player describes them as "${described}"`,
    speaking_style: 'Plain and short, as people talk who know each other.',
    demeanor: 'Friendly and a bit guarded: does not know yet what this is about.',
  },
  private_persona: {
    hidden_agenda: [`See to this: ${need}.`],
    biases_to_simulate: ['Takes a general reproach as an attack.'],
    boundaries: ['Promises nothing that costs them what they need.'],
  },
  emotions: EMOTIONS,
  sample_lines: ['I have a few minutes. What is it?', 'Say it straight, then I can think about it.'],
  emotional_triggers: [
    { when_player: 'asks an open question and waits', reaction: 'Says what matters to them.' },
    { when_player: 'blames or threatens', reaction: 'Grows short and looks at the door.' },
  ],
});

const manifest = (form: PackForm, talk: FormTalk, packId: string): Record<string, unknown> => ({
  schema_version: '0.2',
  pack_id: packId,
  name: talk.title,
  version: '1.0.0',
  description: `A talk with ${talk.person.name}, made from a form.`,
  author: form.author ?? 'me',
  license: 'CC-BY-4.0',
  content_rating: 'PG',
  tags: ['own'],
  supported_languages: ['en'],
  entry_scenarios: [`scenarios/${talk.id}.yaml`],
  assets: { allow_external_urls: false },
  safety: { policy: 'safety/plain_talk.yaml' },
  skills: { saying_it: 'asking_clearly', hearing_it: 'listening', closing_it: 'making_offers' },
});

const line = (turn: number, player_input: string): Record<string, unknown> => ({
  turn,
  player_input,
  npc: { npc_utterance: 'Go on.', npc_emotion: 'neutral', state_delta: {}, event_flags: [] },
});

const script = (talk: FormTalk, name: string, description: string, lines: readonly string[], ending: string) => ({
  schema_version: '0.2',
  fixture_id: `${talk.id}_${name}`,
  scenario_id: talk.id,
  description,
  difficulty: 'standard',
  turns: lines.map((text, at) => ({
    ...line(at + 1, text),
    ...(at === lines.length - 1 ? { expect: { ending } } : {}),
  })),
});

const scripts = (talk: FormTalk): [string, Record<string, unknown>][] => [
  [
    'skilled',
    script(talk, 'skilled', 'Somebody who says it, asks, takes it up and fixes a day.', [
      `Thank you for the time. I'd like to talk to you about this: ${talk.want}.`,
      'What would worry you about it?',
      `I hear what matters to you: ${talk.need}. What if we try it and then look at it together?`,
      "Let's look at it again on Friday at ten. Does that work for you?",
    ], 'a_next_step'),
  ],
  [
    'passive',
    script(talk, 'passive', 'Somebody who never says what it is about.', Array.from({ length: 10 }, (_, at) => `Well. ${'Mm. '.repeat(at)}`.trim()), 'out_of_time'),
  ],
  [
    'hostile',
    script(talk, 'hostile', 'Somebody who attacks.', ['You idiot, this is all your fault.', 'You are useless, and you never listen to anybody!'], 'turned_away'),
  ],
]; // prettier-ignore

const readme = ({ title, person: { name }, want }: FormTalk): string =>
  `# ${title}\n\nA talk with ${name}, made from a form. It is about this: ${want}.\n\nWhat to change first: how ${name} speaks (\`npcs/person.yaml\`), the opening line and the\nlines of the demo voice (\`scenarios/\`), then the signs of the moves, until \`tests/skilled.yaml\` reads like you.\n`;

/**
 * A whole pack out of the answers of a form: it lints without a finding, is won, lost and left in its three playthroughs, and
 * can be talked to without a model.
 */
export function packFromForm(form: PackForm): FormPack {
  const who = personOf(form.who);
  const title = form.title ?? `A talk with ${who.name}`;
  const id = slugOf(title);
  const talk: FormTalk = { id, title, person: who, want: phraseOf(form.want), need: phraseOf(form.need) };
  const packId = form.pack_id ?? `my.${id}`;
  const yaml = (value: unknown): string => stringify(value, { lineWidth: 120, aliasDuplicateObjects: false });
  return {
    pack_id: packId,
    scenario_id: `${packId}.${id}`,
    files: new Map([
      ['manifest.yaml', yaml(manifest(form, talk, packId))],
      [`scenarios/${id}.yaml`, yaml(formScenario(talk))],
      ['npcs/person.yaml', yaml(person(who, talk.need))],
      ['rubrics/plain_talk.yaml', yaml(FORM_RUBRIC)],
      ['safety/plain_talk.yaml', yaml(POLICY)],
      ...scripts(talk).map(([name, content]): [string, string] => [`tests/${name}.yaml`, yaml(content)]),
      ['README.md', readme(talk)],
      ['LICENSE', 'CC-BY-4.0: https://creativecommons.org/licenses/by/4.0/\n'],
    ]),
  };
}
