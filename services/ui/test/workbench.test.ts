import { holdNext } from './in-browser';
import { describePage } from './page-suite';

describePage('the workbench', (current) => {
  const ANA = 'npcs/ana.yaml';
  const editor = () => current().page.getByRole('textbox', { name: `Text of ${ANA}` });
  const texts = () => current().api.pack.workbench.files;
  const typeAtEnd = async (words: string) => {
    await editor().click();
    await current().page.keyboard.press('Control+End');
    await current().page.keyboard.type(words);
  };
  beforeEach(() => {
    texts().set(ANA, 'schema_version: "0.2"\ndisplay_name: Ana\nemotions: [curios]\n');
  });
  const openAna = async () => {
    await current().go('/workbench/my.talk');
    await current().page.getByRole('button', { name: 'ana.yaml', exact: true }).click();
    await editor().waitFor();
  };

  it('opens a finding at its place, and what is typed there is saved and checked', async () => {
    const { page, go } = current();
    await go('/workbench/my.talk');
    await page.getByText('Fix the errors first').waitFor();
    await page.getByRole('button', { name: `${ANA}:3:1` }).click();
    await editor().waitFor();
    // The cursor stands in the line of the finding, and the keyboard goes to it.
    await page.keyboard.press('End');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('us]');
    await page.getByText('No findings.').waitFor();
    expect(texts().get(ANA)).toContain('emotions: [curious]');
    await page.getByRole('link', { name: 'Export zip' }).waitFor();
  });

  it('completes members and the names of the pack, and explains a member', async () => {
    const { page } = current();
    texts().set(ANA, '\ndisplay_name: Ana\nportraits:\n  ');
    await openAna();
    const offers = page.getByRole('listbox');
    await typeAtEnd('cu');
    await offers.getByText('curious').click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('emo');
    await offers.getByText('emotions').click();
    await page.getByText('display_name').first().hover();
    await page.getByText('What the character is called on the page.').waitFor();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(texts().get(ANA)).toBe('emotions:\ndisplay_name: Ana\nportraits:\n  curious: ');
  });

  it('opens the file that was asked for last, and keeps what is typed there', async () => {
    const { page } = current();
    // The manifest, which is opened by itself, is never answered.
    await page.route('**/files/manifest.yaml', () => undefined);
    const givenUp = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/files/manifest.yaml'));
    await openAna();
    await givenUp;
    await typeAtEnd('# mine');
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(texts().get(ANA)).toMatch(/# mine$/);
  });

  it('keeps what was typed while one looks at something else', async () => {
    const { page } = current();
    await openAna();
    await typeAtEnd('# one');
    await page.getByRole('button', { name: 'Story' }).click();
    await page.getByRole('heading', { name: 'What can happen' }).waitFor();
    await page.getByRole('button', { name: 'Files', exact: true }).click();
    await typeAtEnd(' two');
    await page.getByText('Not saved yet').waitFor({ state: 'detached' });
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(texts().get(ANA)).toMatch(/# one two$/);
  });

  it('never saves over another tab, and asks which text stays', async () => {
    const { page, api } = current();
    await openAna();
    api.pack.workbench.saveElsewhere(ANA, 'theirs: 1\n');
    await typeAtEnd('# mine');
    await page.getByText('changed in another tab or editor').first().waitFor();
    expect(texts().get(ANA)).toBe('theirs: 1\n');
    await page.getByRole('button', { name: 'Load the other' }).click();
    await editor().getByText('theirs').waitFor();
    api.pack.workbench.saveElsewhere(ANA, 'theirs: 2\n');
    await typeAtEnd('# mine');
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(texts().get(ANA)).toBe('theirs: 1\n# mine');
  });

  it('loads the text of the other also where it is the one that was opened', async () => {
    const { page, api } = current();
    const opened = texts().get(ANA) ?? '';
    await openAna();
    await typeAtEnd('# mine');
    await page.getByText('Saved', { exact: true }).waitFor();
    api.pack.workbench.saveElsewhere(ANA, opened);
    await typeAtEnd('!');
    await page.getByRole('button', { name: 'Load the other' }).click();
    await editor().getByText('# mine!').waitFor({ state: 'detached' });
    await typeAtEnd('# again');
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(texts().get(ANA)).toBe(`${opened}# again`);
  });

  it('fetches the editor only where a file is opened', async () => {
    const { page, go } = current();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    for (const path of ['/', '/packs', '/rehearse', '/workbench']) {
      await go(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
    }
    expect(asked.some((url) => url.includes('yaml-editor'))).toBe(false);
    await openAna();
    expect(asked.some((url) => url.includes('yaml-editor'))).toBe(true);
  });

  it('adds a file and deletes it', async () => {
    const { page, go } = current();
    await go('/workbench/my.talk');
    await page.getByLabel('New file').fill('npcs/sam.yaml');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('textbox', { name: 'Text of npcs/sam.yaml' }).waitFor();
    expect(texts().get('npcs/sam.yaml')).toBe('schema_version: "0.2"\n');
    await page.getByRole('button', { name: 'Delete this file' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete this file' }).click();
    await page.getByRole('textbox', { name: 'Text of manifest.yaml' }).waitFor();
    await page.locator('h2:focus', { hasText: 'manifest.yaml' }).waitFor();
    expect(texts().has('npcs/sam.yaml')).toBe(false);
  });

  it('shows what can come and what never can, and leads from there into the file', async () => {
    const { page, api, go } = current();
    api.pack.workbench.files.set('scenarios/talk.yaml', 'a: 1\n'.repeat(40));
    await go('/workbench/my.talk');
    await page.getByRole('button', { name: 'Story' }).click();
    await page.getByRole('img', { name: /What can happen in A talk/ }).waitFor();
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    expect(await row('agreed').innerText()).toContain('from line 4');
    expect(await row('her_plan').innerText()).toContain('never: it waits for line 40');
    await page.getByRole('button', { name: 'Go to her_plan in the file' }).click();
    await page.getByRole('textbox', { name: 'Text of scenarios/talk.yaml' }).waitFor();
    api.pack.workbench.files.delete('scenarios/talk.yaml');
  });

  it('talks from a state that is set, shows the prompt, takes a line back and records', async () => {
    const { page, api, go } = current();
    const { workbench } = api.pack;
    texts().set(ANA, 'emotions: [curious]\n');
    await go('/workbench/my.talk');
    await page.getByText('No findings.').waitFor();
    await page.getByRole('button', { name: 'Talk', exact: true }).click();
    await page.getByText('What is it?').waitFor();
    await page.getByText('Where it begins').click();
    await page.getByLabel('Trust').fill('72');
    await page.getByLabel('Lines already said by the player').fill('6');
    await page.getByRole('checkbox', { name: 'sits_back' }).check();
    await page.getByRole('button', { name: 'Start from here' }).click();
    await page.getByText('72', { exact: true }).waitFor();
    const say = async (line: string) => {
      await page.getByLabel('Your line').fill(line);
      await page.getByRole('button', { name: 'Say it' }).click();
      await page.getByText(`You say: ${line}`, { exact: true }).first().waitFor();
    };
    await say('Why?');
    await page.getByText('You are Ana.').waitFor();
    expect(workbench.talks.at(-1)).toEqual({
      scenario_id: 'talk',
      voice: 'demo',
      start: { state_vars: { trust: 72 }, flags: ['sits_back'], line: 6 },
      turns: [{ player_input: 'Why?', npc: null }],
    });
    await page.getByText('Record as a playthrough').click();
    await page.getByLabel('Name (a–z, 0–9 and _)').fill('late_ask');
    await page.getByLabel('Who plays here, and how it goes').fill('Asks late.');
    await page.getByRole('button', { name: 'Record', exact: true }).click();
    await page.getByText('Recorded in tests/late_ask.yaml.').waitFor();
    // What was asked for last counts, and what was typed meanwhile stays.
    const late = await holdNext(page, '**/talk');
    await page.getByLabel('Your line').fill('And then?');
    await page.getByRole('button', { name: 'Say it' }).click();
    await late.asked;
    await page.getByLabel('Your line').fill('Another line');
    await page.getByRole('button', { name: 'Start from here' }).click();
    await page.locator('.workbench-lines').getByText('You say: Why?').waitFor({ state: 'detached' });
    await late.letGo();
    expect(await page.getByLabel('Your line').inputValue()).toBe('Another line');
    expect(await page.getByText('You say: And then?').count()).toBe(0);
    await say('Why?');
    await say('And then?');
    await page.getByText('The talk is over: agreed.').waitFor();
    await page.getByRole('button', { name: 'Take back the last line' }).click();
    await page.locator('.workbench-lines').getByText('You say: And then?').waitFor({ state: 'detached' });
    texts().delete('tests/late_ask.yaml');
  });
});
