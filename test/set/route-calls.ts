import { ROUTES, type RouteShape } from '@parley/shared/contracts';

/** Values that name something in a set that has played; give others for those that a test has made. */
const PARAMETERS: Readonly<Record<string, string>> = {
  id: 'nobodynobodynobodynobody',
  pack_id: 'the_ask',
  npc_id: 'dana',
  path: 'portraits/neutral.svg',
};

/** The path of a route with all its parameters filled in. */
export const filledPath = (route: RouteShape, parameters: Readonly<Record<string, string>> = {}): string =>
  route.path.replace(/\{(\w+)\}/g, (_all, name: string) => parameters[name] ?? PARAMETERS[name] ?? 'x');

export const allRoutes = (): RouteShape[] => Object.values(ROUTES);
/** What session-api answers: its own routes and those that it passes on. */
export const routesOfApi = (): RouteShape[] =>
  allRoutes().filter((route) => route.service === 'session_api' || route.via === 'session_api');
