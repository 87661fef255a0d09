import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { silentLogger } from '@parley/shared/service';
import { freePorts, temporaryFolder, testBaseConfig, waitUntil } from '@parley/shared/testing';
import { startUi } from '../src/start';
import { StandInApi } from './stand-in/stand-in-api';

const UI = path.join(__dirname, '..');
const PAGE = path.join(UI, 'dist/page');

const LOCK = path.join(UI, 'dist/.page-is-being-built');
/** A lock that is older was left behind by a run that was killed, in milliseconds. */
const LOCK_IS_STALE_MS = 120_000;

const ageOf = (file: string): number => statSync(file).mtimeMs;

/** Whether the page was never built, or a source of it is newer. */
function isStale(): boolean {
  const index = path.join(PAGE, 'index.html');
  if (!existsSync(index)) return true;
  const sources = readdirSync(path.join(UI, 'src/page'), { recursive: true, encoding: 'utf8' })
    .filter((name) => !/\.test\.tsx?$/.test(name))
    .map((name) => path.join(UI, 'src/page', name));
  return [...sources, path.join(UI, 'src/page-paths.ts')].some((file) => ageOf(file) > ageOf(index));
}

function takeLock(): boolean {
  try {
    mkdirSync(path.dirname(LOCK), { recursive: true });
    mkdirSync(LOCK);
    return true;
  } catch {
    if (existsSync(LOCK) && Date.now() - ageOf(LOCK) > LOCK_IS_STALE_MS) rmSync(LOCK, { recursive: true });
    return false;
  }
}

/** Builds the page when that is needed. Suites run side by side: one builds, the others wait for it. */
export async function ensurePageBuilt(): Promise<string> {
  await waitUntil(
    'the page to be built',
    () => {
      if (!takeLock()) return false;
      try {
        if (isStale())
          execFileSync(process.execPath, [path.join(UI, 'scripts/build-page.mjs')], { cwd: UI, stdio: 'pipe' });
        return true;
      } finally {
        rmSync(LOCK, { recursive: true });
      }
    },
    { timeoutMs: 55_000, intervalMs: 100 },
  );
  return PAGE;
}

export interface StartedPage {
  readonly url: string;
  readonly api: StandInApi;
  stop(): Promise<void>;
}

/** The real server of the page on a free port, with the stand-in behind it. */
export async function startPage(): Promise<StartedPage> {
  const pageDir = await ensurePageBuilt();
  const folder = temporaryFolder('ui');
  const [uiPort = 0, apiPort = 0] = await freePorts(2);
  const ui = await startUi(
    {
      base: testBaseConfig('ui', { port: uiPort, data_dir: folder.path }),
      api_port: apiPort,
      page_dir: pageDir,
    },
    silentLogger(),
  );
  const api = await StandInApi.start(apiPort, uiPort, folder.path);
  return {
    url: ui.url,
    api,
    async stop() {
      await api.stop();
      await ui.stop();
      folder.remove();
    },
  };
}
