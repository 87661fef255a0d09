/**
 * How Node runs each process. The bundle's compiled code is made and run with the same arguments: V8 refuses it otherwise.
 * V8 takes up to 16 MB for new objects unless told and gives none back; with 1 or 2 MB a process needs a third less, and
 * those on a turn's path get the larger room.
 */
const YOUNG_MEGABYTES = {
  'pack-service': 1,
  'runtime-gateway': 2,
  'session-api': 2,
  'debrief-worker': 1,
  ui: 1,
};

/** @param {string} name of the folder in services/ @returns {string[]} */
const nodeArguments = (name) => [
  `--max-semi-space-size=${YOUNG_MEGABYTES[/** @type {keyof typeof YOUNG_MEGABYTES} */ (name)] ?? 1}`,
  '--optimize-for-size',
  // run-service gives back what starting needed.
  '--expose-gc',
];

/**
 * One heap for all threads, and blocks of 64 KB and more are given back to the system when they are free: what reading and
 * compiling the program took does not stay. Only the GNU C library knows these; others look past them.
 */
const allocatorSettings = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '65536',
  MALLOC_MMAP_THRESHOLD_: '65536',
};

module.exports = { nodeArguments, allocatorSettings };
