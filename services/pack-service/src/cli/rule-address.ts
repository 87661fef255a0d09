import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * The page of rules that comes with the install: written from docs/rules.md by npm run generate, and built into the page.
 * It is found from the compiled program or its source: services/pack-service/{dist,src}/cli.
 */
function rulesPage(): string {
  const ui = path.resolve(__dirname, '../../../ui');
  const built = path.join(ui, 'dist/page/rules.html');
  return existsSync(built) ? built : path.join(ui, 'src/page/public/rules.html');
}

/**
 * The address of what a rule means. SARIF wants an absolute one, and a file: address is the only one that is true of every
 * install without a registry or a host of ours: editors and browsers on the machine that linted open it, with no network.
 * Where the report is read elsewhere (a code host), the page is published and named.
 * @param base address of the published page, without the anchor
 */
export const ruleAddress = (rule: string, base: string = pathToFileURL(rulesPage()).href): string =>
  `${base.split('#', 1)[0]}#${encodeURIComponent(rule)}`;
