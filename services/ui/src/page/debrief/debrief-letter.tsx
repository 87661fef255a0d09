import { useState } from 'react';
import { Link } from 'wouter';
import type { Debrief, Session, Turn } from '@parley/shared/contracts';
import { PAGE_PATHS } from '../../page-paths';
import { apiUrl } from '../client/api-address';
import { ROUTE_PATHS } from '../client/route-paths';
import { lineLabel, lineOf } from '../messages/line-names';
import { useMessages } from '../messages/use-messages';
import type { Scenario } from '../play/play-ports';
import { retryPoint } from '../play/play-state';
import { useFork } from '../play/use-fork';
import { PlanForm } from '../plans/plan-form';
import { AgainAfterLetter } from '../plans/practice-again';
import { PageHeading } from '../shell/page-heading';
import { ScriptLine } from '../stage/script-line';
import { CountedFacts } from './counted-facts';
import { debriefInLines } from './debrief-in-lines';
import { DimensionScores } from './dimension-scores';
import { evidenceMarks } from './evidence-marks';
import { FirstTry } from './first-try';
import { NeverHappened, ShutSecrets } from './left-undone';
import { MarkedWords } from './marked-words';
import { NextTime } from './next-time';
import { Outcome } from './outcome';
import { StateChart } from './state-chart';
import type { Suggestion } from './suggestion';
import { TheMoment } from './the-moment';
import { TurningPoints } from './turning-points';

interface DebriefLetterProps {
  readonly debrief: Debrief;
  readonly session: Session;
  /** null when its pack was removed meanwhile. */
  readonly scenario: Scenario | null;
  readonly turns: readonly Turn[];
}

/** Reads like a letter: what to do next, the evidence, then the numbers; the transcript stands beside it. */
export function DebriefLetter({ debrief: written, session, scenario, turns }: DebriefLetterProps) {
  const messages = useMessages();
  const { debrief: words, ending } = messages;
  const debrief = debriefInLines(messages, written, session.turn_count);
  const [shownTurn, setShownTurn] = useState<number | null>(null);
  const fork = useFork(session.id);
  const type = debrief.ending_type;
  const authored = scenario?.endings.find((one) => one.id !== null && one.id === session.ending_id);
  const exportUrl = apiUrl(ROUTE_PATHS.exportSession.path.replace('{id}', encodeURIComponent(session.id)));

  const npcName = scenario?.npc.name ?? session.npc_id;
  const isJudged = debrief.judged !== undefined;
  const marks = evidenceMarks(debrief, turns);

  const showTurn = (turn: number, id = `turn-${turn}`) => {
    setShownTurn(turn);
    const place = document.getElementById(id);
    place?.scrollIntoView({ block: 'center' });
    place?.focus({ preventScroll: true });
  };
  const retryFrom = (turn: number, suggestion: Suggestion) => {
    const said = turns.find(({ index }) => index === turn + 1)?.text ?? null;
    fork.begin({ turn, pinned: { turn: turn + 1, said, ...suggestion } });
  };
  const retryOf = (turn: number, suggestion: Suggestion) => {
    const from = session.transcript_saved ? retryPoint(turns, turn, session.ending_type !== null) : null;
    return (
      from !== null && (
        <button
          type="button"
          className="button"
          aria-disabled={fork.isPending || undefined}
          onClick={() => retryFrom(from, suggestion)}
        >
          {words.retryFrom(lineOf(from) + 1)}
        </button>
      )
    );
  };

  return (
    <div className="page debrief">
      <article className="letter">
        <header>
          <p className="label">{words.of(scenario?.title ?? session.scenario_id)}</p>
          <PageHeading title={authored?.title ?? ending.title[type]} />
          <p className="reading" dir="auto">
            {debrief.summary}
          </p>
          {debrief.used_fallback && <p className="small muted">{words.fallback}</p>}
          {session.demo === true && (
            <p className="small muted">
              {words.demoTalk} <Link href={PAGE_PATHS.connect}>{messages.connect.title}</Link>
            </p>
          )}
          {session.attempt === 'retry' && <p className="small muted">{words.retryAttempt}</p>}
          {session.coaching && <p className="small muted">{messages.coaching.coached}</p>}
        </header>

        {isJudged && <TheMoment debrief={debrief} turns={turns} npcName={npcName} />}
        <NextTime debrief={debrief} retryOf={retryOf} error={fork.error} />
        <Outcome outcome={debrief.outcome ?? []} onShow={showTurn} />

        {debrief.strengths.length > 0 && (
          <section>
            <h2>{words.strengths}</h2>
            {debrief.strengths.map((text) => (
              <p className="reading" key={text} dir="auto">
                {text}
              </p>
            ))}
          </section>
        )}

        {isJudged && (
          <>
            <NeverHappened never={debrief.never ?? []} />
            <ShutSecrets secrets={debrief.shut_secrets ?? []} npcName={npcName} />
            {debrief.facts !== undefined && (
              <CountedFacts facts={debrief.facts} before={debrief.facts_before ?? null} />
            )}
          </>
        )}
        <TurningPoints points={debrief.turning_points} onShow={showTurn} />
        <DimensionScores
          debrief={debrief}
          scenario={scenario}
          focus={session.focus_dimension}
          turns={turns}
          onShow={showTurn}
          onShowEvidence={(turn, key) => showTurn(turn, marks.idOf.get(key))}
        />
        {session.attempt === 'retry' && (
          <FirstTry session={session} scenario={scenario} debrief={debrief} turns={turns} />
        )}
        <StateChart series={debrief.state_series} points={debrief.turning_points} scenario={scenario} />

        <PlanForm sessionId={session.id} title={scenario?.title ?? session.scenario_id} />
        <AgainAfterLetter
          scenarioId={session.scenario_id}
          npcName={npcName}
          dimensions={scenario?.rubric.dimensions ?? []}
        />

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
            role="group"
            aria-label={lineLabel(messages, turn.index)}
            tabIndex={-1}
            data-shown={shownTurn === turn.index || undefined}
          >
            <span className="debrief-number" aria-hidden="true">
              {turn.role === 'player' && lineOf(turn.index)}
            </span>
            <ScriptLine
              turn={turn}
              name={npcName}
              markedWords={
                turn.text !== null &&
                marks.ofTurn.has(turn.index) && (
                  <MarkedWords text={turn.text} marks={marks.ofTurn.get(turn.index) ?? []} />
                )
              }
            />
          </div>
        ))}
      </aside>
    </div>
  );
}
