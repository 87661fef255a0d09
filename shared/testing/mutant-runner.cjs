/**
 * A test runner for Stryker that plays the unit tests of shared/engine in one process, about twenty times as fast as
 * starting Jest for every mutant. The tests need no more of Jest than describe, it, each of both and expect; the latter
 * two are Jest's own. Engine and tests are loaded anew for every mutant, so that nothing that was kept from an earlier run hides
 * one; the contracts, which are not mutated, stay.
 */
const Module = require('node:module');
const { readdirSync } = require('node:fs');
const path = require('node:path');

const SUCCESS = 0;
const FAILED = 1;
/** Properties end here when nothing failed: a mutant is met in the first examples or hardly ever. In milliseconds. */
const PROPERTY_TIME = 700;
/** Tests that take longer guard speed, not meaning: mutants are tried without them. In milliseconds. */
const SLOW_TEST = 900;

/** @typedef {{ id: string, name: string, fileName: string, run: () => unknown }} Test */

/** @param {string} folder @returns {string[]} */
function testFilesIn(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .sort()
    .map((name) => path.join(folder, name));
}

/** Keeps what TypeScript sources were made into: they are loaded for every mutant, but do not change. */
function keepCompiledSources() {
  const compiled = new Map();
  const extensions = /** @type {any} */ (Module)._extensions;
  const load = extensions['.ts'];
  extensions['.ts'] = (/** @type {any} */ module, /** @type {string} */ filename) => {
    const known = compiled.get(filename);
    if (known !== undefined) return module._compile(known, filename);
    const compile = module._compile;
    module._compile = (/** @type {string} */ code, /** @type {string} */ name) => {
      compiled.set(name, code.replace(/\n\/\/# sourceMappingURL=.*$/s, ''));
      return compile.call(module, compiled.get(name), name);
    };
    load(module, filename);
  };
}

class MutantRunner {
  /** Milliseconds by test: quick tests go first. @type {Map<string, number>} */
  #durations = new Map();
  #engine = path.resolve('shared', 'engine');
  /** What is loaded anew for every mutant. */
  #fresh = [this.#engine, path.resolve('shared', 'testing')].map((folder) => folder + path.sep);
  /** The global that mutated sources talk to. @type {any} */
  #stryker = /** @type {any} */ (globalThis)['__stryker__'] ?? /** @type {any} */ (globalThis['__stryker__'] = {});

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init() {
    // Of the sandbox, so that names of shared packages lead to the mutated sources.
    require(path.resolve('shared', 'testing', 'typescript-hook.cjs'));
    keepCompiledSources();
    const { default: fastCheck, ...named } = require('fast-check');
    (fastCheck ?? named).configureGlobal({ endOnFailure: true, interruptAfterTimeLimit: PROPERTY_TIME });
  }

  /** @param {{ coverageAnalysis: string }} options */
  async dryRun({ coverageAnalysis }) {
    const stryker = this.#stryker;
    stryker.activeMutant = undefined;
    stryker.hitCount = undefined;
    stryker.mutantCoverage = coverageAnalysis === 'off' ? undefined : { static: {}, perTest: {} };
    const results = [];
    for (const test of this.#load(testFilesIn(this.#engine))) {
      stryker.currentTestId = test.id;
      const started = performance.now();
      const failure = await outcomeOf(test);
      const timeSpentMs = performance.now() - started;
      this.#durations.set(test.id, timeSpentMs);
      const { id, name, fileName } = test;
      const base = { id, name, fileName, timeSpentMs };
      results.push(
        failure === null ? { ...base, status: SUCCESS } : { ...base, status: FAILED, failureMessage: failure },
      );
    }
    stryker.currentTestId = undefined;
    const { mutantCoverage } = stryker;
    stryker.mutantCoverage = undefined;
    return { status: 'complete', tests: results, mutantCoverage };
  }

  /**
   * @param {{ activeMutant: { id: string }, testFilter?: string[], hitLimit?: number, mutantActivation: string,
   *   disableBail: boolean }} options
   */
  async mutantRun({ activeMutant, testFilter, hitLimit, mutantActivation, disableBail }) {
    const stryker = this.#stryker;
    const files = testFilter === undefined ? null : new Set(testFilter.map((id) => id.split(' › ')[0]));
    const wanted = testFilter === undefined ? null : new Set(testFilter);
    stryker.activeMutant = mutantActivation === 'static' ? activeMutant.id : undefined;
    stryker.hitLimit = hitLimit;
    stryker.hitCount = hitLimit === undefined ? undefined : 0;
    try {
      const tests = this.#load(
        testFilesIn(this.#engine).filter((file) => files === null || files.has(path.relative('.', file))),
      )
        .filter((test) => wanted === null || wanted.has(test.id))
        .filter((test) => (this.#durations.get(test.id) ?? 0) <= SLOW_TEST)
        .sort((a, b) => (this.#durations.get(a.id) ?? 0) - (this.#durations.get(b.id) ?? 0));
      stryker.activeMutant = activeMutant.id;
      const killedBy = [];
      let failureMessage = '';
      let nrOfTests = 0;
      for (const test of tests) {
        const failure = await outcomeOf(test);
        nrOfTests += 1;
        if (failure === null) continue;
        failureMessage ||= failure;
        killedBy.push(test.id);
        if (!disableBail) break;
      }
      if (stryker.hitCount > stryker.hitLimit) return { status: 'timeout', reason: 'An endless loop.' };
      return killedBy.length > 0
        ? { status: 'killed', killedBy, failureMessage, nrOfTests }
        : { status: 'survived', nrOfTests };
    } catch (error) {
      // Sources that cannot even be loaded: every test would fail.
      const failureMessage = error instanceof Error ? error.message : String(error);
      return { status: 'killed', killedBy: testFilter?.slice(0, 1) ?? ['load'], failureMessage, nrOfTests: 0 };
    } finally {
      stryker.activeMutant = undefined;
    }
  }

  /** Loads test files, and the engine with them, anew. @param {string[]} files @returns {Test[]} */
  #load(files) {
    for (const name of Object.keys(require.cache))
      if (this.#fresh.some((folder) => name.startsWith(folder))) delete require.cache[name];
    /** @type {Test[]} */
    const tests = [];
    /** @type {string[]} */
    const titles = [];
    const ids = new Map();
    let fileName = '';
    const it = (/** @type {string} */ title, /** @type {() => unknown} */ run) => {
      const name = [...titles, title].join(' › ');
      const plain = `${path.relative('.', fileName)} › ${name}`;
      const count = (ids.get(plain) ?? 0) + 1;
      ids.set(plain, count);
      tests.push({ id: count === 1 ? plain : `${plain} (${count})`, name, fileName, run });
    };
    const describe = (/** @type {string} */ title, /** @type {() => void} */ body) => {
      titles.push(title);
      body();
      titles.pop();
    };
    const { bind } = require('jest-each');
    Object.assign(globalThis, {
      expect: require('expect').expect,
      describe: Object.assign(describe, { each: bind(describe, false) }),
      it: Object.assign(it, { each: bind(it, false) }),
    });
    for (fileName of files) require(fileName);
    return tests;
  }
}

/** @param {Test} test @returns {Promise<string | null>} why it failed, or null */
async function outcomeOf(test) {
  try {
    await test.run();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message || error.name : String(error);
  }
}

exports.strykerPlugins = [
  { kind: 'TestRunner', name: 'mutant-runner', injectableClass: Object.assign(MutantRunner, { inject: [] }) },
];
