import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { silentLogger } from '@parley/shared/service';
import { freePorts, temporaryFolder, testBaseConfig } from '@parley/shared/testing';
import { startUi } from '../src/server/start-ui';
import { StandInApi } from './stand-in/stand-in-api';

const UI = path.join(__dirname, '..');
const PAGE = path.join(UI, 'dist/page');

const newestIn = (folder: string): number =>
  Math.max(
    ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(
      (name) => statSync(path.join(folder, name)).mtimeMs,
    ),
  );

/** Builds the page when it was never built, or when a source is newer than it. */
export function ensurePageBuilt(): string {
  const index = path.join(PAGE, 'index.html');
  if (!existsSync(index) || statSync(index).mtimeMs < newestIn(path.join(UI, 'src/page')))
    execFileSync(process.execPath, [path.join(UI, 'scripts/build-page.mjs')], { cwd: UI, stdio: 'pipe' });
  return PAGE;
}

export interface StartedPage {
  readonly url: string;
  readonly api: StandInApi;
  stop(): Promise<void>;
}

/** The real server of the page on a free port, with the stand-in behind it. */
export async function startPage(): Promise<StartedPage> {
  const pageDir = ensurePageBuilt();
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
      await ui.close(200);
      folder.remove();
    },
  };
}
