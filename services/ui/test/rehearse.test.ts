import { ServiceError } from '@parley/shared/contracts';
import { describePage } from './page-suite';

describePage("rehearsing a talk of one's own", (current) => {
  afterEach(() => {
    current().api.pack.makingFails = null;
  });
  const field = (name: string) => current().page.getByLabel(name);
  const make = () => current().page.getByRole('button', { name: 'Create the scenario' });

  it('leads from the library over three answers to the briefing', async () => {
    const { page, go } = current();
    await go('/');
    await page.getByRole('link', { name: 'Rehearse my own' }).click();
    await page.getByRole('heading', { name: 'Rehearse my own', level: 1 }).waitFor();
    await field('Who are you talking to?').fill('Marta, my team lead');
    await field('What do you want from them?').fill('work from home on Fridays');
    await field('What do they fear or need?').fill('that someone is there');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Begin' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/scenarios/the_ask');
  });

  it('goes to the first question that has no answer', async () => {
    const { page, go } = current();
    await go('/rehearse');
    await field('Who are you talking to?').fill('Marta');
    await make().click();
    await page.locator('[name=want]:focus').waitFor();
  });

  it('keeps the answers when no talk can be made of them, and says why', async () => {
    const { page, api, go } = current();
    const why = 'These words cannot be made into a talk: say it again without links or instructions.';
    api.pack.makingFails = new ServiceError('PACK_INVALID', why, { details: { findings: [] } });
    await go('/rehearse');
    for (const name of ['Who are you talking to?', 'What do you want from them?', 'What do they fear or need?'])
      await field(name).fill('Marta');
    await make().click();
    await page.getByRole('alert').getByText(why).waitFor();
    expect(await field('What do they fear or need?').inputValue()).toBe('Marta');
  });
});
