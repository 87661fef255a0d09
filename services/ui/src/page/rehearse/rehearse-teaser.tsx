import { Link } from 'wouter';
import { PAGE_PATHS } from '../../page-paths';
import { useMessages } from '../messages/use-messages';

/** In the library, behind the scenarios that others wrote: one's own. */
export function RehearseTeaser() {
  const { rehearse: words } = useMessages();
  return (
    <section className="notice">
      <h2>{words.teaser}</h2>
      <p className="reading">{words.teaserText}</p>
      <div className="actions">
        <Link className="button" href={PAGE_PATHS.rehearse}>
          {words.title}
        </Link>
      </div>
    </section>
  );
}
