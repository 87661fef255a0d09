import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Comparison, Debrief, Session, Turn } from '@parley/shared/contracts';
import { pagePath } from '../../page-paths';
import { ApiError } from '../client/api-error';
import { callApi } from '../client/call-api';
import { useMessages } from '../messages/use-messages';
import { lineInSentence } from '../messages/line-names';
import { variableName } from '../messages/name-of';
import type { Scenario } from '../play/play-ports';
import { Failure } from '../shell/failure';
import { SaidAgain } from './said-again';

interface FirstTryProps {
  readonly session: Session;
  readonly scenario: Scenario | null;
  /** Of the retry. */
  readonly debrief: Debrief;
  readonly turns: readonly Turn[];
}

/** A retry beside the talk that it left, in one small table; or in words why that cannot be. */
export function FirstTry({ session, scenario, debrief, turns }: FirstTryProps) {
  const { debrief: words } = useMessages();
  const { data, error, refetch } = useQuery({
    queryKey: ['comparison', session.id],
    queryFn: () => callApi('compareSession', { params: { id: session.id } }),
    enabled: session.forked_from !== null,
    staleTime: 0,
  });
  // A service that has forgotten where a retry came from calls it no retry.
  const isGone =
    session.forked_from === null ||
    data?.parent === null ||
    (error !== null && ApiError.from(error).code === 'INVALID_STATE');
  return (
    <section className="first-try">
      <h2>{words.compared}</h2>
      {isGone ? (
        <p className="reading">{words.firstTryGone}</p>
      ) : error !== null ? (
        <Failure title={words.comparedFailed} error={error} onRetry={() => void refetch()} />
      ) : (
        data?.parent != null && (
          <>
            <SaidAgain parentId={data.parent.session_id} turn={data.forked_at + 1} debrief={debrief} turns={turns} />
            <Beside comparison={data} parent={data.parent} scenario={scenario} />
          </>
        )
      )}
    </section>
  );
}

interface BesideProps {
  readonly comparison: Comparison;
  readonly parent: NonNullable<Comparison['parent']>;
  readonly scenario: Scenario | null;
}

function Beside({ comparison, parent, scenario }: BesideProps) {
  const messages = useMessages();
  const { debrief: words } = messages;
  const { fork, forked_at: forkedAt, dimensions, variables } = comparison;
  const isOver = parent.ending_type !== null;
  const overall = [parent.overall_score, fork.overall_score] as const;
  return (
    <>
      <p className="reading">{words.comparedFrom(lineInSentence(messages, forkedAt))}</p>
      {!isOver && <p className="reading">{words.firstTryOpen}</p>}
      {isOver && parent.overall_score === null && <p className="reading">{words.firstTryNoDebrief}</p>}
      <div className="chart-table" tabIndex={0} role="region" aria-label={words.compared}>
        <table>
          <thead>
            <tr>
              <th scope="col">
                <span className="visually-hidden">{words.how}</span>
              </th>
              <th scope="col">{words.firstTry}</th>
              <th scope="col">{words.thisTry}</th>
              <th scope="col">{words.change}</th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">{words.endedBy}</th>
              <td dir="auto">
                <EndingOf side={parent} scenario={scenario} />
              </td>
              <td dir="auto">
                <EndingOf side={fork} scenario={scenario} />
              </td>
              <td />
            </tr>
            <Row name={words.overall} before={overall[0]} after={overall[1]} none={words.noScore} />
            {dimensions.map(({ id, name, parent_score: before, fork_score: after }) => (
              <Row key={id} name={name} before={before} after={after} none={words.notObserved} />
            ))}
          </tbody>
          <tbody>
            <tr className="first-try-part">
              <th scope="rowgroup" colSpan={4}>
                {words.variablesAtEnd}
              </th>
            </tr>
            {variables.map(({ name, parent: before, fork: after }) => (
              <Row key={name} name={variableName(messages, name)} before={before} after={after} none="–" />
            ))}
          </tbody>
        </table>
      </div>
      <p>
        <Link href={pagePath(isOver ? 'debrief' : 'stage', parent.session_id)}>
          {isOver ? words.toFirstTry : words.toFirstTryOpen}
        </Link>
      </p>
    </>
  );
}

function EndingOf({ side, scenario }: { side: Comparison['fork']; scenario: Scenario | null }) {
  const { debrief, ending } = useMessages();
  const authored = scenario?.endings.find((one) => one.id !== null && one.id === side.ending_id);
  if (authored !== undefined) return authored.title;
  return side.ending_type === null ? debrief.openEnd : ending.title[side.ending_type];
}

interface RowProps {
  readonly name: string;
  readonly before: number | null;
  readonly after: number | null;
  /** What stands for a value that there is none of. */
  readonly none: string;
}

function Row({ name, before, after, none }: RowProps) {
  return (
    <tr>
      <th scope="row" dir="auto">
        {name}
      </th>
      <td>{before ?? none}</td>
      <td>{after ?? none}</td>
      <td>
        <Change by={before === null || after === null ? null : after - before} />
      </td>
    </tr>
  );
}

/** An arrow and a number; read out as words. */
function Change({ by }: { by: number | null }) {
  const { debrief: words } = useMessages();
  const spoken =
    by === null
      ? words.changeUnknown
      : by === 0
        ? words.changeNone
        : by > 0
          ? words.changeUp(by)
          : words.changeDown(-by);
  const shown = by === null ? '–' : by === 0 ? '0' : by > 0 ? `▲${by}` : `▼${-by}`;
  return (
    <>
      <span aria-hidden="true">{shown}</span>
      <span className="visually-hidden">{spoken}</span>
    </>
  );
}
