import { VERSION, type Finding } from '@parley/shared/contracts';
import { ruleAddress } from './rule-address';

export const FORMATS = ['text', 'json', 'sarif', 'github'] as const;
export type Format = (typeof FORMATS)[number];

/** Findings of one pack. `prefix` is where it lies as the person named it; '' for an archive. */
export interface PackReport {
  readonly prefix: string;
  readonly valid: boolean;
  readonly findings: readonly Finding[];
  /** More for the JSON form: endings, playthroughs. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

const fileOf = (report: PackReport, finding: Finding): string =>
  [report.prefix, finding.file].filter((part) => part !== '').join('/') || '.';

function asText(reports: readonly PackReport[]): string {
  return reports
    .flatMap((report) =>
      report.findings.map((one) => {
        const place = [fileOf(report, one), one.line ?? 1, one.column ?? 1].join(':');
        const hint = one.hint === null ? '' : `\n    ${one.hint}`;
        return `${place} ${one.severity} ${one.rule} ${one.message}${hint}\n`;
      }),
    )
    .join('');
}

/** Values and texts of GitHub's workflow commands have characters of their own to escape. */
const escapeData = (text: string): string => text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
const escapeProperty = (text: string): string => escapeData(text).replace(/:/g, '%3A').replace(/,/g, '%2C');

function asGithub(reports: readonly PackReport[]): string {
  return reports
    .flatMap((report) =>
      report.findings.map((one) => {
        const place = `file=${escapeProperty(fileOf(report, one))},line=${one.line ?? 1},col=${one.column ?? 1}`;
        const text = one.hint === null ? one.message : `${one.message} ${one.hint}`;
        return `::${one.severity} ${place},title=${escapeProperty(one.rule)}::${escapeData(text)}\n`;
      }),
    )
    .join('');
}

function asSarif(reports: readonly PackReport[], rulesAt: string | undefined): string {
  const rules = [...new Set(reports.flatMap((report) => report.findings.map((one) => one.rule)))].sort();
  const results = reports.flatMap((report) =>
    report.findings.map((one) => ({
      ruleId: one.rule,
      ruleIndex: rules.indexOf(one.rule),
      level: one.severity,
      message: { text: one.hint === null ? one.message : `${one.message} ${one.hint}` },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: fileOf(report, one).split('/').map(encodeURIComponent).join('/') },
            region: { startLine: one.line ?? 1, startColumn: one.column ?? 1 },
          },
        },
      ],
    })),
  );
  const driver = {
    name: 'parley packs',
    version: VERSION,
    rules: rules.map((id) => ({ id, helpUri: ruleAddress(id, rulesAt) })),
  };
  return `${JSON.stringify({ $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [{ tool: { driver }, results }] }, null, 2)}\n`;
}

/**
 * Findings in the form that a person, a program or a code host reads.
 * @param rulesAt where the page of rules is published, for SARIF; that of this install when left out
 */
export function formatFindings(reports: readonly PackReport[], format: Format, rulesAt?: string): string {
  switch (format) {
    case 'text':
      return asText(reports);
    case 'github':
      return asGithub(reports);
    case 'sarif':
      return asSarif(reports, rulesAt);
    case 'json':
      return `${JSON.stringify({ packs: reports.map(({ prefix, valid, findings, extra }) => ({ path: prefix, valid, findings, ...extra })) }, null, 2)}\n`;
  }
}
