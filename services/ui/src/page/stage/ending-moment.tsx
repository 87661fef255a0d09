import { useEffect, useRef } from 'react';
import type { Session } from '@parley/shared/contracts';
import { Link } from 'wouter';
import { pagePath } from '../../page-paths';
import { useMessages } from '../messages/use-messages';
import type { Scenario } from '../play/play-ports';

interface EndingMomentProps {
  readonly scenario: Scenario;
  readonly session: Session;
  /** What the player was typing when the talk ended. */
  readonly unsaid: string;
}

/** The end of the talk, said plainly, and the ways to the line that decided it and to the debrief. */
export function EndingMoment({ scenario, session, unsaid }: EndingMomentProps) {
  const { ending, app } = useMessages();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    // An ending that is taller than the window is read from its beginning.
    heading.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const type = session.ending_type ?? 'player_exit';
  const authored = scenario.endings.find((one) => one.id !== null && one.id === session.ending_id);
  // Nobody is asked to say again what stopped a talk, nor what was never said.
  const hasMoment = type !== 'safety_stop' && session.player_turn_count > 0;
  return (
    <section className="ending" data-type={type}>
      <h2 ref={heading} tabIndex={-1} dir="auto">
        {authored?.title ?? ending.title[type]}
      </h2>
      <p className="reading">{ending.text[type]}</p>
      {type === 'safety_stop' && (
        <aside className="ending-help" aria-label={ending.helpTitle}>
          <h3>{ending.helpTitle}</h3>
          {ending.help.map((text) => (
            <p className="reading" key={text}>
              {text}
            </p>
          ))}
        </aside>
      )}
      {unsaid.trim() !== '' && (
        <div className="ending-unsaid">
          <h3 className="label">{ending.unsaid}</h3>
          <p className="reading" dir="auto">
            {unsaid.trim()}
          </p>
        </div>
      )}
      <div className="actions">
        {hasMoment && (
          <Link className="button button-primary" href={pagePath('moment', session.id)}>
            {ending.toMoment}
          </Link>
        )}
        <Link className={hasMoment ? 'button' : 'button button-primary'} href={pagePath('debrief', session.id)}>
          {ending.toDebrief}
        </Link>
        <Link className="button" href={pagePath('briefing', scenario.id)}>
          {ending.again}
        </Link>
        <Link href={pagePath('library')}>{app.toLibrary}</Link>
      </div>
    </section>
  );
}
