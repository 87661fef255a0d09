/**
 * Paths of the page. The router of the page and the server, which answers them all with index.html and nothing else
 * with it, read this one list.
 */
export const PAGE_PATHS = {
  library: '/',
  briefing: '/scenarios/:id',
  stage: '/play/:id',
  moment: '/sessions/:id/moment',
  debrief: '/sessions/:id/debrief',
  history: '/history',
  progress: '/progress',
  rehearse: '/rehearse',
  packs: '/packs',
  workbench: '/workbench',
  draft: '/workbench/:id',
  models: '/models',
  connect: '/connect',
  settings: '/settings',
  diagnostics: '/diagnostics',
  help: '/help',
} as const;

export type PageName = keyof typeof PAGE_PATHS;

const patterns = Object.values(PAGE_PATHS).map((path) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`));

/** Whether a path (without query) is a page, so that a reload of it must answer the page. */
export function isPagePath(path: string): boolean {
  return patterns.some((pattern) => pattern.test(path));
}

/** The address of a page with its parameters filled in. */
export function pagePath(name: PageName, id = ''): string {
  return PAGE_PATHS[name].replace(':id', encodeURIComponent(id));
}
