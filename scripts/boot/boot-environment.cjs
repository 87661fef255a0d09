const path = require('node:path');

/** Folders that npm puts before the others while it runs a command. */
const OF_NPM = /[\\/]node_modules[\\/](\.bin|.*node-gyp-bin)[\\/]?$/;

/**
 * What the set needs of this shell's environment: where its data lies, and the folders of programs, since npm and
 * llama-server are looked for in them. Settings belong in `.env`, which every start reads.
 * @param {Pick<import('../set/project.cjs').Project, 'environment' | 'dataDir' | 'dataDirFrom' | 'shellSettings'>} project
 * @returns {Record<string, string>}
 */
function bootEnvironment({ environment, dataDir, dataDirFrom, shellSettings }) {
  /** @type {Record<string, string>} */
  const kept = {};
  const folders = (environment['PATH'] ?? '').split(path.delimiter);
  const own = folders.filter((folder) => path.isAbsolute(folder) && !OF_NPM.test(folder));
  if (own.length > 0) kept['PATH'] = [...new Set(own)].join(path.delimiter);
  // Absolute, since a relative one is meant from the checkout.
  if (dataDirFrom === 'SIM_DATA_DIR' && shellSettings.includes('SIM_DATA_DIR')) kept['SIM_DATA_DIR'] = dataDir;
  const dataHome = environment['XDG_DATA_HOME'];
  if (dataDirFrom === 'platform' && dataHome) kept['XDG_DATA_HOME'] = dataHome;
  return kept;
}

module.exports = { bootEnvironment };
