import type { z } from 'zod';
import type { RouteShape, Routes } from '@parley/shared/contracts';

type Input<T> = T extends z.ZodType ? z.input<T> : never;
type Output<T> = T extends z.ZodType ? z.output<T> : never;

/** What an operation is called with, and what it answers to that. Texts stand for bodies that are not JSON. */
type OperationExample<R extends RouteShape> = (R extends { readonly params: infer P }
  ? { readonly params: Readonly<Record<keyof Input<P>, string | number>> }
  : object) &
  (R extends { readonly query: z.ZodType } ? { readonly query?: Readonly<Record<string, string | number>> } : object) &
  (R extends { readonly body: infer B } ? { readonly request: Input<B> } : object) & {
    readonly responses: {
      readonly [
        S in keyof R['responses'] as R['responses'][S] extends { schema: z.ZodType } ? S : never
      ]: R['responses'][S] extends { schema: infer T } ? Output<T> : never;
    };
    /** Bodies of the first success by media type, beside JSON. */
    readonly texts?: Readonly<Record<string, string>>;
  };

/** Examples of some operations, checked against their rows of the route table. */
export type OperationExamples<K extends keyof Routes = keyof Routes> = {
  readonly [Operation in K]?: OperationExample<Routes[Operation]>;
};
