import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import type { ModelInstall } from '@parley/shared/contracts';
import { PAGE_PATHS } from '../../page-paths';
import { useMessages } from '../messages/use-messages';
import { bytesText } from '../models/install-state';
import { Failure } from '../shell/failure';
import { useStatus } from '../shell/status';
import { StepError, type StepDetail, type StepName } from './setup';
import type { RunningSetup } from './use-setup';

interface SetupRunProps {
  readonly run: RunningSetup;
  readonly onCancel: () => void;
  readonly onRetry: () => void;
  readonly onClose: () => void;
}

/** A first word that takes longer makes a talk heavy going, in milliseconds. */
const SLOW_MS = 8_000;

/** How far a setup is, step by step, and the way to a talk at its end. */
export function SetupRun({ run, onCancel, onRetry, onClose }: SetupRunProps) {
  const { connect: words } = useMessages();
  const { setup, status, steps, details, error } = run;
  const heading = useRef<HTMLHeadingElement>(null);
  const titles: Record<RunningSetup['status'], string> = {
    running: words.running(setup.name),
    ready: words.ready(setup.name),
    // Once it plays, it is connected all the same: it stays chosen, and only its answer is missing.
    failed: steps.choose === 'done' ? words.silent(setup.name) : words.stopped(setup.name),
    cancelled: words.stopped(setup.name),
  };
  const title = titles[status];
  const current = setup.steps.find((step) => steps[step] === 'running');
  useStatus(status === 'running' ? (current === undefined ? title : words.steps[current]) : title);
  // At the beginning and at the end: what there is to do then stands below it.
  useEffect(() => heading.current?.focus(), [setup, status]);
  return (
    <section className="connect-run" data-status={status}>
      <h2 ref={heading} tabIndex={-1}>
        {title}
      </h2>
      <ol className="connect-steps">
        {setup.steps.map((step) => (
          <li key={step} data-state={steps[step]} aria-current={steps[step] === 'running' ? 'step' : undefined}>
            <span>{words.steps[step]}</span> <span className="small muted">{words.stepStates[steps[step]]}</span>
            {steps[step] === 'running' && status === 'running' && <StepNow step={step} detail={details[step] ?? {}} />}
          </li>
        ))}
      </ol>
      {details.try?.trial !== undefined && <Said {...details.try.trial} />}
      {status === 'failed' && <SetupFailure error={error} />}
      {status === 'cancelled' && <p className="reading">{words.cancelled}</p>}
      <div className="actions">
        {status === 'ready' && (
          <Link className="button button-primary" href={PAGE_PATHS.library}>
            {words.play}
          </Link>
        )}
        {(status === 'failed' || status === 'cancelled') && (
          <button type="button" className="button button-primary" onClick={onRetry}>
            {words.retry}
          </button>
        )}
        <button type="button" className="button" onClick={status === 'running' ? onCancel : onClose}>
          {status === 'running' ? words.cancel : words.close}
        </button>
      </div>
    </section>
  );
}

/** What there is to say of the step that is under way. */
function StepNow({ step, detail }: { step: StepName; detail: StepDetail }) {
  const { connect: words } = useMessages();
  if (step === 'download' && detail.install !== undefined) return <Fetching install={detail.install} />;
  const line = step === 'start' ? words.starting : step === 'try' ? words.trying : detail.line;
  return line === undefined ? null : <p className="small muted connect-line">{line}</p>;
}

function Fetching({ install: { status, bytes_done: done, bytes_total: total } }: { install: ModelInstall }) {
  const { connect: words, language } = useMessages();
  const isKnown = total !== null && total > 0;
  return (
    <>
      {/* Without a value the browser shows that it goes on, and claims nothing. */}
      <progress aria-label={words.progress} {...(isKnown ? { max: total, value: Math.min(done, total) } : {})} />
      <p className="small muted">
        {status === 'verifying'
          ? words.checking
          : isKnown
            ? words.amount(bytesText(done, language), bytesText(total, language))
            : bytesText(done, language)}
      </p>
    </>
  );
}

function Said({ text, first_word_ms: firstWord }: { text: string; first_word_ms: number }) {
  const { connect: words, language } = useMessages();
  const seconds = Math.max(0.1, firstWord / 1000).toLocaleString(language, { maximumFractionDigits: 1 });
  return (
    <>
      <p>{words.said}</p>
      <blockquote className="reading connect-said" dir="auto">
        {text}
      </blockquote>
      <p className="small muted">
        {words.firstWord(seconds)} {firstWord > SLOW_MS && words.slow}
      </p>
    </>
  );
}

/** What the service said of it; a step that ended without a word says at least which one it was. */
function SetupFailure({ error }: { error: unknown }) {
  const { connect: words } = useMessages();
  if (!(error instanceof StepError)) return <Failure title="" error={error} />;
  const titles: Partial<Record<StepName, string>> = {
    server: words.serverFailed,
    download: words.modelFailed,
    start: words.startFailed,
  };
  return (
    <p className="notice" role="alert">
      <span>
        <strong>{titles[error.step]}</strong> {error.message}
      </span>
    </p>
  );
}
