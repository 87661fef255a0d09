import { waitUntil } from '@parley/shared/testing';
import { describePage } from './page-suite';

describePage('moments on the stage', (current) => {
  const composer = () => current().page.locator('.composer-field');

  it('send what is said in the pause after an event', async () => {
    const { page, api, go } = current();
    const one = api.played(3);
    await go(`/play/${one.session.id}`);
    await composer().fill('So you can sign for three percent.');
    await composer().press('Enter');
    await page.getByRole('log').getByText('So you can sign for three percent.').waitFor();
    // Typed ahead, so that Enter falls into the pause.
    await composer().fill('Then I’ll write the page.');
    await page.locator('.script-direction', { hasText: 'Dana’s laptop chimes.' }).waitFor();
    await composer().press('Enter');
    await page.getByRole('log').getByText('Then I’ll write the page.').waitFor();
    expect(one.turns.filter((turn) => turn.role === 'player').map((turn) => turn.text)).toContain(
      'Then I’ll write the page.',
    );
  });

  it('tell the service once in a turn that the player types', async () => {
    const { page, api, go } = current();
    const { session } = api.played(1);
    await go(`/play/${session.id}`);
    await page.locator('.composer-field:focus').waitFor();
    await composer().pressSequentially('Two');
    await waitUntil('the word to the service', () => api.talk.typing.includes(session.id));
    await composer().pressSequentially(' things.');
    await composer().press('Enter');
    await page.getByText('Your line 3 of 14').waitFor();
    expect(api.talk.typing.filter((id) => id === session.id)).toHaveLength(1);
    await composer().pressSequentially('And');
    await waitUntil('the next turn', () => api.talk.typing.filter((id) => id === session.id).length === 2);
  });

  it('say kindly that a talk was stopped for safety, and where to find help', async () => {
    const { page, api, go } = current();
    const one = api.played(2);
    one.session = { ...one.session, flow_state: 'Ended', ending_type: 'safety_stop', ending_id: null };
    await go(`/play/${one.session.id}`);
    await page.getByRole('heading', { name: 'The talk was stopped' }).waitFor();
    await page.getByText('That is no judgement of you').waitFor();
    const help = page.getByRole('complementary', { name: 'If this touched something real' });
    await help.getByText('Talk to a person you trust').waitFor();
    await help.getByText('call your local emergency number').waitFor();
    expect(await help.getByRole('link').count()).toBe(0);
  });

  it('are read from their beginning on a phone, and do not stand over the last words of the talk', async () => {
    const { page, api, go } = current();
    const one = api.played(2);
    one.session = { ...one.session, flow_state: 'Ended', ending_type: 'safety_stop', ending_id: null };
    await page.setViewportSize({ width: 320, height: 560 });
    await go(`/play/${one.session.id}`);
    const edges = async (selector: string) => {
      const box = await page.locator(selector).last().boundingBox();
      return { top: box?.y ?? NaN, bottom: (box?.y ?? NaN) + (box?.height ?? NaN) };
    };
    await page.locator('.ending h2').waitFor();
    await waitUntil(
      'the heading below the person',
      async () => (await edges('.ending h2')).top >= (await edges('.person')).bottom,
    );
    expect((await edges('.ending h2')).bottom).toBeLessThanOrEqual(560);
    expect((await edges('.line-npc .line-words')).bottom).toBeLessThanOrEqual((await edges('.talk-foot')).top);
  });

  it('say nothing of help where a talk ended in any other way', async () => {
    const { page, api, go } = current();
    const { session } = api.played(5);
    await go(`/play/${session.id}`);
    await page.getByRole('heading', { name: 'A case she can carry' }).waitFor();
    expect(await page.locator('.ending-help').count()).toBe(0);
  });
});
