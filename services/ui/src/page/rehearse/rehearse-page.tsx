import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState, type SyntheticEvent } from 'react';
import { useLocation } from 'wouter';
import type { PackForm } from '@parley/shared/contracts';
import { pagePath } from '../../page-paths';
import { callApi } from '../client/call-api';
import { randomKey } from '../client/random-key';
import { useMessages } from '../messages/use-messages';
import { Failure } from '../shell/failure';
import { PageHeading } from '../shell/page-heading';
import './rehearse.css';

type Question = 'who' | 'want' | 'need';
/** As the form of shared/contracts has them, in characters. */
const LONGEST: Readonly<Record<Question, number>> = { who: 80, want: 160, need: 160 };
const QUESTIONS = Object.keys(LONGEST) as Question[];
const NOTHING: Readonly<Record<Question, string>> = { who: '', want: '', need: '' };

/** Three questions; their answers become a pack, and the page goes on to its briefing. */
export function RehearsePage() {
  const { rehearse: words, language } = useMessages();
  const [answers, setAnswers] = useState(NOTHING);
  const [, navigate] = useLocation();
  const cache = useQueryClient();
  const make = useMutation({
    mutationFn: (form: PackForm) => callApi('createPack', { body: form, headers: { 'idempotency-key': randomKey() } }),
    onSuccess: async ({ scenario_id: id }) => {
      await Promise.all([['scenarios'], ['packs']].map((queryKey) => cache.invalidateQueries({ queryKey })));
      navigate(pagePath('briefing', id));
    },
  });
  const missing = QUESTIONS.find((question) => answers[question].trim() === '');
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (missing !== undefined) event.currentTarget.querySelector<HTMLInputElement>(`[name=${missing}]`)?.focus();
    else if (!make.isPending) make.mutate({ ...answers, language });
  };
  return (
    <div className="page">
      <header>
        <PageHeading title={words.title} />
        <p className="reading">{words.intro}</p>
      </header>
      <form className="rehearse-form" onSubmit={submit}>
        {QUESTIONS.map((question) => (
          <Answer
            key={question}
            question={question}
            value={answers[question]}
            onChange={(value) => setAnswers({ ...answers, [question]: value })}
          />
        ))}
        <div className="actions">
          <button type="submit" className="button button-primary" aria-disabled={make.isPending || undefined}>
            {make.isPending ? words.making : words.begin}
          </button>
        </div>
      </form>
      {make.error !== null && <Failure title={words.failed} error={make.error} />}
      <p className="small muted reading">{words.afterwards}</p>
    </div>
  );
}

interface AnswerProps {
  readonly question: Question;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Answer({ question, value, onChange }: AnswerProps) {
  const { rehearse: words } = useMessages();
  const hintId = useId();
  return (
    <div>
      <label className="field">
        <span>{words[question]}</span>
        <input
          className="input"
          name={question}
          value={value}
          maxLength={LONGEST[question]}
          autoComplete="off"
          dir="auto"
          aria-describedby={hintId}
          onChange={(event) => onChange(event.target.value)}
        />
      </label>
      <p className="small muted" id={hintId}>
        {words[`${question}Hint`]}
      </p>
    </div>
  );
}
