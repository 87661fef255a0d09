import { useState } from 'react';
import { Link } from 'wouter';
import { PAGE_PATHS } from '../../page-paths';
import { useMessages } from '../messages/use-messages';
import { ClearEverything } from '../history/clear-everything';
import { Failure } from '../shell/failure';
import { Loading } from '../shell/loading';
import { PageHeading } from '../shell/page-heading';
import { PRIVACY_SWITCHES } from './privacy-settings';
import { RelationshipMemory } from './relationship-memory';
import { readReviewChoice, writeReviewChoice } from './review-choice';
import { Switch } from './switch';
import { chooseTheme, readTheme, THEMES } from './theme';
import { usePrivacySettings } from './use-privacy-settings';
import './settings.css';

export function SettingsPage() {
  const { settings: words, connect, diagnostics } = useMessages();
  const [theme, setTheme] = useState(readTheme);
  const [review, setReview] = useState(readReviewChoice);
  return (
    <div className="page settings">
      <header>
        <PageHeading title={words.title} />
        <p className="reading">{words.promise}</p>
      </header>
      <PrivacySwitches />
      <RelationshipMemory />
      <section>
        <h2>{words.appearance}</h2>
        <fieldset className="settings-theme">
          <legend>{words.theme}</legend>
          {THEMES.map((one) => (
            <label className="choice" key={one}>
              <input
                type="radio"
                name="theme"
                checked={theme === one}
                onChange={() => {
                  chooseTheme(one);
                  setTheme(one);
                }}
              />
              <span>{words.themes[one]}</span>
            </label>
          ))}
        </fieldset>
        <Switch
          name={words.review}
          hint={words.review_hint}
          on={review}
          onChange={(on) => {
            writeReviewChoice(on);
            setReview(on);
          }}
        />
      </section>
      <section>
        <h2>{words.data}</h2>
        <p className="reading">{words.dataText}</p>
        <p className="reading">{words.ownPacks}</p>
        <ClearEverything />
      </section>
      <section>
        <h2>
          <Link href={PAGE_PATHS.connect}>{connect.title}</Link>
        </h2>
        <p className="reading">{connect.intro}</p>
      </section>
      <section>
        <h2>
          <Link href={PAGE_PATHS.diagnostics}>{diagnostics.open}</Link>
        </h2>
        <p className="reading">{diagnostics.openHint}</p>
      </section>
    </div>
  );
}

function PrivacySwitches() {
  const { settings: words } = useMessages();
  const { settings, error, refetch, changeError, change } = usePrivacySettings();
  return (
    <section>
      <h2>{words.privacy}</h2>
      {error !== null && <Failure title={words.failed} error={error} onRetry={refetch} />}
      {error === null && settings === undefined && <Loading />}
      {changeError !== null && <Failure title="" error={changeError} />}
      {settings !== undefined &&
        PRIVACY_SWITCHES.map((name) => (
          <Switch
            key={name}
            name={words[name]}
            hint={words[`${name}_hint`]}
            on={settings[name]}
            onChange={(on) => change(name, on)}
          />
        ))}
      {settings !== undefined && (
        <Switch name={words.telemetry} hint={words.telemetryHint} on={false} onChange={null} />
      )}
    </section>
  );
}
