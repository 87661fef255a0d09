import { isPagePath, pagePath } from './page-paths';

describe('isPagePath', () => {
  it.each([
    '/',
    '/help',
    '/connect',
    '/rehearse',
    '/history',
    '/play/abc-DEF_1',
    '/sessions/abc/debrief',
    '/sessions/abc/moment',
    '/scenarios/my.pack',
  ])('knows %s', (path) => {
    expect(isPagePath(path)).toBe(true);
  });

  it.each(['', '/assets/x.js', '/history/', '/play', '/play/a/b', '/api/health', '/index.html', '//', '/PLAY/a'])(
    'does not take %s for a page',
    (path) => {
      expect(isPagePath(path)).toBe(false);
    },
  );
});

it('fills an id into a path so that it stays one part of it', () => {
  expect(pagePath('stage', 'a/b')).toBe('/play/a%2Fb');
  expect(pagePath('library')).toBe('/');
});
