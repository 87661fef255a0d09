import { axeViolations } from './axe-violations';
import { describePage } from './page-suite';

describePage('another answer', (current) => {
  const askAgain = () =>
    current().page.getByRole('button', { name: 'Ask again: Dana replies to your last line again' });
  const step = (name: string) => current().page.getByRole('button', { name, exact: true });
  const words = (index: number) => current().page.locator(`#turn-${index} .line-words`);

  it('is asked for beside the last one, and each is chosen with the keyboard, which stays where it is', async () => {
    const { page, api, go } = current();
    const one = api.played(2);
    await go(`/play/${one.session.id}`);
    const first = await words(5).innerText();
    await askAgain().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('log').getByText('Say that again, and begin with the figure.').waitFor();
    await page.locator('.composer-field:focus').waitFor();
    expect(api.talk.keys.at(-1)).toMatch(/^[\w-]{8,64}$/);
    expect(await page.getByText('2 of 2', { exact: true }).count()).toBe(1);
    expect(await step('Next answer').getAttribute('aria-disabled')).toBe('true');
    await step('Previous answer').focus();
    await page.keyboard.press('Enter');
    await page.getByText('1 of 2', { exact: true }).waitFor();
    await page.getByRole('log').getByText(first).waitFor();
    await step('Previous answer').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('2 of 2', { exact: true }).waitFor();
    expect(one.turns).toHaveLength(5);
    const group = page.getByRole('group', { name: 'Answers of Dana' });
    expect(await group.getByText('Answer 2 of 2').count()).toBe(1);
    expect(await axeViolations(page)).toEqual([]);
  });

  it('is not to be had once something was said after it, nor beside the opening', async () => {
    const { page, api, go } = current();
    const fresh = api.played(0);
    await go(`/play/${fresh.session.id}`);
    await page.locator('.composer-field').waitFor();
    expect(await askAgain().count()).toBe(0);
    const { session } = api.played(2);
    await go(`/play/${session.id}`);
    await askAgain().click();
    await page.getByText('2 of 2', { exact: true }).waitFor();
    await page.locator('.composer-field').fill('Then let me say it.');
    await page.locator('.composer-field').press('Enter');
    await page.getByText('Your line 4 of 14').waitFor();
    expect(await page.getByText('2 of 2', { exact: true }).count()).toBe(0);
    expect(await page.locator('.answers').count()).toBe(1);
    expect(await page.locator('#turn-7 .answers').count()).toBe(1);
  });

  it('is offered with more weight where a stand-in line stands, and five times at the most', async () => {
    const { page, api, go } = current();
    const one = api.played(2);
    one.turns[4] = { ...(one.turns[4] as (typeof one.turns)[number]), used_fallback: true };
    await go(`/play/${one.session.id}`);
    await askAgain().waitFor();
    expect(await askAgain().getAttribute('class')).toBe('button');
    await askAgain().click();
    await page.getByText('2 of 2', { exact: true }).waitFor();
    expect(await askAgain().getAttribute('class')).toBe('button button-quiet');
    expect(await page.getByText('Stand-in line').count()).toBe(0);
    for (const count of [3, 4, 5]) {
      await askAgain().click();
      await page.getByText(`${count} of ${count}`, { exact: true }).waitFor();
    }
    expect(await askAgain().count()).toBe(0);
    await page.getByText('At most 5 replies to the same line.').waitFor();
  });

  it('undoes the end of a talk, and is there again when that answer is chosen', async () => {
    const { page, api, go } = current();
    const { session } = api.played(5);
    await go(`/play/${session.id}`);
    await page.getByRole('heading', { name: 'A case she can carry' }).waitFor();
    await askAgain().click();
    await page.locator('.composer-field').waitFor();
    await page.getByText('2 of 2', { exact: true }).waitFor();
    expect(await page.getByRole('heading', { name: 'A case she can carry' }).count()).toBe(0);
  });

  it('that fails leaves the last one where it is', async () => {
    const { page, api, go } = current();
    const one = api.played(2);
    await go(`/play/${one.session.id}`);
    api.talk.failNextTurn = 'RUNTIME_UNAVAILABLE';
    await askAgain().click();
    const trouble = page.getByRole('alert');
    await trouble.getByText('No other reply came, so the last one stays.').waitFor();
    await trouble.getByRole('button', { name: 'Continue with the last reply' }).click();
    await page.locator('.composer-field').waitFor();
    expect(one.turns.at(-1)?.variants).toBeUndefined();
  });
});
