import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { pagePath } from '../../page-paths';
import { apiUrl } from '../client/api-address';
import { ApiError } from '../client/api-error';
import { callApi } from '../client/call-api';
import { useScenarios } from '../client/queries';
import { ROUTE_PATHS } from '../client/route-paths';
import { useMessages } from '../messages/use-messages';
import { Findings, findingsOf } from '../packs/findings';
import { Failure } from '../shell/failure';

interface DraftActionsProps {
  readonly draftId: string;
  /** Whether the last check of what is saved found no error. */
  readonly isReady: boolean;
  /** Whether that is not known yet. */
  readonly isChecking: boolean;
  readonly flush: () => Promise<boolean>;
}

/** What can be done with a draft that has no errors: install it and play, or export it. */
export function DraftActions({ draftId, isReady, isChecking, flush }: DraftActionsProps) {
  const { draft: words } = useMessages();
  const cache = useQueryClient();
  const install = useMutation({
    mutationFn: async () => {
      await flush();
      return callApi('installDraft', { params: { draft_id: draftId } });
    },
    onSuccess: () =>
      Promise.all([['scenarios'], ['packs'], ['scenario']].map((queryKey) => cache.invalidateQueries({ queryKey }))),
  });
  const zip = apiUrl(ROUTE_PATHS.exportDraft.path.replace('{draft_id}', encodeURIComponent(draftId)));
  return (
    <div className="workbench-actions">
      <div className="actions">
        <button
          type="button"
          className="button button-primary"
          aria-disabled={!isReady || install.isPending || undefined}
          onClick={() => {
            if (isReady && !install.isPending) install.mutate();
          }}
        >
          {install.isPending ? words.installing : words.install}
        </button>
        {isReady && zip !== null ? (
          <a className="button" href={zip} download>
            {words.exportZip}
          </a>
        ) : (
          <span className="muted small">{isChecking ? words.checking : words.mendFirst}</span>
        )}
      </div>
      {install.data !== undefined && <Installed packId={install.data.pack.pack_id} />}
      {install.error !== null && (
        <>
          <Failure title={words.installFailed} error={install.error} />
          <Findings findings={findingsOf(ApiError.from(install.error))} />
        </>
      )}
    </div>
  );
}

function Installed({ packId }: { packId: string }) {
  const { draft: words } = useMessages();
  const { data } = useScenarios();
  return (
    <p role="status">
      {words.installed}{' '}
      {data
        ?.filter((scenario) => scenario.pack_id === packId)
        .map((scenario, at) => (
          <span key={scenario.id}>
            {at > 0 && ', '}
            <Link href={pagePath('briefing', scenario.id)}>{scenario.title}</Link>
          </span>
        ))}
    </p>
  );
}
