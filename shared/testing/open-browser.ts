import { existsSync } from 'node:fs';
import type { Browser } from 'playwright-core';

const CANDIDATES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Path of a Chromium on this machine, or null when there is none. */
export const findChromium = (): string | null => CANDIDATES.find((path) => existsSync(path)) ?? null;

/**
 * Chromium that asks nobody for anything: no updates, no sync, no background requests.
 * @param more arguments of Chromium's own, such as the size of its text.
 */
export async function openBrowser(executablePath: string, more: readonly string[] = []): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  return chromium.launch({
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
      ...more,
    ],
  });
}
