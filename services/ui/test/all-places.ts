import type { Page } from 'playwright-core';
import {
  ServiceError,
  type FittingModel,
  type FoundProgram,
  type ModelInstall,
  type Recap,
  type SuggestedModel,
} from '@parley/shared/contracts';
import type { StandInApi } from './stand-in/stand-in-api';
import { writeJudgedDebrief } from './stand-in/stand-in-judged-debrief';

/** A view of the page: its address, something that is seen once it is there, and what leads to it from there. */
export interface Place {
  readonly path: string;
  readonly sign: string;
  readonly prepare?: () => Promise<unknown>;
}

const RECAP: Recap = {
  npc_id: 'dana',
  pack_id: 'the_ask',
  schema_version: '1',
  session_count: 3,
  last_session_at: '2026-01-05T10:00:00.000Z',
  key_observations: ['Offer a second way that fits inside her three percent, such as a grade in January.'],
  player_style_tags: ['strong: a clear ask', 'practises: a close'],
  last_outcome: 'success',
};

const INSTALLS: ModelInstall[] = [
  {
    id: 'install-1',
    model_id: 'a-model-with-a-very-long-name-that-has-no-place-to-break-Q4_K_M.gguf',
    status: 'downloading',
    bytes_done: 640_000_000,
    bytes_total: 2_500_000_000,
    message: null,
  },
  { id: 'install-2', model_id: 'small.gguf', status: 'verifying', bytes_done: 9, bytes_total: null, message: null },
  { id: 'install-3', model_id: 'old.gguf', status: 'failed', bytes_done: 0, bytes_total: null, message: 'Disk full.' },
];

const PROGRAM: FoundProgram = {
  product: 'ollama',
  runtime_id: 'local_native',
  base_url: 'http://127.0.0.1:11434',
  models: ['small:2b', 'a-model-with-a-very-long-name-that-has-no-place-to-break:12b'],
  problem: null,
};

const asFitting = (model: SuggestedModel): FittingModel => ({
  ...model,
  memory_bytes: 3_300_000_000,
  words_per_second: { from: 3.5, to: 8.5 },
});

const attempt = (name: string, month: number, kind: 'first' | 'retry', score: number | null) => ({
  session_id: `the-${name}-session-of-the-test`,
  ended_at: `2026-0${month}-11T16:20:00.000Z`,
  attempt: kind,
  difficulty: 'standard' as const,
  coaching: false,
  finished: true,
  ending_type: score === null ? ('player_exit' as const) : ('success' as const),
  overall_score: score,
  dimensions: { clear_ask: score },
});
const ATTEMPTS = [
  attempt('first', 1, 'first', 48),
  attempt('second', 1, 'retry', 71),
  attempt('third', 2, 'first', 55),
  attempt('fourth', 3, 'first', 62),
  attempt('fifth', 3, 'retry', null),
];

