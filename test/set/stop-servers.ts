import './start-servers';

/** After the suites of Jest's projects `postgres` and `scaled`. */
export = async (): Promise<void> => {
  const servers = globalThis.serversOfAllSuites;
  await Promise.all([servers?.postgres.remove(), servers?.redis.remove()]);
};
