import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { PAGE_PATHS } from '../../page-paths';
import { callApi } from '../client/call-api';
import { useMessages } from '../messages/use-messages';
import { ClearEverything } from '../history/clear-everything';
import { Failure } from '../shell/failure';
import { Loading } from '../shell/loading';
import { PageHeading } from '../shell/page-heading';
import { useSay } from '../shell/status';
import { PRIVACY_SWITCHES, rememberPrivacy, type PrivacySwitch } from './privacy-settings';
import { readReviewChoice, writeReviewChoice } from './review-choice';
import { chooseTheme, readTheme, THEMES } from './theme';
import './settings.css';

export function SettingsPage() {
  const { settings: words, diagnostics } = useMessages();
  const [theme, setTheme] = useState(readTheme);
  const [review, setReview] = useState(readReviewChoice);
  return (
    <div className="page settings">
      <header>
        <PageHeading title={words.title} />
        <p className="reading">{words.promise}</p>
      </header>
      <PrivacySwitches />
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
        <ClearEverything />
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
  const cache = useQueryClient();
  const say = useSay();
  const { data, error, refetch } = useQuery({ queryKey: ['settings'], queryFn: () => callApi('getSettings', {}) });
  // Where a change that is on its way goes to: the switch shows that at once.
  const [wanted, setWanted] = useState<Partial<Record<PrivacySwitch, boolean>>>({});
  const change = useMutation({
    mutationFn: (patch: Partial<Record<PrivacySwitch, boolean>>) => callApi('patchSettings', { body: patch }),
    onSuccess: (answer) => {
      cache.setQueryData(['settings'], answer);
      say(words.saved);
    },
    onSettled: () => setWanted({}),
  });
  useEffect(() => {
    if (data !== undefined) rememberPrivacy(data.settings);
  }, [data]);

  return (
    <section>
      <h2>{words.privacy}</h2>
      {error !== null && <Failure title={words.failed} error={error} onRetry={() => void refetch()} />}
      {error === null && data === undefined && <Loading />}
      {change.error !== null && <Failure title="" error={change.error} />}
      {data !== undefined &&
        PRIVACY_SWITCHES.map((name) => (
          <Switch
            key={name}
            name={words[name]}
            hint={words[`${name}_hint`]}
            on={wanted[name] ?? data.settings[name]}
            onChange={(on) => {
              setWanted({ ...wanted, [name]: on });
              change.mutate({ [name]: on });
            }}
          />
        ))}
      {data !== undefined && <Switch name={words.telemetry} hint={words.telemetryHint} on={false} onChange={null} />}
    </section>
  );
}

interface SwitchProps {
  readonly name: string;
  readonly hint: string;
  readonly on: boolean;
  /** null: it can be read only. */
  readonly onChange: ((on: boolean) => void) | null;
}

function Switch({ name, hint, on, onChange }: SwitchProps) {
  return (
    <label className="switch">
      <input
        type="checkbox"
        role="switch"
        checked={on}
        disabled={onChange === null}
        onChange={(event) => onChange?.(event.target.checked)}
      />
      <span>{name}</span>
      <small>{hint}</small>
    </label>
  );
}
