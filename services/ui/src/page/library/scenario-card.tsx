import { Link } from 'wouter';
import { pagePath } from '../../page-paths';
import { apiUrl } from '../client/api-address';
import { useMessages } from '../messages/use-messages';
import { Portrait } from '../shell/portrait';
import type { ScenarioSummary } from './filter-scenarios';

interface ScenarioCardProps {
  readonly scenario: ScenarioSummary;
  readonly lastScore: number | undefined;
  readonly featured?: boolean;
}

export function ScenarioCard({ scenario, lastScore, featured = false }: ScenarioCardProps) {
  const { library, difficulty } = useMessages();
  const portrait = scenario.npc.portrait_url === null ? null : apiUrl(scenario.npc.portrait_url);
  return (
    <article className="scenario-card" data-featured={featured || undefined}>
      <div className="scenario-picture">{portrait !== null && <Portrait url={portrait} alt="" />}</div>
      <div className="scenario-words">
        {featured && <p className="label">{library.startHere}</p>}
        <h2>
          <Link href={pagePath('briefing', scenario.id)} dir="auto">
            {scenario.title}
          </Link>{' '}
          <span className="scenario-person">{library.withPerson(scenario.npc.name)}</span>
        </h2>
        <p className="reading" dir="auto">
          {scenario.summary}
        </p>
        <ul className="scenario-facts">
          {scenario.skills.length > 0 && <li dir="auto">{scenario.skills.join(', ')}</li>}
          {scenario.duration_minutes !== null && <li>{library.minutes(scenario.duration_minutes)}</li>}
          <li>{difficulty[scenario.difficulty]}</li>
          <li>{scenario.content_rating}</li>
          {lastScore !== undefined && <li>{library.lastScore(lastScore)}</li>}
        </ul>
      </div>
    </article>
  );
}
