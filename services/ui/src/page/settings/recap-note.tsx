import type { Recap } from '@parley/shared/contracts';
import { spoken } from '../messages/name-of';
import { useMessages } from '../messages/use-messages';
import { TAKES_FOCUS } from '../shell/use-focus-after-removal';

interface RecapNoteProps {
  readonly recap: Recap;
  readonly name: string;
  readonly onForget: () => void;
}

/** What one character remembers. */
export function RecapNote({ recap, name, onForget }: RecapNoteProps) {
  const { settings: words, ending, language } = useMessages();
  const day = new Date(recap.last_session_at).toLocaleDateString(language, { dateStyle: 'medium' });
  const outcome = (ending.title as Readonly<Record<string, string>>)[recap.last_outcome] ?? spoken(recap.last_outcome);
  return (
    <article className="memory-note">
      <div>
        <h4 dir="auto" {...TAKES_FOCUS}>
          {name}
        </h4>
        <p className="small muted">
          {words.recapTalks(recap.session_count)}, {words.recapLast(outcome, day)}
        </p>
        {recap.player_style_tags.length > 0 && (
          <p>
            <span className="label">{words.recapStyle}</span>{' '}
            <span dir="auto">{recap.player_style_tags.join(' · ')}</span>
          </p>
        )}
        {recap.key_observations.length > 0 && (
          <>
            <p className="label">{words.recapNotes}</p>
            <ul className="memory-observations">
              {recap.key_observations.map((text) => (
                <li key={text} dir="auto">
                  {text}
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
      <button
        type="button"
        className="button button-quiet button-danger"
        aria-label={words.forgetOne(name)}
        onClick={onForget}
      >
        {words.forget}
      </button>
    </article>
  );
}
