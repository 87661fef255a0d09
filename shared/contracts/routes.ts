import type { z } from 'zod';
import { PLAY_ROUTES } from './routes/play-routes';
import { REVIEW_ROUTES } from './routes/review-routes';
import { SYSTEM_ROUTES } from './routes/system-routes';
import { PACK_ROUTES } from './routes/pack-routes';
import { WORKBENCH_ROUTES } from './routes/workbench-routes';
import { MODEL_ROUTES } from './routes/model-routes';
import { CHOICE_ROUTES } from './routes/choice-routes';
import { GATEWAY_ROUTES } from './routes/gateway-routes';
import { INTERNAL_ROUTES } from './routes/internal-routes';
import type { RouteShape } from './routes/route-shape';

/**
 * Every route of every process. Routers, clients, stand-ins in tests and the documents are made from this one table. A process takes
 * the parts of it that it answers and calls, so that it has not the contracts of all others in its memory.
 */
export const ROUTES = {
  ...PLAY_ROUTES,
  ...REVIEW_ROUTES,
  ...SYSTEM_ROUTES,
  ...PACK_ROUTES,
  ...WORKBENCH_ROUTES,
  ...MODEL_ROUTES,
  ...CHOICE_ROUTES,
  ...GATEWAY_ROUTES,
  ...INTERNAL_ROUTES,
} as const satisfies Record<string, RouteShape>;

export type Routes = typeof ROUTES;
export type OperationName = keyof Routes;

type Output<T> = T extends z.ZodType ? z.output<T> : undefined;
type Input<T> = T extends z.ZodType ? z.input<T> : undefined;

/** What a handler receives: everything parsed. */
export interface RouteInput<R extends RouteShape> {
  readonly params: R extends { params: infer P } ? Output<P> : Record<string, never>;
  readonly query: R extends { query: infer Q } ? Output<Q> : Record<string, never>;
  readonly headers: R extends { headers: infer H } ? Output<H> : Record<string, never>;
  readonly body: R extends { body: infer B } ? Output<B> : undefined;
}

/** What a caller gives. */
export type RouteCall<R extends RouteShape> = (R extends { params: infer P } ? { params: Input<P> } : object) &
  (R extends { query: infer Q } ? { query?: Partial<Record<keyof Input<Q>, string | number>> } : object) &
  (R extends { body: infer B } ? { body: Input<B> } : object) & {
    headers?: Readonly<Record<string, string>>;
  };

/** The JSON answers of a route, those with a schema. */
export type RouteAnswer<R extends RouteShape> = {
  [S in keyof R['responses']]: R['responses'][S] extends { schema: infer T } ? Output<T> : undefined;
}[keyof R['responses']];
