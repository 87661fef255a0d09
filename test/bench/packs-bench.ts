import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '@parley/shared/testing';
import type { BenchOptions } from './bench-options';
import { benchSet } from './bench-set';
import { timed } from './json-caller';
import { measurement, quantile, type Measurement } from './measurement';

const run = promisify(execFile);
const ROOT = path.resolve(__dirname, '..', '..', '..');
const BUILT_IN = path.join(ROOT, 'packs', 'the_ask');
const PACKS_PROGRAM = path.join(ROOT, 'services', 'pack-service', 'dist', 'cli', 'main.js');
/** Of the scenario's size, so that one pack stays below what the YAML of a pack may have. */
const SCENARIOS_PER_PACK = 150;
const ASSETS = 2_000;
const ASSET_BYTES = 200_000;
const NO_MORE = { kind: 'at_most', ratio: 1 } as const;
const TWICE = { kind: 'at_most', ratio: 2 } as const;
/** The goal of a lint is a time, the only one here: a person waits for it. */
const LINT_SECONDS = 5;

/** Two packs of copies of a built-in scenario under other ids. @returns their folders */
function manyScenarios(folder: string): string[] {
  const scenario = readFileSync(path.join(BUILT_IN, 'scenarios', 'the_ask.yaml'), 'utf8');
  const manifest = readFileSync(path.join(BUILT_IN, 'manifest.yaml'), 'utf8');
  return ['a', 'b'].map((name) => {
    const root = path.join(folder, name);
    cpSync(BUILT_IN, root, { recursive: true });
    for (const one of ['tests', 'i18n', path.join('scenarios', 'the_ask.yaml')])
      rmSync(path.join(root, one), { recursive: true, force: true });
    for (let at = 0; at < SCENARIOS_PER_PACK; at += 1)
      writeFileSync(
        path.join(root, 'scenarios', `s${at}.yaml`),
        scenario.replace(/^scenario_id: .*$/m, `scenario_id: s${at}`),
      );
    writeFileSync(
      path.join(root, 'manifest.yaml'),
      manifest.replace(/^pack_id: .*$/m, `pack_id: many.${name}`).replace(/^entry_scenarios:\n(?: .*\n)+/m, ''),
    );
    return root;
  });
}

/** A pack with pictures whose bytes nothing makes smaller. @returns the archive */
async function manyAssets(folder: string): Promise<string> {
  const root = path.join(folder, 'assets-pack');
  cpSync(BUILT_IN, root, { recursive: true });
  const manifest = path.join(root, 'manifest.yaml');
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(/^pack_id: .*$/m, 'pack_id: many.assets'));
  const scenario = path.join(root, 'scenarios', 'the_ask.yaml');
  writeFileSync(scenario, readFileSync(scenario, 'utf8').replace(/^scenario_id: .*$/m, 'scenario_id: many_assets'));
  rmSync(path.join(root, 'tests'), { recursive: true });
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  mkdirSync(path.join(root, 'assets', 'many'));
  for (let at = 0; at < ASSETS; at += 1)
    writeFileSync(path.join(root, 'assets', 'many', `${at}.png`), Buffer.concat([signature, randomBytes(ASSET_BYTES)]));
  const archive = path.join(folder, 'assets-pack.zip');
  await run('zip', ['-q', '-r', archive, '.'], { cwd: root });
  return archive;
}

/**
 * Installs the archive: from its place on this machine, or uploaded. By curl, which costs little itself: the fetch of Node takes longer to
 * send such a body than Parley to take it in.
 */
async function imported(api: string, archive: string, by: 'path' | 'upload'): Promise<void> {
  const body = by === 'upload' ? ['--form', `file=@${archive}`] : ['--json', JSON.stringify({ path: archive })];
  await run('curl', ['--silent', '--show-error', '--fail-with-body', ...body, `${api}/api/packs/import?replace=any`], {
    maxBuffer: 1e8,
  });
}

/** Unpacks the archive and reads what came out; first writes a copy of it, as an upload has to. */
async function plainly(archive: string, folder: string, by: 'path' | 'upload'): Promise<void> {
  const read = 'unzip -q "$1" -d "$2" && find "$2" -type f -exec cat {} + > /dev/null';
  const copied = 'cat "$1" > "$2.zip" && set -- "$2.zip" "$2"';
  await run('sh', ['-c', by === 'upload' ? `${copied} && ${read}` : read, 'sh', archive, folder]);
}

/**
 * What an author and whoever installs a pack waits for: the lint of 300 scenarios of a built-in one's size, and the import of 400 MB
 * with 2,000 pictures against `unzip` and `cat`, in turn.
 */
export async function packsBench({ quick }: BenchOptions): Promise<Measurement[]> {
  const folder = temporaryFolder('packs-bench');
  const set = await benchSet({});
  const rounds = quick ? 1 : 3;
  try {
    const packs = manyScenarios(folder.path);
    const linted: number[] = [];
    for (let round = 0; round < rounds; round += 1)
      linted.push(await timed(() => run(process.execPath, [PACKS_PROGRAM, 'lint', ...packs], { maxBuffer: 1e8 })));
    const lint = quantile(linted, 0.5) / 1000;
    const rows = [measurement('lint of 300 scenarios, against what it may take', 's', lint, LINT_SECONDS, NO_MORE)];

    const archive = await manyAssets(folder.path);
    for (const by of ['path', 'upload'] as const) {
      const ours: number[] = [];
      const plain: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const unpacked = path.join(folder.path, 'unpacked');
        plain.push(await timed(() => plainly(archive, unpacked, by)));
        for (const made of [unpacked, `${unpacked}.zip`]) rmSync(made, { recursive: true, force: true });
        ours.push(await timed(() => imported(set.url, archive, by)));
      }
      const against = by === 'upload' ? 'cat, unzip and cat' : 'unzip and cat';
      const name = `import of 400 MB by ${by}, against ${against}`;
      rows.push(measurement(name, 'ms', quantile(ours, 0.5), quantile(plain, 0.5), TWICE));
    }
    return rows;
  } finally {
    await set.stop();
    folder.remove();
  }
}
