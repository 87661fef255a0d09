import { z } from 'zod';

/** A column that holds JSON, read by its contract: text that is no JSON, or JSON of another shape, fails to parse. */
export const storedJson = <Shape extends z.ZodType>(shape: Shape) =>
  z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue({ code: 'custom', message: 'is not JSON' });
        return z.NEVER;
      }
    })
    .pipe(shape);
