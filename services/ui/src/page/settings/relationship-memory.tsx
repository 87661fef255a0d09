import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import type { Recap } from '@parley/shared/contracts';
import { callApi } from '../client/call-api';
import { useScenarios } from '../client/queries';
import { spoken } from '../messages/name-of';
import { useMessages } from '../messages/use-messages';
import { ConfirmDialog } from '../shell/confirm-dialog';
import { Failure } from '../shell/failure';
import { useSay } from '../shell/status';
import { useFocusAfterRemoval } from '../shell/use-focus-after-removal';
import { RecapNote } from './recap-note';
import { Switch } from './switch';
import { usePrivacySettings } from './use-privacy-settings';

/** What a question is about: one note, or all of them. */
type Question = Recap | 'all';

const QUERY = ['recaps'];

const keyOf = ({ pack_id: pack, npc_id: npc }: Recap): string => `${pack} ${npc}`;

/** What characters remember: what that means, whether they do, and each note, to read and to delete. */
export function RelationshipMemory() {
  const { settings: words } = useMessages();
  const { settings, changeError, change } = usePrivacySettings();
  const cache = useQueryClient();
  const say = useSay();
  const scenarios = useScenarios();
  const [question, setQuestion] = useState<Question | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: QUERY,
    queryFn: () => callApi('listRecaps', {}),
    staleTime: 0,
  });
  const forget = useMutation({
    mutationFn: async (what: Question) => {
      if (what === 'all') return (await callApi('deleteRecaps', {})).deleted;
      await callApi('deleteRecap', { params: { npc_id: what.npc_id, pack_id: what.pack_id } });
      return 1;
    },
    onSuccess: async (deleted) => {
      say(words.forgotten(deleted));
      await cache.invalidateQueries({ queryKey: QUERY });
    },
  });
  const nameOf = ({ npc_id: npc, pack_id: pack }: Recap): string =>
    scenarios.data?.find((one) => one.npc.id === npc && one.pack_id === pack)?.npc.name ?? spoken(npc);
  // Under ids for a moment, and then under names, nobody would find them.
  const recaps = scenarios.isPending ? [] : (data?.recaps ?? []);
  const heading = useRef<HTMLHeadingElement>(null);
  const toHeading = useCallback(() => heading.current, []);
  const { list, expectRemoval } = useFocusAfterRemoval<HTMLUListElement>(data?.recaps.map(keyOf), toHeading);

  return (
    <section className="memory">
      <h2>{words.memory}</h2>
      {words.memoryText.map((text) => (
        <p className="reading" key={text}>
          {text}
        </p>
      ))}
      {settings !== undefined && (
        <Switch
          name={words.relationship_memory_enabled}
          hint={words.relationship_memory_enabled_hint}
          on={settings.relationship_memory_enabled}
          onChange={(on) => change('relationship_memory_enabled', on)}
        />
      )}
      {changeError !== null && <Failure title="" error={changeError} />}
      <h3 ref={heading} tabIndex={-1}>
        {words.recaps}
      </h3>
      {error !== null && <Failure title={words.recapsFailed} error={error} onRetry={() => void refetch()} />}
      {forget.error !== null && <Failure title="" error={forget.error} />}
      {data?.recaps.length === 0 && <p className="muted">{words.noRecaps}</p>}
      {recaps.length > 0 && (
        <>
          <ul className="memory-list" ref={list}>
            {recaps.map((recap) => (
              <li key={keyOf(recap)}>
                <RecapNote recap={recap} name={nameOf(recap)} onForget={() => setQuestion(recap)} />
              </li>
            ))}
          </ul>
          <div className="actions">
            <button type="button" className="button button-danger" onClick={() => setQuestion('all')}>
              {words.forgetAll}
            </button>
          </div>
        </>
      )}
      {question !== null && (
        <ConfirmDialog
          title={question === 'all' ? words.forgetAllTitle : words.forgetTitle(nameOf(question))}
          text={question === 'all' ? words.forgetAllText : words.forgetText}
          confirm={words.forget}
          dangerous
          onConfirm={() => {
            const [first] = recaps;
            if (question !== 'all') expectRemoval(keyOf(question));
            else if (first !== undefined) expectRemoval(keyOf(first));
            forget.mutate(question);
          }}
          onClose={() => setQuestion(null)}
        />
      )}
    </section>
  );
}
