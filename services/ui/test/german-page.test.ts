import { de } from '../src/page/messages/de';
import { en } from '../src/page/messages/en';
import { axeViolations } from './axe-violations';
import { describePage } from './page-suite';
import { writeJudgedDebrief } from './stand-in/stand-in-judged-debrief';

/** Sentences of the English catalogue that the German one does not have, as far as they are plain text. */
const ENGLISH = textsOf(en).filter((text) => text.length > 10 && !textsOf(de).includes(text));

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

describePage(
  'the page in German',
  (current) => {
    it('speaks German everywhere, fits a phone and is clean for axe', async () => {
      const { page, api, go } = current();
      api.debriefs.areKept = true;
      const ended = api.debriefed(5, writeJudgedDebrief);
      const running = api.played(2);
      const places: [path: string, words: string][] = [
        ['/', de.library.intro],
        ['/scenarios/the_ask', de.briefing.begin],
        [`/play/${running.session.id}`, de.stage.end],
        [`/play/${ended.session.id}`, de.ending.toDebrief],
        [`/sessions/${ended.session.id}/debrief`, de.judging.outcome],
        ['/history', de.history.search],
        ['/progress', de.progress.intro],
        ['/packs', de.packs.intro],
        ['/connect', de.connect.intro],
        ['/settings', de.settings.promise],
        ['/help', de.help.intro],
        ['/rehearse', de.rehearse.intro],
        ['/workbench', de.workbench.intro],
        ['/nowhere', de.app.notFound],
      ];
      for (const [path, words] of places) {
        await page.setViewportSize({ width: 320, height: 800 });
        await go(path);
        await page.getByText(words).first().waitFor();
        const told = await page.evaluate(() => ({
          lang: document.documentElement.lang,
          text: document.body.innerText,
          overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
        }));
        expect({ path, lang: told.lang, overflow: told.overflow }).toEqual({ path, lang: 'de', overflow: 0 });
        const left = ENGLISH.filter((text) => told.text.includes(text));
        expect({ path, left }).toEqual({ path, left: [] });
        expect({ path, violations: await axeViolations(page) }).toEqual({ path, violations: [] });
      }
    });
  },
  // axe does what the page's policy rightly forbids.
  { locale: 'de-AT', bypassCSP: true },
);

describePage('the page in English', (current) => {
  it('fetches no other catalogue', async () => {
    const { page, go } = current();
    const fetched: string[] = [];
    page.on('request', (request) => fetched.push(request.url()));
    await go('/');
    await page.getByText(en.library.intro).waitFor();
    expect(fetched.filter((url) => /\/de-[\w-]+\.js$/.test(url))).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('en');
  });
});
