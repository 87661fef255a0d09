/** The rubric of a pack that is made from a form: three skills that every such talk asks for. Points of a dimension add up to 50. */
export const FORM_RUBRIC = {
  schema_version: '0.2',
  rubric_id: 'plain_talk',
  title: 'Saying it and hearing it',
  dimensions: [
    {
      id: 'saying_it',
      name: 'Saying it',
      description: 'You say what you want, early and in plain words.',
      weight: 0.4,
      scoring: {
        low: 'You hint at it, or complain.',
        medium: 'You say what you want, but late.',
        high: 'You say what you want within your first three lines, without blaming anybody.',
      },
      moves: ['said_it'],
      checks: [
        { id: 'plainly', text: 'Say what you want, in plain words', move: 'said_it', points: 30 },
        { id: 'early', text: 'Say it within your first three lines', move: 'said_it', by_line: 3, points: 20 },
      ],
      faults: [{ id: 'attack', text: 'Attacking the person', flag: 'attacked', points: 30 }],
    },
    {
      id: 'hearing_it',
      name: 'Hearing the other side',
      description: 'You find out what the other fears or needs, and show that you heard it.',
      weight: 0.3,
      scoring: {
        low: 'You ask nothing.',
        medium: 'You ask, but go on as if nothing had been answered.',
        high: 'You ask an open question, wait, and take up what you heard.',
      },
      moves: ['asked_open', 'took_up'],
      checks: [
        { id: 'asks', text: 'Ask something that cannot be answered with yes or no', move: 'asked_open', points: 25 },
        { id: 'takes_up', text: 'Take up what they said', move: 'took_up', points: 25 },
      ],
    },
    {
      id: 'closing_it',
      name: 'A step that both can take',
      description: 'You offer something and fix what happens next.',
      weight: 0.3,
      scoring: {
        low: 'You leave it open.',
        medium: 'You offer something, without a day.',
        high: 'You offer something that helps both and fix a day for it.',
      },
      moves: ['offered', 'fixed_step'],
      checks: [
        { id: 'offers', text: 'Offer something that helps both', move: 'offered', points: 25 },
        { id: 'fixes', text: 'Fix what happens next, with a day', move: 'fixed_step', points: 25 },
      ],
    },
  ],
};
