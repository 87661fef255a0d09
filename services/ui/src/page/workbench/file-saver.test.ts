import { FileSaver, type SaveState, type SaverPorts } from './file-saver';

class Conflict extends Error {}

/** A file on a server, and time that passes when it is told to. */
function world() {
  const file = { text: 'a: 1', version: 1 };
  const states: SaveState[] = [];
  let waiting: (() => void) | null = null;
  let saved = 0;
  let fails: Error | null = null;
  let held: (() => void) | null = null;
  let hold = false;
  const ports: SaverPorts = {
    save: async (_path, text, base) => {
      if (hold) await new Promise<void>((resolve) => (held = resolve));
      if (fails !== null) throw fails;
      if (base !== String(file.version)) throw new Conflict();
      file.text = text;
      file.version += 1;
      return String(file.version);
    },
    isConflict: (error) => error instanceof Conflict,
    onState: (state) => void states.push(state),
    onSaved: () => void (saved += 1),
    later: (work) => {
      waiting = work;
      return () => (waiting = null);
    },
  };
  const saver = new FileSaver(ports);
  saver.open({ path: 'a.yaml', text: file.text, version: '1' });
  return {
    file,
    saver,
    states,
    saved: () => saved,
    pass: () => waiting?.(),
    isWaiting: () => waiting !== null,
    failWith: (error: Error | null) => (fails = error),
    holdSaves: () => (hold = true),
    letGo: () => {
      hold = false;
      held?.();
    },
  };
}

describe('FileSaver', () => {
  it('saves after a pause, and tells when nothing is left to save', async () => {
    const { saver, file, states, saved, isWaiting } = world();
    saver.change('a: 2');
    saver.change('a: 23');
    expect([file.text, isWaiting()]).toEqual(['a: 1', true]);
    expect(await saver.flush()).toBe(true);
    expect([file.text, saved(), isWaiting(), states.at(-1)]).toEqual(['a: 23', 1, false, 'saved']);
  });

  it('saves what was typed while it saved', async () => {
    const { saver, file, holdSaves, letGo, pass, saved } = world();
    holdSaves();
    saver.change('a: 2');
    const first = saver.flush();
    saver.change('a: 3');
    letGo();
    await first;
    expect(file.text).toBe('a: 2');
    expect(saved()).toBe(0);
    pass();
    await saver.flush();
    expect([file.text, saved()]).toEqual(['a: 3', 1]);
  });

  it('never saves over what another tab has saved, until its author says which text stays', async () => {
    const { saver, file, states, pass } = world();
    file.text = 'theirs: 1';
    file.version = 7;
    saver.change('mine: 1');
    expect(await saver.flush()).toBe(false);
    expect(states.at(-1)).toBe('conflict');
    saver.change('mine: 2');
    pass();
    expect(await saver.flush()).toBe(false);
    expect(file.text).toBe('theirs: 1');
    expect(await saver.keepMine('7')).toBe(true);
    expect([file.text, saver.isDirty]).toEqual(['mine: 2', false]);
  });

  it('keeps a text that could not be saved and saves it with the next change', async () => {
    const { saver, file, states, failWith } = world();
    failWith(new Error('away'));
    saver.change('a: 2');
    expect(await saver.flush()).toBe(false);
    expect([states.at(-1), saver.isDirty]).toEqual(['failed', true]);
    failWith(null);
    saver.change('a: 3');
    expect(await saver.flush()).toBe(true);
    expect(file.text).toBe('a: 3');
  });

  it('forgets the file before when another is opened', async () => {
    const { saver, file, isWaiting } = world();
    saver.change('a: 2');
    saver.open({ path: 'b.yaml', text: 'b: 1', version: '1' });
    expect([isWaiting(), saver.isDirty, file.text]).toEqual([false, false, 'a: 1']);
    expect(await saver.flush()).toBe(true);
  });
});
