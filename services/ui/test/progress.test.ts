import type { Progress } from '@parley/shared/contracts';
import { describePage } from './page-suite';

type Point = Progress['dimensions'][number]['points'][number];
const point = (at: number, attempt: Point['attempt'], score: number): Point => ({
  session_id: `session-${at}-of-the-progress-test`,
  ended_at: `2026-03-${String(10 + at).padStart(2, '0')}T12:00:00.000Z`,
  attempt,
  score,
});

const THREE_FIRST = [
  point(1, 'first', 48),
  point(2, 'retry', 71),
  point(3, 'first', 55),
  point(4, 'first', 62),
  point(5, 'retry', 80),
];

describePage('progress at a glance', (current) => {
  const chart = (name: string) => current().page.getByRole('region', { name, exact: true });

  async function openWith(points: Record<string, Point[]>) {
    const { api, go, page } = current();
    api.home.progress = {
      scenarios: [],
      skills: [],
      suggestions: [],
      dimensions: Object.entries(points).map(([name, its]) => ({
        id: name.toLowerCase().replaceAll(' ', '_'),
        name,
        points: its,
      })),
    };
    await go('/progress');
    await page.locator('.score-chart').first().waitFor();
  }

  it('has an axis with its name and its numbers, and the days below', async () => {
    await openWith({ 'A clear ask': THREE_FIRST });
    const one = chart('A clear ask');
    expect(await one.locator('.score-axis').allTextContents()).toEqual(['Score', 'Date']);
    expect(await one.locator('.score-tick').allTextContents()).toEqual(['0', '50', '100']);
    expect(await one.locator('.score-day').allTextContents()).toEqual([
      'Mar 11',
      'Mar 12',
      'Mar 13',
      'Mar 14',
      'Mar 15',
    ]);
  });

  it('fills first attempts, leaves retries hollow, and says which is which', async () => {
    await openWith({ 'A clear ask': THREE_FIRST });
    const one = chart('A clear ask');
    const fills = (selector: string) =>
      one.locator(selector).evaluateAll((dots) => dots.map((dot) => getComputedStyle(dot).fill));
    const [first = '', ...others] = await fills('circle.dot-first');
    const hollow = await fills('circle.dot-hollow');
    expect([others.length, hollow.length]).toEqual([2, 2]);
    expect(hollow).not.toContain(first);
    await current().page.getByText('First attempt').first().waitFor();
  });

  it('draws a line through three first attempts and no line through fewer, nor through retries', async () => {
    await openWith({
      'A clear ask': THREE_FIRST,
      'Two first attempts': [
        point(1, 'first', 40),
        point(2, 'retry', 50),
        point(3, 'first', 60),
        point(4, 'retry', 70),
      ],
      'Retries alone': [point(1, 'retry', 40), point(2, 'retry', 50), point(3, 'retry', 60)],
    });
    const lines = (name: string) => chart(name).locator('.score-line').count();
    expect([await lines('A clear ask'), await lines('Two first attempts'), await lines('Retries alone')]).toEqual([
      1, 0, 0,
    ]);
    // Three corners: the line goes through the first attempts.
    const path = (await chart('A clear ask').locator('.score-line').getAttribute('d')) ?? '';
    const dots = await chart('A clear ask')
      .locator('circle.dot-first')
      .evaluateAll((all) => all.map((dot) => `${dot.getAttribute('cx')},${dot.getAttribute('cy')}`));
    expect(path.match(/-?[\d.]+,-?[\d.]+/g)).toEqual(dots);
  });

  it('has a table beside it with every attempt, and the way to its debrief', async () => {
    const many = Array.from({ length: 18 }, (_, at) => point(at % 9, at % 3 === 0 ? 'first' : 'retry', 40 + at)).map(
      (one, at) => ({ ...one, session_id: `session-${at}-of-the-progress-test` }),
    );
    await openWith({ 'A clear ask': many });
    const one = chart('A clear ask');
    const table = one.getByRole('table');
    expect(await table.getByRole('row').count()).toBe(19);
    expect(await table.getByRole('row').nth(1).getByRole('cell').allInnerTexts()).toEqual(['Retry', '57']);
    await table.getByRole('row').nth(1).getByRole('link').click();
    await current().page.waitForURL(/\/sessions\/session-17-of-the-progress-test\/debrief$/);
  });

  it('stands beside the table in a wide window, above it on a phone', async () => {
    const { page } = current();
    await openWith({ 'A clear ask': THREE_FIRST });
    const boxes = async () => {
      const picture = await chart('A clear ask').locator('svg').boundingBox();
      const table = await chart('A clear ask').getByRole('table').boundingBox();
      return { picture, table };
    };
    const wide = await boxes();
    expect(wide.table?.x).toBeGreaterThanOrEqual((wide.picture?.x ?? 0) + (wide.picture?.width ?? 0));
    await page.setViewportSize({ width: 320, height: 640 });
    const narrow = await boxes();
    expect(narrow.table?.y).toBeGreaterThanOrEqual((narrow.picture?.y ?? 0) + (narrow.picture?.height ?? 0));
  });
});
