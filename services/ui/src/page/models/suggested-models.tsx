import { useMessages } from '../messages/use-messages';
import { useSuggestedModels } from './model-queries';

interface SuggestedModelsProps {
  /** Installs by name; null where the runtime has no such way. */
  readonly onPull: ((name: string) => void) | null;
}

/** A short list to choose from. A service that has none says nothing, and neither does the page. */
export function SuggestedModels({ onPull }: SuggestedModelsProps) {
  const { models: words, language } = useMessages();
  const { data = [] } = useSuggestedModels();
  if (data.length === 0) return null;
  return (
    <section>
      <h2>{words.suggestedTitle}</h2>
      <p className="reading">{words.suggestedText}</p>
      <ul className="models-list models-suggested">
        {data.map((model) => (
          <li key={model.pull}>
            <div>
              <h3>{model.name}</h3>
              <p className="small muted">
                {[
                  words.suggestedFor(model.memory_gb),
                  words.suggestedSize(model.size_gb.toLocaleString(language)),
                  model.license,
                ].join(' · ')}
              </p>
              <p>{model.note}</p>
              {/* The one who can install it by a press needs no names to type. */}
              {onPull === null && (
                <p className="small">
                  {words.suggestedPull} <code>{model.pull}</code>
                  {model.gguf !== null && (
                    <>
                      {' '}
                      {words.suggestedFile} <code>{`${model.gguf.repository}/${model.gguf.file}`}</code>
                    </>
                  )}
                </p>
              )}
            </div>
            {onPull !== null && (
              <button
                type="button"
                className="button"
                aria-label={words.installOne(model.name)}
                onClick={() => onPull(model.pull)}
              >
                {words.install}
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
