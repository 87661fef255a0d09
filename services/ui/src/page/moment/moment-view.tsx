import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import type { Drill, Session, Turn } from '@parley/shared/contracts';
import { pagePath } from '../../page-paths';
import { useHealth } from '../client/queries';
import { Quoted } from '../debrief/quoted';
import { lineOf } from '../messages/line-names';
import { useMessages } from '../messages/use-messages';
import { emotionWord } from '../messages/name-of';
import type { Scenario } from '../play/play-ports';
import { useFork } from '../play/use-fork';
import { Failure } from '../shell/failure';
import { PageHeading } from '../shell/page-heading';
import { Portrait } from '../shell/portrait';
import { portraitOf } from '../stage/portrait-of';
import { ScriptLine } from '../stage/script-line';
import { AgainComposer } from './again-composer';
import type { Place } from './place';
import { TriedLineView } from './tried-line-view';
import { useTries } from './use-tries';
import '../stage/stage.css';
import '../stage/composer.css';
import '../debrief/debrief.css';
import './moment.css';

interface MomentViewProps {
  readonly place: Place;
  readonly session: Session;
  readonly scenario: Scenario;
  readonly turns: readonly Turn[];
  /** Tries of earlier visits. */
  readonly drills: readonly Drill[];
}

/** The character's face at the moment, what was said there, and an empty composer. */
export function MomentView({ place, session, scenario, turns, drills }: MomentViewProps) {
  const messages = useMessages();
  const { moment: words } = messages;
  const fork = useFork(session.id);
  const runtime = useHealth().data?.runtime;
  const isDemo = runtime?.runtime_id === 'fake';
  const npcName = scenario.npc.name;
  const canReply = runtime?.status === 'READY' && !isDemo && session.transcript_saved;
  const { tries, left, heard, ...practice } = useTries({
    sessionId: session.id,
    turn: place.turn,
    npcName,
    drills,
    canReply,
  });
  const said = [place.turn - 1, place.turn, place.turn + 1].flatMap(
    (index) => turns.find((turn) => turn.index === index) ?? [],
  );
  const answered = said.findLast(({ role }) => role === 'npc')?.emotion ?? null;
  const emotion = tries.findLast(({ reply }) => reply !== null)?.reply?.emotion ?? answered;
  const playOn = (line: string) => fork.begin({ turn: place.turn - 1, say: line });
  const noneLeft = useRef<HTMLParagraphElement>(null);
  const leftBefore = useRef(left);
  useEffect(() => {
    // The composer that held the focus went with the last try.
    if (left === 0 && leftBefore.current > 0) noneLeft.current?.focus({ preventScroll: true });
    leftBefore.current = left;
  }, [left]);
  return (
    <div className="page moment">
      <header>
        <p className="label" dir="auto">
          {scenario.title}
        </p>
        <PageHeading title={words.title} />
        <p className="reading">
          {(place.kind === null ? words.leadOther : words.lead[place.kind])(lineOf(place.turn))}
        </p>
      </header>
      <Face scenario={scenario} emotion={emotion} />
      <div className="moment-talk">
        <section className="moment-said" aria-label={words.script}>
          {said.map((turn) => (
            <ScriptLine key={turn.index} turn={turn} name={npcName} />
          ))}
        </section>
        <About place={place} />
        <section className="moment-again">
          <h2>{words.again}</h2>
          {tries.length > 0 && (
            <ol className="tries" aria-label={words.tries}>
              {tries.map((tried, at) => (
                <TriedLineView
                  key={tried.number}
                  tried={tried}
                  npcName={npcName}
                  heard={at === tries.length - 1 ? heard : null}
                >
                  {tried.text !== null && session.transcript_saved && (
                    <button
                      type="button"
                      className={left === 0 && at === tries.length - 1 ? 'button button-primary' : 'button'}
                      aria-label={words.playOnWith(tried.number)}
                      aria-disabled={fork.isPending || undefined}
                      onClick={() => playOn(tried.text ?? '')}
                    >
                      {words.playOn}
                    </button>
                  )}
                </TriedLineView>
              ))}
            </ol>
          )}
          {practice.replyError !== null && (
            <Failure title={words.noReply(npcName)} error={practice.replyError} onRetry={practice.askAgain} />
          )}
          {tries.length > 0 && (
            <p className="small muted">
              {session.transcript_saved ? words.playOnHint : words.cannotPlayOn} {isDemo && words.demo(npcName)}
            </p>
          )}
          {practice.error !== null && <Failure title="" error={practice.error} />}
          {fork.error !== null && <Failure title="" error={fork.error} />}
          {left > 0 ? (
            <AgainComposer
              npcName={npcName}
              left={left}
              isTrying={practice.isTrying}
              lastText={tries.at(-1)?.text ?? null}
              onTry={practice.tryLine}
            />
          ) : (
            <p ref={noneLeft} tabIndex={-1}>
              {words.triesLeft(0)}
            </p>
          )}
        </section>
        <Link className="button" href={pagePath('debrief', session.id)}>
          {words.toLetter}
        </Link>
      </div>
    </div>
  );
}

function Face({ scenario, emotion }: { scenario: Scenario; emotion: string | null }) {
  const messages = useMessages();
  const portrait = portraitOf(scenario, emotion);
  return (
    <aside className="moment-face" aria-label={messages.moment.face(scenario.npc.name)}>
      {portrait !== null && <Portrait className="person-portrait" url={portrait.url} alt={portrait.alt} />}
      <p className="person-who" dir="auto">
        {scenario.npc.name}
      </p>
      {emotion !== null && <p className="person-emotion">{emotionWord(messages, emotion)}</p>}
    </aside>
  );
}

/** What the line is about, the author's word, and, for who wants to see it, a line that does it. */
function About({ place: { about, note, advice } }: { place: Place }) {
  const { judging, moment: words } = useMessages();
  return (
    <>
      {about !== null && <Quoted title={judging.momentCheck} text={about} />}
      {note !== null && <Quoted title={judging.authorNote} text={note} />}
      {advice?.better != null && (
        <details className="why-this-works">
          <summary>{words.showBetter}</summary>
          <Quoted title={judging.better} text={advice.better} />
          <Quoted title={judging.why} text={advice.why} />
        </details>
      )}
    </>
  );
}
