import { Link } from 'wouter';
import type { Session } from '@parley/shared/contracts';
import { pagePath } from '../../page-paths';
import { useMessages } from '../messages/use-messages';
import { PageHeading } from '../shell/page-heading';

/** In the place of what comes after a talk, while it goes on. */
export function NotOver({ session }: { session: Session }) {
  const { debrief } = useMessages();
  return (
    <div className="page">
      <header>
        <PageHeading title={debrief.title} />
        <p>{debrief.notEnded}</p>
      </header>
      <Link className="button" href={pagePath('stage', session.id)}>
        {debrief.resume}
      </Link>
    </div>
  );
}
