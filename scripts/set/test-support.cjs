/**
 * What is there for tests alone, by its path from the root: tests, and what lies in a folder called test or testing. No build
 * compiles it or is made anew for it, and nothing but tests imports it.
 */
const TEST_SUPPORT = /(^|\/)(test|testing)\/|\.test\.tsx?$|(^|\/)tsconfig\.test\.json$/;

module.exports = { TEST_SUPPORT };
