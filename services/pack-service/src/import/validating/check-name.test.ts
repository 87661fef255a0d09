import { foldedName, leftoverIn, nameProblem, resolveInside } from './check-name';

describe('names in a pack', () => {
  it.each([
    'manifest.yaml',
    'assets/portraits/warm.svg',
    'assets/Grüße.txt',
    'assets/a b.png',
    'x'.repeat(240),
    `${'y'.repeat(159)}/${'x'.repeat(240)}`,
  ])('accepts %j', (name) => {
    expect(nameProblem(name)).toBeNull();
  });

  it.each(['/etc/passwd', 'C:/x', 'c:x', '..', '../x', 'a/../../x', 'a\\b', 'a/..'])(
    'sees that %j leads out',
    (name) => {
      expect(nameProblem(name)?.rule).toBe('path-escape');
    },
  );

  it.each([
    'a//b', './a', '', 'a/.', 'ab:c', 'a\u0000b', 'a\nb', 'a\u202eb', 'con', 'assets/NUL.txt', 'Com1.png', 'a.', 'a ', 'a./b',
    'x'.repeat(241), 'ä'.repeat(121), `${'a/'.repeat(16)}b`, `${'y'.repeat(200)}/${'x'.repeat(200)}`, 'a?b', '\ud800',
  ])('refuses %j', (name) => {
    expect(nameProblem(name)?.rule).toBe('name');
  }); // prettier-ignore

  it('says which limit a name is over', () => {
    expect(nameProblem(`a/${'x'.repeat(241)}`)?.message).toContain('longer than 240 bytes');
    expect(nameProblem('a/'.repeat(3) + `${'x'.repeat(200)}/`.repeat(2) + 'b')?.message).toContain(
      'longer than 400 bytes',
    );
  });

  it('folds what some systems take for one name', () => {
    expect(foldedName('A\u0308.PNG')).toBe(foldedName('\u00e4.png'));
  });

  it('knows what systems, editors and version control leave behind, and where all of it lies', () => {
    const paths = [
      '__MACOSX/a',
      'assets/.DS_Store',
      'Thumbs.db',
      'mine/.git/hooks/x',
      '.gitignore',
      'npcs/a.yaml~',
      'npcs/a.yaml.1f.saving',
      'assets/a',
      'git/a',
    ];
    expect(paths.map(leftoverIn)).toEqual([
      '__MACOSX',
      'assets/.DS_Store',
      'Thumbs.db',
      'mine/.git',
      '.gitignore',
      'npcs/a.yaml~',
      'npcs/a.yaml.1f.saving',
      null,
      null,
    ]);
  });

  it('resolves references inside the pack only', () => {
    expect(resolveInside('scenarios', '../npcs/a.yaml')).toBe('npcs/a.yaml');
    expect(resolveInside('', 'assets/a.png')).toBe('assets/a.png');
    for (const bad of ['../../x', '/x', 'https://x.test/a', 'a\\b', 'file:x'])
      expect(resolveInside('scenarios', bad)).toBeNull();
  });
});
