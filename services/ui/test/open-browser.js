'use strict';
Object.defineProperty(exports, '__esModule', { value: true });
exports.findChromium = void 0;
exports.openBrowser = openBrowser;
const node_fs_1 = require('node:fs');
const playwright_core_1 = require('playwright-core');
const CANDIDATES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
/** Path of a Chromium on this machine, or null when there is none. */
const findChromium = () => CANDIDATES.find((path) => (0, node_fs_1.existsSync)(path)) ?? null;
exports.findChromium = findChromium;
/** Chromium that asks nobody for anything: no updates, no sync, no background requests. */
function openBrowser(executablePath) {
  return playwright_core_1.chromium.launch({
    executablePath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
//# sourceMappingURL=open-browser.js.map
