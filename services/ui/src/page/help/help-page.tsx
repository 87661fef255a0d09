import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { PAGE_PATHS } from '../../page-paths';
import figtreeLicence from '@typefaces/figtree-licence.txt?url';
import literataLicence from '@typefaces/literata-licence.txt?url';
import { useMessages } from '../messages/use-messages';
import { PageHeading } from '../shell/page-heading';
import './help.css';

/** How everything works, in the order in which one meets it. */
export function HelpPage() {
  const { app, connect, help: words, settings, diagnostics } = useMessages();
  return (
    <div className="page help">
      <header>
        <PageHeading title={words.title} />
        <p className="reading">{words.intro}</p>
      </header>
      <Part title={words.talk} texts={words.talkText}>
        <Link href={PAGE_PATHS.library}>{app.library}</Link> <Link href={PAGE_PATHS.connect}>{connect.title}</Link>{' '}
        <Link href={PAGE_PATHS.models}>{app.models}</Link>
      </Part>
      <Part title={words.meters} texts={words.metersText} />
      <Part title={words.hints} texts={words.hintsText} />
      <Part title={words.retry} texts={words.retryText}>
        <Link href={PAGE_PATHS.progress}>{app.progress}</Link>
      </Part>
      <Part title={words.letter} texts={words.letterText} />
      <Part title={words.data} texts={words.dataText}>
        <Link href={PAGE_PATHS.settings}>{settings.title}</Link> <Link href={PAGE_PATHS.history}>{app.history}</Link>
      </Part>
      <section>
        <h2>{words.keyboard}</h2>
        <dl className="help-keys">
          {words.keys.map(([keys, does]) => (
            <div key={does}>
              <dt>
                {keys.map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
      </section>
      <Part title={words.trouble} texts={words.troubleText}>
        <Link href={PAGE_PATHS.diagnostics}>{diagnostics.title}</Link>
      </Part>
      <Part title={words.typefaces} texts={[words.typefacesText]}>
        <a href={literataLicence}>{words.licenceOf('Literata')}</a>{' '}
        <a href={figtreeLicence}>{words.licenceOf('Figtree')}</a>
      </Part>
    </div>
  );
}

interface PartProps {
  readonly title: string;
  readonly texts: readonly string[];
  /** Where one can go from here. */
  readonly children?: ReactNode;
}

function Part({ title, texts, children }: PartProps) {
  return (
    <section>
      <h2>{title}</h2>
      {texts.map((text) => (
        <p className="reading" key={text}>
          {text}
        </p>
      ))}
      {children !== undefined && <p className="help-ways">{children}</p>}
    </section>
  );
}
