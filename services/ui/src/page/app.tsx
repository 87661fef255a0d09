import { lazy, Suspense } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { isPagePath, PAGE_PATHS } from '../page-paths';
import { AppShell } from './shell/app-shell';
import { PageFaultBoundary } from './shell/page-fault-boundary';
import { NotFoundPage } from './shell/not-found-page';
import { Loading } from './shell/loading';
import { LibraryPage } from './library/library-page';
import { PlayPage } from './play/play-page';

// The library and the stage are the first page; the rest is fetched when it is wanted.
const DebriefPage = lazy(async () => ({ default: (await import('./debrief/debrief-page')).DebriefPage }));
const MomentPage = lazy(async () => ({ default: (await import('./moment/moment-page')).MomentPage }));
const HistoryPage = lazy(async () => ({ default: (await import('./history/history-page')).HistoryPage }));
const ProgressPage = lazy(async () => ({ default: (await import('./progress/progress-page')).ProgressPage }));
const DiagnosticsPage = lazy(async () => ({
  default: (await import('./diagnostics/diagnostics-page')).DiagnosticsPage,
}));
const SettingsPage = lazy(async () => ({ default: (await import('./settings/settings-page')).SettingsPage }));
const ModelsPage = lazy(async () => ({ default: (await import('./models/models-page')).ModelsPage }));
const ConnectPage = lazy(async () => ({ default: (await import('./connect/connect-page')).ConnectPage }));
const HelpPage = lazy(async () => ({ default: (await import('./help/help-page')).HelpPage }));
const RehearsePage = lazy(async () => ({ default: (await import('./rehearse/rehearse-page')).RehearsePage }));
const WorkbenchPage = lazy(async () => ({ default: (await import('./workbench/workbench-page')).WorkbenchPage }));
const DraftPage = lazy(async () => ({ default: (await import('./workbench/draft-page')).DraftPage }));
const PacksPage = lazy(async () => ({ default: (await import('./packs/packs-page')).PacksPage }));

export function App() {
  const [location] = useLocation();
  return (
    <AppShell>
      <PageFaultBoundary key={location}>
        <Suspense fallback={<Loading />}>
          {/* The router is less strict than the server: what that answers with 404 is no page here either. */}
          {isPagePath(window.location.pathname) ? (
            <Switch>
              <Route path={PAGE_PATHS.library} component={LibraryPage} />
              <Route path={PAGE_PATHS.briefing}>
                {({ id }) => <PlayPage key={id} what={{ kind: 'scenario', scenarioId: id }} />}
              </Route>
              <Route path={PAGE_PATHS.stage}>
                {({ id }) => <PlayPage key={id} what={{ kind: 'session', sessionId: id }} />}
              </Route>
              <Route path={PAGE_PATHS.moment}>{({ id }) => <MomentPage key={id} sessionId={id} />}</Route>
              <Route path={PAGE_PATHS.debrief}>{({ id }) => <DebriefPage key={id} sessionId={id} />}</Route>
              <Route path={PAGE_PATHS.history} component={HistoryPage} />
              <Route path={PAGE_PATHS.progress} component={ProgressPage} />
              <Route path={PAGE_PATHS.diagnostics} component={DiagnosticsPage} />
              <Route path={PAGE_PATHS.rehearse} component={RehearsePage} />
              <Route path={PAGE_PATHS.packs} component={PacksPage} />
              <Route path={PAGE_PATHS.workbench} component={WorkbenchPage} />
              <Route path={PAGE_PATHS.draft}>{({ id }) => <DraftPage key={id} draftId={id} />}</Route>
              <Route path={PAGE_PATHS.models} component={ModelsPage} />
              <Route path={PAGE_PATHS.connect} component={ConnectPage} />
              <Route path={PAGE_PATHS.settings} component={SettingsPage} />
              <Route path={PAGE_PATHS.help} component={HelpPage} />
            </Switch>
          ) : (
            <NotFoundPage />
          )}
        </Suspense>
      </PageFaultBoundary>
    </AppShell>
  );
}
