import { type Browser } from 'playwright-core';
/** Path of a Chromium on this machine, or null when there is none. */
export declare const findChromium: () => string | null;
/** Chromium that asks nobody for anything: no updates, no sync, no background requests. */
export declare function openBrowser(executablePath: string): Promise<Browser>;
//# sourceMappingURL=open-browser.d.ts.map