/** Every view of the page, with something in it. `tidyUp` takes back what was changed for them. */
export function allPlaces(api: StandInApi, page: Page): { places: Place[]; tidyUp: () => void } {
  const running = api.played(2).session.id;
  const answered = api.played(1);
  const ended = api.played(5);
  ended.turns[2] = { ...(ended.turns[2] as (typeof ended.turns)[number]), used_fallback: true };
  const over = ended.session.id;
  const stopped = api.played(2);
  stopped.session = { ...stopped.session, flow_state: 'Ended', ending_type: 'safety_stop' };
  const retry = api.retried(ended, 3).session.id;
  api.debriefs.areKept = true;
  const judged = api.debriefed(5, writeJudgedDebrief).session.id;
  const coached = api.played(1);
  coached.session = { ...coached.session, coaching: true };
  const { home, models } = api;
  const { runtime: demo, progress, recaps } = home;
  home.recaps = [RECAP];
  home.progress = {
    skills: [],
    suggestions: [],
    scenarios: [
      { scenario_id: 'the_ask', title: 'The ask', attempts: ATTEMPTS },
      { scenario_id: 'kitchen_rota', title: 'The kitchen rota', attempts: ATTEMPTS.slice(0, 1) },
    ],
    dimensions: [
      {
        id: 'clear_ask',
        name: 'A clear ask',
        points: ATTEMPTS.flatMap(({ session_id, ended_at, attempt: kind, overall_score: score }) =>
          score === null ? [] : [{ session_id, ended_at, attempt: kind, score }],
        ),
      },
      {
        id: 'interests',
        name: 'Finding her interests',
        points: ATTEMPTS.slice(0, 2).map(({ session_id, ended_at, attempt: kind }) => ({
          session_id,
          ended_at,
          attempt: kind,
          score: 40,
        })),
      },
    ],
  };
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const write = (words: string) => page.locator('.composer-field').fill(words);
  const withModelServer = async () => {
    home.runtime = { ...demo, runtime_id: 'local_server', runtime_name: 'Model server' };
    models.installs = INSTALLS;
    await page.reload();
    await page.getByRole('progressbar').first().waitFor();
    await page.getByText('Show its log').click();
    await page.locator('.models-log').waitFor();
    home.runtime = demo;
  };
  const speakOverTheOther = async () => {
    api.talk.holdAfterWords = 4;
    await write('Two things.');
    await page.locator('.composer-field').press('Enter');
    await page.locator('.line-live', { hasText: 'The freight' }).waitFor();
    await write('And one more.');
    await page.locator('.composer-field').press('Enter');
    await page.locator('.composer-refusal').waitFor();
  };
  const tryOnce = async () => {
    await write('So three percent is yours. What can you decide beyond it?');
    await press('Try this line');
    await page.locator('.try').waitFor();
  };
  const checkLine = async () => {
    await write('What can you decide?');
    await press('Check this line');
    await page.locator('.coached').waitFor();
  };
  const inTrouble = async () => {
    home.runtime = { ...demo, status: 'ERROR', message: 'The model server refuses the key. Check SIM_MODEL_KEY.' };
    await page.reload();
    await page.locator('.pill-message').waitFor();
    home.runtime = demo;
  };
  const { choice } = api;
  choice.found = [PROGRAM];
  choice.fitting = { ...choice.fitting, models: models.suggested.map(asFitting) };
  const connecting = async () => {
    choice.trialFails = new ServiceError('RUNTIME_ERROR', 'The native model server asks for a key.');
    await press('Use this one: Ollama at http://127.0.0.1:11434');
    await page.getByText('The native model server asks for a key.').waitFor();
    choice.trialFails = null;
    home.runtime = demo;
  };
  const talkInDraft = async () => {
    api.pack.workbench.findingsOf = () => [];
    await page.reload();
    await press('Talk');
    await page.getByText('Where it begins').click();
    await page.getByText('Record as a playthrough').waitFor({ state: 'detached' });
    await page.getByLabel('Your line').fill('Why not?');
    await press('Say it');
    await page.getByText('Record as a playthrough').click();
    api.pack.workbench.findingsOf = findingsOf;
  };
  const { findingsOf } = api.pack.workbench;
  const places: Place[] = [
    { path: '/', sign: '.scenario-card' },
    { path: '/', sign: '.scenario-card', prepare: inTrouble },
    { path: '/scenarios/the_ask', sign: '.briefing-begin' },
    { path: `/play/${running}`, sign: '.composer-field' },
    { path: `/play/${running}`, sign: '.composer-field', prepare: () => press('Show a hint') },
    { path: `/play/${running}`, sign: '.composer-field', prepare: () => press('End the talk') },
    { path: `/play/${answered.session.id}`, sign: '.composer-field', prepare: speakOverTheOther },
    { path: `/play/${over}`, sign: '.ending' },
    { path: `/play/${stopped.session.id}`, sign: '.ending-help' },
    { path: `/sessions/${judged}/moment`, sign: '.moment .composer-field', prepare: tryOnce },
    { path: `/play/${coached.session.id}`, sign: '.composer-field', prepare: checkLine },
    { path: `/sessions/${over}/debrief`, sign: '.rating' },
    { path: `/sessions/${over}/debrief`, sign: '.rating', prepare: () => press('Skip') },
    { path: `/sessions/${over}/debrief`, sign: '.letter', prepare: () => page.getByText('Show as a table').click() },
    { path: `/sessions/${retry}/debrief`, sign: '.first-try table' },
    { path: '/history', sign: '.history-row' },
    { path: '/progress', sign: '.progress table' },
    { path: '/rehearse', sign: '.rehearse-form' },
    { path: '/packs', sign: '.packs-row' },
    { path: '/workbench', sign: '.workbench-drafts li' },
    { path: '/workbench/my.talk', sign: '.workbench-findings li' },
    { path: '/workbench/my.talk', sign: '.workbench-findings li', prepare: () => press('Story') },
    { path: '/workbench/my.talk', sign: '.workbench-findings li', prepare: talkInDraft },
    { path: '/models', sign: '.models-suggested li' },
    { path: '/models', sign: '.models-suggested li', prepare: withModelServer },
    { path: '/connect', sign: '.connect-list li', prepare: () => page.getByText('It uses another port').click() },
    { path: '/connect', sign: '.connect-list li', prepare: connecting },
    { path: '/diagnostics', sign: '.diagnostics-table' },
    { path: '/settings', sign: '.memory-note' },
    { path: '/help', sign: '.help-keys' },
    { path: '/nowhere', sign: 'h1' },
  ];
  const tidyUp = () => {
    Object.assign(home, { runtime: demo, progress, recaps });
    models.reset();
    api.pack.workbench.findingsOf = findingsOf;
    choice.reset();
    api.debriefs.areKept = false;
    api.goOn();
  };
  return { places, tidyUp };
}
