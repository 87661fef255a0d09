import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiUrl } from '../client/api-address';
import { callApi } from '../client/call-api';
import { ROUTE_PATHS } from '../client/route-paths';
import { useMessages } from '../messages/use-messages';
import { Failure } from '../shell/failure';
import { Loading } from '../shell/loading';
import { PageHeading } from '../shell/page-heading';
import { useSay } from '../shell/status';
import './diagnostics.css';

const BYTES_PER_MEGABYTE = 1e6;

/** Versions, processes, storage and errors of this installation, to read and to copy into a report. */
export function DiagnosticsPage() {
  const { diagnostics: words, language } = useMessages();
  const [copyError, setCopyError] = useState(false);
  const say = useSay();
  const { data, error, refetch } = useQuery({
    queryKey: ['diagnostics'],
    queryFn: () => callApi('getDiagnostics', {}),
    staleTime: 0,
  });
  const bundle = apiUrl(ROUTE_PATHS.getDiagnosticsBundle.path);
  const megabytes = (bytes: number | null) =>
    bytes === null ? words.unknown : words.megabytes(Math.round(bytes / BYTES_PER_MEGABYTE));
  const copy = async () => {
    const done = await navigator.clipboard.writeText(JSON.stringify(data, null, 2)).then(
      () => true,
      () => false,
    );
    setCopyError(!done);
    say(done ? words.copied : words.notCopied);
  };
  return (
    <div className="page sectioned diagnostics">
      <header>
        <PageHeading title={words.title} />
        <p className="reading muted">{words.intro}</p>
      </header>
      {error !== null && <Failure title={words.failed} error={error} onRetry={() => void refetch()} />}
      {error === null && data === undefined && <Loading />}
      {data !== undefined && (
        <>
          <div className="actions">
            {/* On a LAN the page has no secure context, and with that no clipboard. */}
            {window.isSecureContext && (
              <button type="button" className="button" onClick={() => void copy()}>
                {words.copy}
              </button>
            )}
            {bundle !== null && (
              <a className="button" href={bundle} download>
                {words.bundle}
              </a>
            )}
          </div>
          {copyError && <p>{words.notCopied}</p>}
          {(data.warnings.length > 0 || data.runtime.message !== null) && (
            <section className="notice">
              <h2>{words.warnings}</h2>
              <ul>
                {data.warnings.map((one) => (
                  <li key={one.code}>{one.message}</li>
                ))}
                {data.runtime.message !== null && <li>{data.runtime.message}</li>}
              </ul>
            </section>
          )}
          <section>
            <h2>{words.processes}</h2>
            <div className="diagnostics-table" tabIndex={0} role="region" aria-label={words.processes}>
              <table>
                <thead>
                  <tr>
                    <th scope="col">{words.name}</th>
                    <th scope="col">{words.status}</th>
                    <th scope="col">{words.uptime}</th>
                    <th scope="col">{words.memory}</th>
                    <th scope="col">{words.restarts}</th>
                  </tr>
                </thead>
                <tbody>
                  {data.processes.map((one) => (
                    <tr key={one.name}>
                      <th scope="row">{one.name}</th>
                      <td>{one.status}</td>
                      <td>{one.uptime_s === null ? words.unknown : words.minutes(Math.floor(one.uptime_s / 60))}</td>
                      <td>{megabytes(one.memory_bytes)}</td>
                      <td>{one.restarts ?? words.unknown}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </section>
          <section>
            <h2>{words.errors}</h2>
            {data.recent_errors.length === 0 && <p>{words.noErrors}</p>}
            <ul>
              {data.recent_errors.map((one) => (
                <li key={one.code}>
                  <code>{one.code}</code> {words.times(one.count)},{' '}
                  <time dateTime={one.last_at}>
                    {new Date(one.last_at).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'medium' })}
                  </time>
                </li>
              ))}
            </ul>
          </section>
          <section>
            <h2>{words.database}</h2>
            <Facts
              facts={[
                [words.schema, String(data.schema_version)],
                [words.size, megabytes(data.database_bytes)],
                [words.log, megabytes(data.log_bytes)],
                [words.free, megabytes(data.free_disk_bytes)],
                [words.waiting, String(data.queue_depth)],
              ]}
            />
          </section>
          <section>
            <h2>{words.versions}</h2>
            <Facts facts={Object.entries(data.versions)} />
          </section>
        </>
      )}
    </div>
  );
}

function Facts({ facts }: { facts: readonly (readonly [string, string])[] }) {
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
