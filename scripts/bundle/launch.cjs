/**
 * Runs the bundle of a process: node launch.cjs NAME. V8's compiled form of it lies beside the bundle; without it, or when
 * V8 refuses it (another version of Node, other arguments), the bundle is compiled like any other file.
 *
 * --compile writes that compiled form and ends.
 */
const { readFileSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { Script } = require('node:vm');

const [name = '', option] = process.argv.slice(2);
const folder = path.resolve(__dirname, '../../services', path.basename(name), 'dist');
const file = path.join(folder, 'service.cjs');
const compiledFile = path.join(folder, 'service.compiled');

function readCompiled() {
  try {
    return readFileSync(compiledFile);
  } catch {
    return undefined;
  }
}

// The bundle is ASCII: read as Latin-1 it takes one byte a character.
const source = Module.wrap(readFileSync(file, 'latin1'));
if (option === '--compile') {
  writeFileSync(compiledFile, new Script(source, { filename: file }).createCachedData());
} else {
  const script = new Script(source, { filename: file, cachedData: readCompiled() });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, Module.createRequire(file), module, file, folder);
}
