import type { Debrief } from '@parley/shared/contracts';
import { useMessages } from '../messages/use-messages';

/** What the talk asked for and never saw, with the first line at which it could have come. */
export function NeverHappened({ never }: { never: NonNullable<Debrief['never']> }) {
  const { judging: words } = useMessages();
  if (never.length === 0) return null;
  return (
    <section>
      <h2>{words.never}</h2>
      <ul className="left-undone">
        {never.map((one) => (
          <li key={one.check}>
            <p className="reading" dir="auto">
              {one.text}
            </p>
            <p className="small muted">{words.firstChance(one.first_chance_line)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ShutSecretsProps {
  readonly secrets: NonNullable<Debrief['shut_secrets']>;
  readonly npcName: string;
}

/** What the character kept to itself, by what would have opened it: the secret itself stays one. */
export function ShutSecrets({ secrets, npcName }: ShutSecretsProps) {
  const { judging: words } = useMessages();
  if (secrets.length === 0) return null;
  return (
    <section>
      <h2>{words.shut(npcName)}</h2>
      <ul className="left-undone">
        {secrets.map(({ id, hint }) => (
          <li key={id}>
            <p className="reading" dir="auto">
              {hint ?? words.noHint}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
