/**
 * node scripts/checks/check-documents.cjs [FOLDER]: asks Spectral and Redocly CLI, with all that they recommend, about the
 * generated OpenAPI and AsyncAPI documents (schemas/). An error or a warning is exit code 1. Neither looks at the network.
 */
const { spawnSync } = require('node:child_process');
const { readFileSync } = require('node:fs');
const path = require('node:path');
const { Document, Spectral } = require('@stoplight/spectral-core');
const Parsers = require('@stoplight/spectral-parsers');
const { asyncapi, oas } = require('@stoplight/spectral-rulesets');
const { ROOT, readProject } = require('../set/project.cjs');
const { runCommand, say } = require('../set/user-error.cjs');

const REDOCLY = path.join(ROOT, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js');
const DOCUMENTS = ['openapi.json', 'gateway.openapi.json', 'asyncapi.json'];
/** Spectral counts from 0, the gravest. What it calls information is none of our business. */
const WARNING = 1;

/** @param {string} folder @returns {Promise<string[]>} */
async function spectralFaults(folder) {
  const spectral = new Spectral();
  spectral.setRuleset({
    // Rulesets that Spectral ships; its types would have them extend something.
    extends: /** @type {any} */ ([oas, asyncapi]),
    rules: {
      // It wants an address and a mailbox; nobody stands behind a program on one's own machine.
      'asyncapi-info-contact-properties': 'off',
    },
  });
  const faults = [];
  for (const name of DOCUMENTS) {
    const document = new Document(readFileSync(path.join(folder, name), 'utf8'), Parsers.Json, name);
    for (const one of await spectral.run(document))
      if (one.severity <= WARNING)
        faults.push(`${name}:${one.range.start.line + 1} ${one.code} ${one.message} (${one.path.join('.')})`);
  }
  return faults;
}

/** @param {string} folder @param {string} name @returns {string[]} */
function redoclyFaults(folder, name) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [REDOCLY, 'lint', path.join(folder, name), '--config=redocly.yaml', '--format=json'],
    {
      cwd: ROOT,
      encoding: 'utf8',
      env: { ...readProject().environment, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  try {
    /** @type {{ ruleId: string, message: string, location: { pointer?: string }[] }[]} */
    const problems = JSON.parse(stdout).problems;
    if (status === 0 || problems.length > 0)
      return problems.map(({ ruleId, message, location }) => `${name} ${ruleId} ${message} (${location[0]?.pointer})`);
  } catch {
    // No list of problems: it could not do its work, and says so on the other stream.
  }
  return [`${name}: Redocly CLI ended with ${status}: ${stderr.trim()}`];
}

runCommand(async () => {
  const folder = path.resolve(process.argv[2] ?? path.join(ROOT, 'schemas'));
  const faults = [...(await spectralFaults(folder)), ...DOCUMENTS.flatMap((name) => redoclyFaults(folder, name))];
  for (const fault of faults) say(`  ${fault}`);
  return faults.length === 0 ? 0 : 1;
});
