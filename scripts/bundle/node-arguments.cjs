/**
 * How Node runs each process. The bundle's compiled form is made and used with the same arguments: V8 refuses it otherwise.
 * The numbers behind each are in docs/decisions/0010-production-bundles.md.
 */

/** Between the player and the model: these must stay fast. */
const ON_THE_PATH_OF_A_TURN = new Set(['session-api', 'runtime-gateway']);

/**
 * Room for new objects as they come: with 64 turns at once, each of which waits for its model with a prompt in hand, little
 * room means that the same prompts are copied over and over. Beside it garbage may become as much as what is in use, and not
 * four times as much, which V8 allows itself on a machine with much memory.
 */
const FAST = ['--max-semi-space-size=16', '--heap-growing-percent=100'];

/** V8 takes up to 16 MB for new objects unless told and gives none back; beside the path of a turn 1 MB does. */
const SMALL = ['--max-semi-space-size=1', '--optimize-for-size'];

/** @param {string} name of the folder in services/ @returns {string[]} */
const nodeArguments = (name) => [
  // run-service gives back what starting needed.
  '--expose-gc',
  ...(ON_THE_PATH_OF_A_TURN.has(name) ? FAST : SMALL),
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
