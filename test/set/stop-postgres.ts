import './start-postgres';

/** After the suites of Jest's project `postgres`. */
export = async (): Promise<void> => globalThis.postgresOfAllSuites?.remove();
