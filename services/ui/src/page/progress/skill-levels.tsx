import type { Progress } from '@parley/shared/contracts';
import { useMessages } from '../messages/use-messages';

/** Skills that packs share, each with its level and how much stands behind it. */
export function SkillLevels({ skills }: { skills: Progress['skills'] }) {
  const { progress } = useMessages();
  if (skills.length === 0) return null;
  return (
    <section>
      <h2>{progress.bySkill}</h2>
      <p className="small muted">{progress.bySkillHint}</p>
      <dl className="skill-levels">
        {skills.map(({ id, name, level, judged_checks: checks }) => (
          <div key={id}>
            <dt dir="auto">{name}</dt>
            <dd>
              {level === null ? progress.tooFew : progress.level(level)}{' '}
              <span className="small muted">{progress.judgedChecks(checks)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
