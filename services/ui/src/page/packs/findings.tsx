import type { Finding } from '@parley/shared/contracts';
import type { ApiError } from '../client/api-error';
import { useMessages } from '../messages/use-messages';

/** The findings that a refused import carries. */
export function findingsOf(error: ApiError | null): Finding[] {
  const findings = error?.details['findings'];
  return Array.isArray(findings) ? (findings as Finding[]) : [];
}

/** Findings in groups by file: `file:line:column`, the rule, what is wrong and what to do. */
export function Findings({ findings }: { findings: readonly Finding[] }) {
  const { packs: words } = useMessages();
  if (findings.length === 0) return null;
  const byFile = Map.groupBy(findings, (finding) => finding.file);
  return (
    <div className="findings">
      <h3>{words.findings}</h3>
      {[...byFile].map(([file, found]) => (
        <section key={file}>
          {file !== '' && <h4 className="label">{file}</h4>}
          <ul>
            {found.map((finding, at) => (
              <li key={at}>
                <code>
                  {[finding.file, finding.line, finding.column]
                    .filter((part) => part !== null && part !== '')
                    .join(':')}{' '}
                  {/* A page of its own beside this one: docs/rules.md. */}
                  <a href={`/rules.html#${encodeURIComponent(finding.rule)}`} target="_blank" rel="noreferrer">
                    {finding.rule}
                  </a>
                </code>{' '}
                <strong>{words[finding.severity]}</strong> <span dir="auto">{finding.message}</span>
                {finding.hint !== null && (
                  <span className="muted" dir="auto">
                    {' '}
                    {finding.hint}
                  </span>
                )}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
