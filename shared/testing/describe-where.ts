import { findChromium } from './open-browser';

/**
 * Whether tests are skipped because the machine lacks what they need; a line on stderr says so. Never under CI: there they
 * run, and fail.
 * @param line what is missing, what is not tested for it, and what to install
 */
export function isSkippedWithout(isThere: boolean, line: string): boolean {
  if (isThere || process.env['CI'] === 'true') return false;
  process.stderr.write(`${line}\n`);
  return true;
}

/** `describe` where there is a Chromium; elsewhere the suite is skipped, but under CI it fails. */
export function describeInBrowser(name: string, suite: (executablePath: string) => void): void {
  const path = findChromium();
  const line = `No Chromium was found: “${name}” is not tested. Install the package chromium.`;
  if (isSkippedWithout(path !== null, line)) describe.skip(name, () => suite(''));
  else if (path !== null) describe(name, () => suite(path));
  else
    it(`${name} finds a Chromium`, () => {
      throw new Error('CI needs Chromium; install the package chromium.');
    });
}
