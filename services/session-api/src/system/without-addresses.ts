import type { RuntimeHealth } from '@parley/shared/contracts';

/** With the colon or the space before it, and what follows it up to the next space. */
const ADDRESS = /:? ?https?:\/\/\S+/g;

/** For people elsewhere: that a model server is away is theirs to know, the names of the operator's network are not. */
export function withoutAddresses(runtime: RuntimeHealth): RuntimeHealth {
  const message = runtime.message?.replace(ADDRESS, (address) => (address.endsWith('.') ? '.' : '')) ?? null;
  return { ...runtime, message };
}
