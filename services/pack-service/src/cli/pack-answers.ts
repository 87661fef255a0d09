import { createInterface } from 'node:readline/promises';
import { FormLanguage, PackForm } from '@parley/shared/contracts';
import { UsageError } from './usage-error';

/** The questions of `packs new`, in their order, with the option that answers each without being asked. */
const QUESTIONS = [
  { name: 'who', option: '--who', question: 'Whom is the talk with? (as "Marta, my team lead") ' },
  { name: 'want', option: '--want', question: 'What do you want from them? (as "work from home on Fridays") ' },
  {
    name: 'need',
    option: '--need',
    question: 'What do they fear or need? (as "that somebody is there for customers") ',
  },
] as const;

export type GivenAnswers = Partial<Record<keyof PackForm, string>>;

/** Where questions are put. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/**
 * The form, filled in with what was given and, where a terminal is there to ask, with answers to the rest.
 * @throws UsageError naming what is missing or too long.
 */
export async function packAnswers(given: GivenAnswers, terminal: Terminal | null): Promise<PackForm> {
  const answers: GivenAnswers = { ...given };
  const missing = QUESTIONS.filter(({ name }) => answers[name] === undefined);
  if (missing.length > 0) {
    if (terminal === null)
      throw new UsageError(
        `Say ${missing.map(({ option }) => option).join(', ')}, or run it in a terminal, which asks.`,
      );
    const asking = createInterface(terminal);
    try {
      for (const { name, question } of missing) answers[name] = await asking.question(question);
    } finally {
      asking.close();
    }
  }
  const form = PackForm.safeParse(answers);
  if (form.success) return form.data;
  const [issue] = form.error.issues;
  const member = String(issue?.path[0] ?? 'answers');
  if (member === 'language') throw new UsageError(`--language is one of ${FormLanguage.options.join(', ')}.`);
  const limit =
    issue?.code === 'too_big'
      ? `is longer than ${issue.maximum} characters`
      : 'is empty or not in the form that is asked for';
  throw new UsageError(`--${member.replace('pack_id', 'id')} ${limit}.`);
}
