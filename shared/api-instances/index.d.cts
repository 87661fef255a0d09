/** How many session-apis answer at one port; or why SIM_API_INSTANCES is refused, as the end of a sentence. */
export type ApiInstances = { readonly instances: number } | { readonly value: string; readonly allowed: string };

/** What SIM_API_INSTANCES says, and whether what several of them share is there; see index.cjs. */
export function apiInstancesOf(environment: Readonly<Record<string, string | undefined>>): ApiInstances;
