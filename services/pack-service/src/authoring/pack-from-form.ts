import { GLOBAL_SAFETY_ACTIONS, type FormLanguage, type PackForm } from '@parley/shared/contracts';
import { stringify } from 'yaml';
import { formRubric } from './form-rubric';
import { formScenario } from './form-scenario';
import type { FormTexts } from './form-words/english';
import type { FormTalk } from './form-words/form-talk';
import { FORM_WORDS } from './form-words/form-words';
import { slugOf } from './person';

export interface FormPack {
  readonly pack_id: string;
  readonly scenario_id: string;
  /** By path inside of the pack, in the order in which a reader would want them. */
  readonly files: ReadonlyMap<string, string>;
}

/** Where a pack that is made from a form says what may be asked of its character. */
const policy = (texts: FormTexts): Record<string, unknown> => ({
  schema_version: '0.2',
  policy_id: 'plain_talk',
  description: texts.policy.description,
  content_rating_cap: 'PG',
  allow_profanity: false,
  redirect_message: texts.policy.redirect_message,
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
});

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

const person = (name: string, { person: says }: FormTexts): Record<string, unknown> => ({
  schema_version: '0.2',
  npc_id: 'person',
  display_name: name,
  archetype: 'somebody_with_a_need',
  fictional: true,
  age_band: 'adult',
  public_persona: {
    occupation: says.occupation,
    speaking_style: says.speaking_style,
    demeanor: says.demeanor,
  },
  private_persona: {
    hidden_agenda: [says.hidden_agenda],
    biases_to_simulate: [says.bias],
    boundaries: [says.boundary],
  },
  emotions: EMOTIONS,
  sample_lines: says.sample_lines,
  emotional_triggers: says.emotional_triggers,
});

const manifest = (form: PackForm, talk: FormTalk, texts: FormTexts, packId: string): Record<string, unknown> => ({
  schema_version: '0.2',
  pack_id: packId,
  name: talk.title,
  version: '1.0.0',
  description: texts.manifest.description,
  author: form.author ?? texts.manifest.author,
  license: 'CC-BY-4.0',
  content_rating: 'PG',
  tags: ['own'],
  supported_languages: [formLanguage(form)],
  entry_scenarios: [`scenarios/${talk.id}.yaml`],
  assets: { allow_external_urls: false },
  safety: { policy: 'safety/plain_talk.yaml' },
  skills: { saying_it: 'asking_clearly', hearing_it: 'listening', closing_it: 'making_offers' },
});

const ENDINGS = { skilled: 'a_next_step', passive: 'out_of_time', hostile: 'turned_away' } as const;

const SCRIPTS = ['skilled', 'passive', 'hostile'] as const;

const script = (talk: FormTalk, { scripts }: FormTexts, name: keyof typeof ENDINGS): Record<string, unknown> => ({
  schema_version: '0.2',
  fixture_id: `${talk.id}_${name}`,
  scenario_id: talk.id,
  description: scripts[name].description,
  difficulty: 'standard',
  turns: scripts[name].lines.map((text, at, { length }) => ({
    turn: at + 1,
    player_input: text,
    npc: { npc_utterance: scripts.answer, npc_emotion: 'neutral', state_delta: {}, event_flags: [] },
    ...(at === length - 1 ? { expect: { ending: ENDINGS[name] } } : {}),
  })),
});

const formLanguage = (form: PackForm): FormLanguage => form.language ?? 'en';

/**
 * A whole pack out of the answers of a form: it lints without a finding, is won, lost and left in its three playthroughs, and
 * can be talked to without a model.
 */
export function packFromForm(form: PackForm): FormPack {
  const language = formLanguage(form);
  const words = FORM_WORDS[language];
  const who = words.named(form.who);
  const title = form.title ?? words.title(who.name);
  const id = slugOf(title);
  const talk: FormTalk = { id, title, person: who, want: words.phrase(form.want), need: words.phrase(form.need) };
  const texts = words.texts(talk);
  const packId = form.pack_id ?? `my.${id}`;
  const yaml = (value: unknown): string => stringify(value, { lineWidth: 120, aliasDuplicateObjects: false });
  return {
    pack_id: packId,
    scenario_id: `${packId}.${id}`,
    files: new Map([
      ['manifest.yaml', yaml(manifest(form, talk, texts, packId))],
      [`scenarios/${id}.yaml`, yaml(formScenario(language, talk))],
      ['npcs/person.yaml', yaml(person(who.name, texts))],
      ['rubrics/plain_talk.yaml', yaml(formRubric(texts))],
      ['safety/plain_talk.yaml', yaml(policy(texts))],
      ...SCRIPTS.map((name): [string, string] => [`tests/${name}.yaml`, yaml(script(talk, texts, name))]),
      ['README.md', texts.readme],
      ['LICENSE', 'CC-BY-4.0: https://creativecommons.org/licenses/by/4.0/\n'],
    ]),
  };
}
