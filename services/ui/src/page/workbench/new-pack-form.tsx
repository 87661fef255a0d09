import { useMutation } from '@tanstack/react-query';
import { useState, type SyntheticEvent } from 'react';
import type { Draft, FormLanguage, PackForm } from '@parley/shared/contracts';
import { callApi } from '../client/call-api';
import { randomKey } from '../client/random-key';
import { useMessages } from '../messages/use-messages';
import { Failure } from '../shell/failure';
import { Answer } from './answer';

type Question = 'who' | 'want' | 'need' | 'title' | 'author';
/** As the form of shared/contracts has them, in characters. */
const LONGEST: Readonly<Record<Question, number>> = { who: 80, want: 160, need: 160, title: 60, author: 80 };
const QUESTIONS = Object.keys(LONGEST) as Question[];
const NEEDED: readonly Question[] = ['who', 'want', 'need'];
const NOTHING: Readonly<Record<Question, string>> = { who: '', want: '', need: '', title: '', author: '' };

/** What was answered; what was left out is not sent. */
function formOf(answers: Readonly<Record<Question, string>>, language: FormLanguage): PackForm {
  const { who, want, need, title, author } = answers;
  return {
    language,
    who,
    want,
    need,
    ...(title.trim() === '' ? {} : { title }),
    ...(author.trim() === '' ? {} : { author }),
  };
}

/** Five answers that become a draft: the three of a talk of one's own, a name and an author. */
export function NewPackForm({ onMade }: { onMade: (draft: Draft) => Promise<void> }) {
  const { workbench: words, rehearse, language } = useMessages();
  const [answers, setAnswers] = useState(NOTHING);
  const make = useMutation({
    mutationFn: (form: PackForm) =>
      callApi('createDraft', { body: { form }, headers: { 'idempotency-key': randomKey() } }),
    onSuccess: onMade,
  });
  const texts: Readonly<Record<Question, readonly [label: string, hint: string]>> = {
    who: [rehearse.who, rehearse.whoHint],
    want: [rehearse.want, rehearse.wantHint],
    need: [rehearse.need, rehearse.needHint],
    title: [words.packTitle, words.packTitleHint],
    author: [words.author, words.authorHint],
  };
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const missing = NEEDED.find((question) => answers[question].trim() === '');
    if (missing !== undefined) event.currentTarget.querySelector<HTMLInputElement>(`[name=${missing}]`)?.focus();
    else if (!make.isPending) make.mutate(formOf(answers, language));
  };
  return (
    <section>
      <h2>{words.newTitle}</h2>
      <p className="reading">{words.newIntro}</p>
      <form className="workbench-form" onSubmit={submit}>
        {QUESTIONS.map((question) => (
          <Answer
            key={question}
            name={question}
            label={texts[question][0]}
            hint={texts[question][1]}
            longest={LONGEST[question]}
            value={answers[question]}
            onChange={(value) => setAnswers({ ...answers, [question]: value })}
          />
        ))}
        <div className="actions">
          <button type="submit" className="button button-primary" aria-disabled={make.isPending || undefined}>
            {make.isPending ? words.creating : words.create}
          </button>
        </div>
      </form>
      {make.error !== null && <Failure title={words.createFailed} error={make.error} />}
    </section>
  );
}
