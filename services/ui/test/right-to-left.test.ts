import type { Page } from 'playwright-core';
import { describePage } from './page-suite';

const WORDS = 'שלום, זה משפט לדוגמה.';

/** Every text of an author, at whatever depth, in Hebrew; ids, addresses, names of variables and languages stay. */
function inHebrew<T>(value: T, name = ''): T {
  const stays =
    /^(id|pack_id|url|portrait_url|portraits|content_rating|difficulty|type|visibility|name_of|languages?)$/;
  if (stays.test(name)) return value;
  if (typeof value === 'string') return WORDS as T;
  if (Array.isArray(value)) return value.map((one) => inHebrew(one as unknown, name)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inHebrew(one as unknown, key)])) as T;
}

/** Texts that begin with a right-to-left letter and are laid out from left to right. */
const leftToRight = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node.parentElement;
      const first = /\p{L}/u.exec(node.textContent ?? '')?.[0] ?? '';
      if (element === null || !/\p{Script=Hebrew}/u.test(first)) continue;
      // The block decides on which side a line begins.
      const block = element.closest('p, li, h1, h2, h3, h4, small, span, textarea, th, td, option, bdi, a') ?? element;
      const owner = element.closest('[dir]') ?? block;
      if (getComputedStyle(owner).direction !== 'rtl')
        found.push(`<${block.tagName.toLowerCase()} class="${block.className}"> ${node.textContent ?? ''}`);
    }
    return [...new Set(found)];
  });

describePage('a text that is read from right to left', (current) => {
  it('is laid out from right to left wherever a player, a character or a pack speaks', async () => {
    const { page, api, go } = current();
    const { detail, packs } = api.pack;
    const { variables, ...told } = detail;
    api.pack.detail = { ...inHebrew(told), variables };
    api.pack.packs = packs.map((pack) => ({
      ...pack,
      name: WORDS,
      description: WORDS,
      author: WORDS,
      license: WORDS,
    }));
    api.home.recaps = [
      {
        npc_id: 'dana',
        pack_id: 'the_ask',
        schema_version: '1',
        session_count: 1,
        last_session_at: '2026-01-05T10:00:00.000Z',
        key_observations: [WORDS],
        player_style_tags: [WORDS],
        last_outcome: 'success',
      },
    ];
    const ended = api.played(5);
    ended.turns = ended.turns.map((turn) => ({ ...turn, text: WORDS }));
    ended.events = ended.events.map((event) =>
      event.kind === 'scenario_event' ? { ...event, payload: { ...event.payload, narration: WORDS } } : event,
    );
    const running = api.played(2);
    running.turns = running.turns.map((turn) => ({ ...turn, text: WORDS }));
    running.session = { ...running.session, hint: WORDS };
    const point = { session_id: ended.session.id, ended_at: '2026-01-01T00:00:00.000Z', attempt: 'first' as const };
    const progress = api.home.progress;
    api.home.progress = {
      skills: [],
      suggestions: [],
      scenarios: [
        {
          scenario_id: 'the_ask',
          title: WORDS,
          attempts: [
            {
              ...point,
              difficulty: 'standard',
              coaching: false,
              finished: true,
              ending_type: 'success',
              overall_score: 60,
              dimensions: { clear_ask: 60 },
            },
          ],
        },
      ],
      dimensions: [{ id: 'clear_ask', name: WORDS, points: [{ ...point, score: 60 }] }],
    };
    const found: string[] = [];
    const look = async (place: string) => {
      found.push(...(await leftToRight(page)).map((text) => `${place}: ${text}`));
      expect(await page.getByText(WORDS).count()).toBeGreaterThan(0);
    };
    const open = async (path: string, sign: string) => {
      await go(path);
      await page.locator(sign).first().waitFor();
    };

    await open('/', '.scenario-card');
    await look('library');
    await open('/scenarios/the_ask', '.briefing-begin');
    await look('briefing');
    await open(`/play/${running.session.id}`, '.composer-field');
    await page.getByRole('button', { name: 'Show a hint' }).click();
    await page.locator('.composer-field').fill(WORDS);
    await look('stage');
    expect(await page.locator('.composer-field').evaluate((field) => getComputedStyle(field).direction)).toBe('rtl');
    api.talk.failNextTurn = 'RUNTIME_UNAVAILABLE';
    await page.locator('.composer-field').press('Enter');
    await page.locator('.trouble-words').waitFor();
    await look('trouble');
    await open(`/play/${ended.session.id}`, '.ending');
    await look('ending');
    await open(`/sessions/${ended.session.id}/debrief`, '.rating');
    await look('self-rating');
    await page.getByRole('button', { name: 'Skip' }).click();
    await page.locator('.letter').waitFor();
    ended.debrief = ended.debrief && {
      ...ended.debrief,
      summary: WORDS,
      strengths: [WORDS],
      improvements: [WORDS],
      replay_suggestions: [{ turn: 4, suggestion: WORDS }],
      turning_points: ended.debrief.turning_points.map((one) => ({ ...one, description: WORDS })),
      dimensions: ended.debrief.dimensions.map((one) => ({
        ...one,
        name: WORDS,
        observations: one.observations.map((seen) => ({ ...seen, note: WORDS })),
      })),
    };
    api.debriefs.areKept = true;
    await open(`/sessions/${ended.session.id}/debrief`, '.letter');
    await look('debrief');
    const retry = api.retried(ended, 3);
    retry.debrief = retry.debrief && { ...retry.debrief, ...ended.debrief, session_id: retry.session.id };
    await open(`/sessions/${retry.session.id}/debrief`, '.first-try table');
    await look('debrief of a retry');
    for (const [path, sign] of [
      ['/history', '.history-row'],
      ['/progress', '.progress table'],
      ['/packs', '.packs-row'],
      ['/settings', '.memory-note'],
    ] as const) {
      await open(path, sign);
      await look(path);
    }
    Object.assign(api.pack, { detail, packs });
    Object.assign(api.home, { progress, recaps: [] });
    api.debriefs.areKept = false;
    expect(found).toEqual([]);
  });

  it('leaves the page itself, and a text from left to right beside it, as they are', async () => {
    const { page, api, go } = current();
    const one = api.played(1);
    one.turns[2] = { ...(one.turns[2] as (typeof one.turns)[number]), text: WORDS };
    await go(`/play/${one.session.id}`);
    const directionOf = (selector: string) =>
      page.locator(selector).evaluate((element) => getComputedStyle(element).direction);
    expect(await directionOf('#turn-3 .line-words')).toBe('rtl');
    expect(await directionOf('#turn-2 .line-words')).toBe('ltr');
    expect(await directionOf('html')).toBe('ltr');
  });
});
