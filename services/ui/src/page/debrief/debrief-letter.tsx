import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Debrief, Session, Turn } from '@parley/shared/contracts';
import { pagePath } from '../../page-paths';
import { apiUrl } from '../client/api-address';
import { callApi } from '../client/call-api';
import { ROUTE_PATHS } from '../client/route-paths';
import { useMessages } from '../messages/use-messages';
import type { Scenario } from '../play/play-ports';
import { retryPoint } from '../play/play-state';
import { Failure } from '../shell/failure';
import { PageHeading } from '../shell/page-heading';
import { ScriptLine } from '../stage/script-line';
import { DimensionScores } from './dimension-scores';
import { FirstTry } from './first-try';
import { StateChart } from './state-chart';
import { TurningPoints } from './turning-points';

interface DebriefLetterProps {
  readonly debrief: Debrief;
  readonly session: Session;
  /** null when its pack was removed meanwhile. */
  readonly scenario: Scenario | null;
  readonly turns: readonly Turn[];
}

/** Reads like a letter: what to do next, the evidence, then the numbers; the transcript stands beside it. */
export function DebriefLetter({ debrief, session, scenario, turns }: DebriefLetterProps) {
  const { debrief: words, ending } = useMessages();
  const [, navigate] = useLocation();
  const [shownTurn, setShownTurn] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const type = debrief.ending_type;
  const authored = scenario?.endings.find((one) => one.id !== null && one.id === session.ending_id);
  const exportUrl = apiUrl(ROUTE_PATHS.exportSession.path.replace('{id}', encodeURIComponent(session.id)));

  const showTurn = (turn: number) => {
    setShownTurn(turn);
    const line = document.getElementById(`turn-${turn}`);
    line?.scrollIntoView({ block: 'center' });
    line?.focus({ preventScroll: true });
  };
  const retryFrom = async (turn: number) => {
    try {
      const made = await callApi('forkSession', { params: { id: session.id }, body: { turn } });
      navigate(pagePath('stage', made.id));
    } catch (thrown) {
      setError(thrown);
    }
  };
  const forkOf = (turn: number): number | null =>
    session.transcript_saved ? retryPoint(turns, turn, session.ending_type !== null) : null;

  return (
    <div className="page debrief">
      <article className="letter">
        <header>
          <p className="label">{words.of(scenario?.title ?? session.scenario_id)}</p>
          <PageHeading title={authored?.title ?? ending.title[type]} />
          <p className="reading">{debrief.summary}</p>
          {debrief.used_fallback && <p className="small muted">{words.fallback}</p>}
          {session.attempt === 'retry' && <p className="small muted">{words.retryAttempt}</p>}
        </header>

        <section>
          <h2>{words.next}</h2>
          {debrief.improvements.length === 0 && <p className="reading">{words.noNext}</p>}
          {debrief.improvements.map((text) => (
            <p className="reading" key={text}>
              {text}
            </p>
          ))}
          {debrief.replay_suggestions.map(({ turn, suggestion }) => {
            const from = forkOf(turn);
            return (
              <div className="suggestion" key={`${turn} ${suggestion}`}>
                <p className="reading">{suggestion}</p>
                {from !== null && (
                  <button type="button" className="button" onClick={() => void retryFrom(from)}>
                    {words.retryFrom(turn)}
                  </button>
                )}
              </div>
            );
          })}
          {error !== null && <Failure title="" error={error} />}
        </section>

        {debrief.strengths.length > 0 && (
          <section>
            <h2>{words.strengths}</h2>
            {debrief.strengths.map((text) => (
              <p className="reading" key={text}>
                {text}
              </p>
            ))}
          </section>
        )}

        <TurningPoints points={debrief.turning_points} onShow={showTurn} />
        <DimensionScores debrief={debrief} scenario={scenario} focus={session.focus_dimension} onShow={showTurn} />
        {session.attempt === 'retry' && <FirstTry session={session} scenario={scenario} />}
        <StateChart series={debrief.state_series} points={debrief.turning_points} scenario={scenario} />

        <footer className="actions">
          {exportUrl !== null && (
            <>
              <a className="button" href={exportUrl} download>
                {words.exportJson}
              </a>
              <a className="button" href={`${exportUrl}?format=markdown`} download>
                {words.exportMarkdown}
              </a>
            </>
          )}
          <button type="button" className="button" onClick={() => window.print()}>
            {words.print}
          </button>
        </footer>
      </article>

      <aside className="debrief-script" aria-label={words.transcript} tabIndex={0}>
        <h2 className="label">{words.transcript}</h2>
        {turns.map((turn) => (
          <div
            key={turn.index}
            id={`turn-${turn.index}`}
            className="debrief-line"
            tabIndex={-1}
            data-shown={shownTurn === turn.index || undefined}
          >
            <span className="debrief-number" aria-hidden="true">
              {turn.index}
            </span>
            <ScriptLine turn={turn} name={scenario?.npc.name ?? session.npc_id} />
          </div>
        ))}
      </aside>
    </div>
  );
}
