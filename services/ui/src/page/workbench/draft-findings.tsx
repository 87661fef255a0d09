import type { Finding } from '@parley/shared/contracts';
import { useMessages } from '../messages/use-messages';
import { Failure } from '../shell/failure';
import type { DraftCheckState } from './use-draft-check';

const placeOf = ({ file, line, column }: Finding): string =>
  [file, line, column].filter((part) => part !== null && part !== '').join(':');

interface DraftFindingsProps {
  readonly state: DraftCheckState;
  readonly onGo: (finding: Finding) => void;
}

/** What the check of a draft found. Each finding leads to its place. */
export function DraftFindings({ state, onGo }: DraftFindingsProps) {
  const { draft: words } = useMessages();
  const { check, isChecking, error } = state;
  const findings = check?.findings ?? [];
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  return (
    <section className="workbench-findings">
      <h2>{words.findings}</h2>
      <p role="status">
        {isChecking
          ? words.checking
          : findings.length === 0
            ? error === null && words.noFindings
            : words.counts(errors, findings.length - errors)}
      </p>
      {error !== null && <Failure title={words.checkFailed} error={error} onRetry={state.run} />}
      <ol>
        {findings.map((finding, at) => (
          <li key={at} data-severity={finding.severity}>
            <button type="button" onClick={() => onGo(finding)}>
              <code>{placeOf(finding)}</code>
            </button>
            <p dir="auto">
              <strong>{words[finding.severity]}:</strong> {finding.message}{' '}
              {finding.hint !== null && <span className="muted">{finding.hint}</span>}{' '}
              <code className="muted">{finding.rule}</code>
            </p>
          </li>
        ))}
      </ol>
      {(check?.scripts.length ?? 0) > 0 && (
        <>
          <h3>{words.scripts}</h3>
          <ul>
            {check?.scripts.map((script) => (
              <li key={script.file}>
                <code>{script.fixture_id}</code> {words.scriptResult[script.result]}
                {script.ending !== null && ` (${script.ending})`}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
