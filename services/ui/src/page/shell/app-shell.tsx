import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { PAGE_PATHS } from '../../page-paths';
import { useMessages } from '../messages/use-messages';
import { HealthPill } from './health-pill';
import { StatusProvider } from './status';

/**
 * Header, skip link, the one polite status, and room for a page. On the stage the room belongs to the talk: of the ways
 * elsewhere only that to the help is left.
 */
export function AppShell({ children }: { children: ReactNode }) {
  const { app, help } = useMessages();
  const [location] = useLocation();
  const onStage = location.startsWith('/play/');
  const links = [
    [PAGE_PATHS.library, app.library],
    [PAGE_PATHS.history, app.history],
    [PAGE_PATHS.progress, app.progress],
    [PAGE_PATHS.packs, app.packs],
    [PAGE_PATHS.settings, app.settings],
    [PAGE_PATHS.help, help.title],
  ] as const;
  return (
    <StatusProvider>
      <div className="shell" data-stage={onStage || undefined}>
        <header className="top">
          <a className="skip" href="#content">
            {app.skipToContent}
          </a>
          <Link className="wordmark" href={PAGE_PATHS.library}>
            {app.name}
          </Link>
          <nav aria-label={app.navigation}>
            <ul>
              {links.map(([path, words]) => (
                <li key={path}>
                  <Link href={path} aria-current={location === path ? 'page' : undefined}>
                    {words}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
          <HealthPill />
        </header>
        <main id="content" tabIndex={-1}>
          {children}
        </main>
      </div>
    </StatusProvider>
  );
}
