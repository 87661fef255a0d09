import { describePage } from './page-suite';

describePage('a stand-in line', (current) => {
  const WORDS = 'Stand-in line: the model’s reply could not be used.';

  async function withStandIn() {
    const { page, api, go } = current();
    const one = api.played(5);
    one.turns[2] = { ...(one.turns[2] as (typeof one.turns)[number]), used_fallback: true };
    return { page, api, go, one };
  }

  it('is seen as one on the stage: said first, by the page, in ink and not in the character’s letters', async () => {
    const { page, go, one } = await withStandIn();
    await go(`/play/${one.session.id}`);
    const line = page.locator('#turn-3 .line');
    await line.getByText(WORDS).waitFor();
    expect((await line.innerText()).indexOf(WORDS)).toBeLessThan((await line.innerText()).indexOf('Fifty-three'));
    const styleOf = (selector: string, property: string) =>
      line.locator(selector).evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);
    const ink = await page.evaluate(() => getComputedStyle(document.body).color);
    expect(await styleOf('.line-stand-in', 'color')).toBe(ink);
    expect(Number(await styleOf('.line-stand-in', 'font-weight'))).toBeGreaterThanOrEqual(600);
    expect(await styleOf('.line-stand-in', 'font-family')).not.toBe(await styleOf('.line-words', 'font-family'));
    // Not by a colour or a word alone: its words stand behind a dashed edge, which no other line has.
    expect(await styleOf('.line-words', 'border-inline-start-style')).toBe('dashed');
    expect(
      await page.locator('#turn-5 .line-words').evaluate((element) => getComputedStyle(element).borderInlineStartStyle),
    ).toBe('none');
    expect(await page.getByText(WORDS).count()).toBe(1);
  });

  it('comes with what is wrong with the model, as long as it is the last one and nothing was mended', async () => {
    const { page, api, go } = current();
    const message = 'The local model server asks for another key; set SIM_LOCAL_SERVER_API_KEY.';
    const well = { ...api.home.runtime };
    api.home.runtime = { ...well, runtime_id: 'local_server', status: 'ERROR', message };
    const one = api.played(2);
    one.turns[4] = { ...(one.turns[4] as (typeof one.turns)[number]), used_fallback: true };
    await go(`/play/${one.session.id}`);
    await page.locator('.script .line-reason').getByText(message).waitFor();
    api.home.runtime = well;
    await go(`/play/${one.session.id}`);
    await page.locator('.line-stand-in').waitFor();
    expect(await page.locator('.line-reason').count()).toBe(0);
  });

  it('is seen as one beside the debrief, too', async () => {
    const { page, go, one } = await withStandIn();
    await go(`/sessions/${one.session.id}/debrief`);
    await page.getByRole('button', { name: 'Skip' }).click();
    await page.locator('.debrief-script').getByText(WORDS).waitFor();
  });
});
