import { useState } from 'react';
import type { Difficulty, Story } from '@parley/shared/contracts';
import { useMessages } from '../messages/use-messages';
import { StoryPicture } from './story-picture';

interface DraftStoryProps {
  readonly stories: readonly Story[];
  readonly onGo: (path: string, line: number) => void;
}

/** The presets of a story, in the order in which it tells them. */
const presetsOf = (story: Story): Difficulty[] => [
  ...new Set(story.steps.flatMap(({ reach }) => reach.map(({ difficulty }) => difficulty))),
];

/** What can come in a scenario, and how soon: a picture, and the same as a table that leads into the file. */
export function DraftStory({ stories, onGo }: DraftStoryProps) {
  const { story: words, difficulty: presetWords } = useMessages();
  const [chosen, setChosen] = useState('');
  const [preset, setPreset] = useState<Difficulty | null>(null);
  const story = stories.find((one) => one.scenario_id === chosen) ?? stories[0];
  if (story === undefined) return <p className="reading">{words.mendFirst}</p>;
  const presets = presetsOf(story);
  const difficulty =
    [preset, 'standard' as const, ...presets].find((one) => one !== null && presets.includes(one)) ?? 'standard';
  const reachOf = (step: Story['steps'][number]) => step.reach.find((one) => one.difficulty === difficulty);
  return (
    <section className="workbench-story">
      <h2>{words.title}</h2>
      <p className="reading">{words.intro}</p>
      <div className="actions">
        {stories.length > 1 && (
          <label className="field">
            <span>{words.scenario}</span>
            <select className="input" value={story.scenario_id} onChange={(event) => setChosen(event.target.value)}>
              {stories.map((one) => (
                <option key={one.scenario_id} value={one.scenario_id}>
                  {one.title}
                </option>
              ))}
            </select>
          </label>
        )}
        <label className="field">
          <span>{words.difficulty}</span>
          <select
            className="input"
            value={difficulty}
            onChange={(event) => setPreset(presets.find((one) => one === event.target.value) ?? null)}
          >
            {presets.map((one) => (
              <option key={one} value={one}>
                {presetWords[one]}
              </option>
            ))}
          </select>
        </label>
      </div>
      <StoryPicture story={story} difficulty={difficulty} />
      <p className="small muted">{words.legend}</p>
      <div className="workbench-table" tabIndex={0} role="region" aria-label={words.title}>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.what}</th>
              <th scope="col">{words.earliest}</th>
              <th scope="col">{words.needs}</th>
            </tr>
          </thead>
          <tbody>
            {story.steps.map((step) => {
              const reach = reachOf(step);
              const isNever = reach?.turns === null;
              return (
                <tr key={`${step.kind} ${step.id}`} data-never={isNever || undefined}>
                  <th scope="row">
                    <span className="small muted">{words.kind[step.kind]}</span>{' '}
                    <button
                      type="button"
                      aria-label={words.goTo(step.id)}
                      onClick={() => onGo(story.file, step.line ?? 1)}
                    >
                      {step.id}
                    </button>
                  </th>
                  <td>
                    {isNever ? <strong>{words.never}</strong> : words.fromLine(reach?.turns ?? 1)}
                    {reach?.why != null && `: ${reach.why}`}
                  </td>
                  <td>{step.when.join('; ')}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
}
