import { Link } from 'wouter';
import { pagePath } from '../../page-paths';
import { lineOf } from '../messages/line-names';
import { useMessages } from '../messages/use-messages';

/** The way from the letter back to a line of the player. */
export function ToMoment({ sessionId, turn }: { sessionId: string; turn: number }) {
  const { moment: words } = useMessages();
  return (
    <Link
      className="button"
      href={`${pagePath('moment', sessionId)}?turn=${turn}`}
      aria-label={words.toMomentOf(lineOf(turn))}
    >
      {words.toMoment}
    </Link>
  );
}
