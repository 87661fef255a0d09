import type { FormTexts } from './form-words/english';

/** The rubric of a pack that is made from a form: three skills that every such talk asks for. Points of a dimension add up to 50. */
export const formRubric = ({ rubric: says }: FormTexts): Record<string, unknown> => ({
  schema_version: '0.2',
  rubric_id: 'plain_talk',
  title: says.title,
  dimensions: [
    {
      id: 'saying_it',
      name: says.saying_it.name,
      description: says.saying_it.description,
      weight: 0.4,
      scoring: {
        low: says.saying_it.low,
        medium: says.saying_it.medium,
        high: says.saying_it.high,
      },
      moves: ['said_it'],
      checks: [
        { id: 'plainly', text: says.plainly, move: 'said_it', points: 30 },
        { id: 'early', text: says.early, move: 'said_it', by_line: 3, points: 20 },
      ],
      faults: [{ id: 'attack', text: says.attack, flag: 'attacked', points: 30 }],
    },
    {
      id: 'hearing_it',
      name: says.hearing_it.name,
      description: says.hearing_it.description,
      weight: 0.3,
      scoring: {
        low: says.hearing_it.low,
        medium: says.hearing_it.medium,
        high: says.hearing_it.high,
      },
      moves: ['asked_open', 'took_up'],
      checks: [
        { id: 'asks', text: says.asks, move: 'asked_open', points: 25 },
        { id: 'takes_up', text: says.takes_up, move: 'took_up', points: 25 },
      ],
    },
    {
      id: 'closing_it',
      name: says.closing_it.name,
      description: says.closing_it.description,
      weight: 0.3,
      scoring: {
        low: says.closing_it.low,
        medium: says.closing_it.medium,
        high: says.closing_it.high,
      },
      moves: ['offered', 'fixed_step'],
      checks: [
        { id: 'offers', text: says.offers, move: 'offered', points: 25 },
        { id: 'fixes', text: says.fixes, move: 'fixed_step', points: 25 },
      ],
    },
  ],
});
