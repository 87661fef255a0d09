import { useEffect } from 'react';
import { Link } from 'wouter';
import { PAGE_PATHS } from '../../page-paths';
import { useHealth } from '../client/queries';
import { useMessages } from '../messages/use-messages';
import { describeHealth, type ShownHealth } from './describe-health';
import { useSay } from './status';

/** How Parley is and what plays, in every page's header; trouble is also said, once. */
export function HealthPill() {
  const messages = useMessages();
  const { health, diagnostics } = messages;
  const say = useSay();
  const { data, error } = useHealth();
  const shown: ShownHealth =
    error !== null
      ? { words: health.unreachable, tone: 'trouble', message: health.unreachableHint, leadsTo: 'diagnostics' }
      : data === undefined
        ? { words: health.checking, tone: 'quiet', message: null, leadsTo: 'models' }
        : describeHealth(data, messages);
  const isKnown = data !== undefined && error === null;
  const troubleWords = shown.tone === 'trouble' ? shown.words : '';
  useEffect(() => {
    if (troubleWords !== '') say(troubleWords);
  }, [say, troubleWords]);
  return (
    <div className="pill" data-tone={shown.tone} title={health.label}>
      <p className="pill-words">
        {shown.tone === 'ready' ? <Link href={PAGE_PATHS.models}>{shown.words}</Link> : <span>{shown.words}</span>}
        {isKnown && shown.leadsTo === 'models' && shown.tone !== 'ready' && (
          <Link href={PAGE_PATHS.connect}>{health.connect}</Link>
        )}
        {isKnown && shown.leadsTo === 'diagnostics' && <Link href={PAGE_PATHS.diagnostics}>{diagnostics.title}</Link>}
      </p>
      {shown.message !== null && shown.tone === 'trouble' && <p className="pill-message">{shown.message}</p>}
    </div>
  );
}
