import type { CheckResult, ConformanceReport } from './run-conformance';

export type ReportFormat = 'text' | 'json' | 'tap';

const remarkOf = ({ remark }: CheckResult): string => (remark === null ? '' : ` (${remark.replaceAll('\n', ' ')})`);

function asText({ url, results }: ConformanceReport): string {
  const failed = results.filter((result) => !result.passed).length;
  const lines = results.map(
    (result) => `${result.passed ? 'ok    ' : 'BROKEN'} ${result.id}: ${result.title}${remarkOf(result)}`,
  );
  const verdict = failed === 0 ? 'conforms' : `does not conform: ${failed} of ${results.length} checks broken`;
  return [...lines, '', `${url} ${verdict}.`, ''].join('\n');
}

function asTap({ results }: ConformanceReport): string {
  const lines = results.map((result, at) => {
    const line = `${result.passed ? 'ok' : 'not ok'} ${at + 1} - ${result.id}: ${result.title.replaceAll('#', '')}`;
    return result.remark === null ? line : `${line}\n  ---\n  message: ${JSON.stringify(result.remark)}\n  ...`;
  });
  return ['TAP version 13', `1..${results.length}`, ...lines, ''].join('\n');
}

/** The report for a person, as JSON or as TAP 13. */
export function formatReport(report: ConformanceReport, format: ReportFormat): string {
  if (format === 'json') return `${JSON.stringify(report, null, 2)}\n`;
  return format === 'tap' ? asTap(report) : asText(report);
}
