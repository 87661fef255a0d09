import { useQuery } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { useState, type SyntheticEvent } from 'react';
import { Link, useSearchParams } from 'wouter';
import type { Difficulty } from '@parley/shared/contracts';
import { PAGE_PATHS } from '../../page-paths';
import { apiUrl } from '../client/api-address';
import { callApi } from '../client/call-api';
import { useMessages } from '../messages/use-messages';
import type { PlayActor } from '../play/play-actor';
import { Failure } from '../shell/failure';
import { PageHeading } from '../shell/page-heading';
import { Portrait } from '../shell/portrait';
import './briefing.css';

/** What the player must know before the talk: who, what for, how it is scored. One button. */
export function BriefingView({ actor }: { actor: PlayActor }) {
  const { briefing, library, coaching } = useMessages();
  const scenario = useSelector(actor, (state) => state.context.scenario);
  const error = useSelector(actor, (state) => state.context.error);
  const isCreating = useSelector(actor, (state) => !state.matches({ scene: { Briefing: 'Reading' } }));
  const settings = useQuery({ queryKey: ['settings'], queryFn: () => callApi('getSettings', {}) });
  // What was suggested is chosen already.
  const [wished] = useSearchParams();
  const [difficulty, setDifficulty] = useState<Difficulty | null>(
    () => scenario?.difficulties.find(({ id }) => id === wished.get('difficulty'))?.id ?? null,
  );
  const [focus, setFocus] = useState<string | null>(
    () => scenario?.rubric.dimensions.find(({ id }) => id === wished.get('focus'))?.id ?? null,
  );
  const [wantsCoaching, setWantsCoaching] = useState(false);
  if (scenario === null) return null;

  const portrait = scenario.npc.portrait_url === null ? null : apiUrl(scenario.npc.portrait_url);
  const chosen = difficulty ?? scenario.difficulty;
  // Difficulties stand in their order, the easiest first.
  const canBeCoached = chosen === (scenario.difficulties[0]?.id ?? scenario.difficulty);
  const begin = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!isCreating)
      actor.send({
        type: 'BEGIN',
        choice: { difficulty, focus, coaching: canBeCoached && wantsCoaching, language: scenario.language },
      });
  };
  return (
    <div className="page briefing">
      <aside className="briefing-person">
        {portrait !== null && (
          <Portrait
            url={portrait}
            alt={Object.values(scenario.portrait_alt)[0] ?? briefing.portraitOf(scenario.npc.name)}
          />
        )}
      </aside>
      <div className="briefing-words">
        <header>
          <PageHeading title={scenario.title} />
          <p className="briefing-person-name">{library.withPerson(scenario.npc.name)}</p>
        </header>
        <section>
          <h2 className="label">{briefing.youAre}</h2>
          <p className="reading" dir="auto">
            <strong>{scenario.briefing.role}.</strong> {scenario.briefing.brief}
          </p>
        </section>
        {scenario.briefing.scene !== null && (
          <section>
            <h2 className="label">{briefing.theScene}</h2>
            <p className="reading stage-direction" dir="auto">
              {scenario.briefing.scene}
            </p>
          </section>
        )}
        {scenario.goals.length > 0 && (
          <section>
            <h2 className="label">{briefing.yourGoal}</h2>
            <ul className="reading dashes">
              {scenario.goals.map((goal) => (
                <li key={goal} dir="auto">
                  {goal}
                </li>
              ))}
            </ul>
          </section>
        )}
        <form onSubmit={begin}>
          <fieldset>
            <legend className="label">{briefing.scoredOn}</legend>
            <p className="small muted">{briefing.focusHint}</p>
            <div className="choices">
              {scenario.rubric.dimensions.map((dimension) => (
                <label className="choice" key={dimension.id}>
                  <input
                    type="radio"
                    name="focus"
                    checked={focus === dimension.id}
                    onChange={() => setFocus(dimension.id)}
                  />
                  <span dir="auto">{dimension.name}</span>
                  <small dir="auto">{dimension.description}</small>
                </label>
              ))}
              <label className="choice">
                <input type="radio" name="focus" checked={focus === null} onChange={() => setFocus(null)} />
                <span>{briefing.noFocus}</span>
              </label>
            </div>
          </fieldset>
          {scenario.difficulties.length > 1 && (
            <fieldset>
              <legend className="label">{briefing.difficulty}</legend>
              <div className="choices">
                {scenario.difficulties.map((option) => (
                  <label className="choice" key={option.id}>
                    <input
                      type="radio"
                      name="difficulty"
                      checked={chosen === option.id}
                      onChange={() => setDifficulty(option.id)}
                    />
                    <span dir="auto">{option.label}</span>
                    {option.description !== '' && <small dir="auto">{option.description}</small>}
                  </label>
                ))}
              </div>
            </fieldset>
          )}
          {canBeCoached && (
            <label className="choice">
              <input
                type="checkbox"
                checked={wantsCoaching}
                onChange={(event) => setWantsCoaching(event.target.checked)}
              />
              <span>{coaching.offer}</span>
              <small>{coaching.offerHint}</small>
            </label>
          )}
          {scenario.warnings.length > 0 && (
            <section>
              <h2 className="label">{briefing.notes}</h2>
              <ul className="dashes">
                {scenario.warnings.map((warning) => (
                  <li key={warning} dir="auto">
                    {warning}
                  </li>
                ))}
              </ul>
            </section>
          )}
          <p className="small muted">
            {briefing.turns(scenario.briefing.max_turns)}
            {scenario.duration_minutes !== null && `, ${library.minutes(scenario.duration_minutes)}`}.{' '}
            {settings.data !== undefined && (
              <>
                {settings.data.settings.save_transcripts ? briefing.kept : briefing.notKept}{' '}
                <Link href={PAGE_PATHS.settings}>{briefing.changeKept}</Link>
              </>
            )}
          </p>
          {error !== null && <Failure title="" error={error} />}
          <div className="actions">
            <button
              type="submit"
              className="button button-primary briefing-begin"
              aria-disabled={isCreating || undefined}
            >
              {isCreating ? briefing.beginning : briefing.begin}
            </button>
          </div>
        </form>
      </div>
    </div>
  );
}
