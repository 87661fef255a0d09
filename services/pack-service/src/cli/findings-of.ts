import { Finding, type ServiceError } from '@parley/shared/contracts';

/** What a refused import found; none when it was refused for another reason. */
export function findingsOf(error: ServiceError): readonly Finding[] {
  const parsed = Finding.array().safeParse(error.details?.['findings']);
  return parsed.success ? parsed.data : [];
}
