/**
 * Lets a child process of a test run the TypeScript sources as they are: `node -r <this file> program.ts`. Names of
 * shared packages go to their sources, as they do in the tests themselves.
 */
const Module = require('node:module');
const fs = require('node:fs');
const path = require('node:path');
const { transformSync } = require('@swc/core');

const shared = path.resolve(__dirname, '..');
const resolve = Module._resolveFilename;

Module._resolveFilename = function (request, parent, ...rest) {
  // What is loaded late is named as it is called once compiled.
  if (parent?.filename?.endsWith('.ts') && /^\.{1,2}\/.+\.js$/.test(request))
    return resolve.call(this, request.replace(/\.js$/, '.ts'), parent, ...rest);
  const part = /^@parley\/shared\/([\w-]+)$/.exec(request)?.[1];
  const source = part === undefined ? null : path.join(shared, part, 'index.ts');
  // Some parts are plain JavaScript, and are found as usual.
  return resolve.call(this, source !== null && fs.existsSync(source) ? source : request, parent, ...rest);
};

Module._extensions['.ts'] = (module, filename) => {
  const { code } = transformSync(fs.readFileSync(filename, 'utf8'), {
    filename,
    jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
    swcrc: false,
    configFile: false,
  });
  module._compile(code, filename);
};
