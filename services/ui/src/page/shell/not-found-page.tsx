import { Link } from 'wouter';
import { PAGE_PATHS } from '../../page-paths';
import { useMessages } from '../messages/use-messages';
import { PageHeading } from './page-heading';

export function NotFoundPage() {
  const { app } = useMessages();
  return (
    <div className="page">
      <header>
        <PageHeading title={app.notFound} />
        <p>{app.notFoundHint}</p>
      </header>
      <Link href={PAGE_PATHS.library}>{app.toLibrary}</Link>
    </div>
  );
}
