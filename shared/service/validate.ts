import { z } from 'zod';
import { ServiceError, type RouteShape, type ValidationIssue } from '@parley/shared/contracts';

/** One issue a thing that does not match; an unknown member is named by its own path. */
function issuesOf(error: z.ZodError): ValidationIssue[] {
  return error.issues.flatMap((issue): ValidationIssue[] => {
    const path = issue.path.map(String);
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({ path: [...path, key].join('.'), message: `Unknown member ${key}.` }));
    return [{ path: path.join('.'), message: issue.message }];
  });
}

/** @throws ServiceError VALIDATION_ERROR with all issues in its details. */
export function validated<S extends z.ZodType>(schema: S, value: unknown, what: string): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issues = issuesOf(result.error);
  const first = issues[0];
  const where = first?.path ? `${first.path}: ` : '';
  const why = (first?.message ?? 'see details').replace(/\.$/, '');
  const more = issues.length > 1 ? ' The details list all that does not match.' : '';
  throw new ServiceError(
    'VALIDATION_ERROR',
    `The ${what} does not match: ${where}${why}. Correct it and try again.${more}`,
    {
      details: { issues },
    },
  );
}

/** A path parameter that cannot name anything is a resource that does not exist, never a validation error. */
export function notFoundFor(route: RouteShape): ServiceError {
  const code = route.errors.find((one) => one.endsWith('_NOT_FOUND')) ?? 'NOT_FOUND';
  return new ServiceError(
    code,
    'Nothing with this id exists; it may have been deleted. List what there is and pick again.',
  );
}
