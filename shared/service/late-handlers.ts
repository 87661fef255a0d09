import type { RouteShape } from '@parley/shared/contracts';
import type { Handlers } from './http-app';

/**
 * Handlers that are loaded by the first call of one of them: for what most starts never need.
 * @param routes all that `load` has handlers for
 */
export function lateHandlers(routes: Readonly<Record<string, RouteShape>>, load: () => Promise<Handlers>): Handlers {
  let loading: Promise<Handlers> | null = null;
  const loaded = (): Promise<Handlers> =>
    (loading ??= load().catch((error: unknown) => {
      // The next call tries again.
      loading = null;
      throw error;
    }));
  type AnyHandler = (...call: Parameters<NonNullable<Handlers[keyof Handlers]>>) => unknown;
  return Object.fromEntries(
    Object.values(routes).map(({ operation }) => [
      operation,
      async (...call: Parameters<AnyHandler>) =>
        ((await loaded()) as Readonly<Record<string, AnyHandler>>)[operation]?.(...call),
    ]),
  ) as Handlers;
}
