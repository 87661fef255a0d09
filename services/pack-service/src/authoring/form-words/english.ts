import { withoutArticle, withoutLead } from '../person';
import type { FormTalk } from './form-talk';

/** What is the same in every talk: how its answers are read, and the phrases of its signs. */
const phrases = {
  named: withoutArticle(/^(?:my|our|the|an?)\s+(?=\S)/i),
  phrase: withoutLead([
    /^(?:(?:I|we) (?:want|would like|need|wish)(?: them| her| him)? )?(?:to|for) /i,
    /^(?:I|we) (?:want|would like|need|wish) /i,
  ]),
  title: (name: string): string => `A talk with ${name}`,
  asking: [
    'I want', "I'd like", 'I would like', 'I need', "I'm asking", 'I ask', 'I hope', 'I wish', 'could I', 'could we', 'can I',
    'can we', 'may I', 'would you', 'could you', "I'd prefer", 'I came to', 'I want to talk about', 'it is about', "it's about",
  ],
  hearing: ['so you', 'you need', 'you worry', 'I hear'],
  offering: [
    'what if', 'how about', 'I could', 'we could', 'I can', 'we can', "I'd be willing", 'I offer', 'in return', 'instead',
    'would it help', 'suppose', "let's try", 'let us try', 'for a month', 'for a week', 'to begin with', 'one option', 'another way',
  ],
  agreeing: [
    'shall we', "let's", 'let us', "I'll", 'I will', "we'll", 'we will', 'can we', 'could we', 'does that work', 'does this work',
    'is that all right', 'are you fine with', 'agreed', 'until then', 'by then',
  ],
}; // prettier-ignore

/** What is said in one talk. */
const texts = ({ title, person: { name, described }, want, need }: FormTalk) => ({
  summary: `You want to talk to ${name}. It is about this: ${want}.`,
  skills: ['saying what you want', 'hearing the other side', 'fixing a next step'],
  role: {
    label: 'Yourself',
    brief: `The talk that you have before you. With whom: ${described}. What you want: ${want}. They fear or need something, too: find out what, and leave with a step that both of you can take.`,
  },
  opening: 'You wanted to talk to me. I have a few minutes. What is it?',
  goals: {
    player_visible: ['Say what you want, in plain words.', 'Find out what they fear or need.', 'Leave with a next step and a day.'],
    hidden: [
      `You fear or need this: ${need}. Say so when you are asked an open question.`,
      'You agree when the other has said plainly what they want, has taken up what you fear or need, and offers a step.',
    ],
  },
  npc_knows: `The other person describes you as "${described}" and asked for this talk. You do not know yet what they want.`,
  moves: {
    said_it: { description: `Says plainly that they want this: ${want}.`, exemplars: [`I'd like to talk to you about this: ${want}.`] },
    asked_open: {
      description: `Asks ${name} something that cannot be answered with yes or no.`,
      exemplars: ['What would worry you about it?', 'How do you see it?'],
    },
    took_up: { description: `Takes up what ${name} said or needs.`, exemplars: [`I hear what matters to you: ${need}.`] },
    offered: { description: 'Offers something that helps both.', exemplars: ['What if we try it and then look at it together?'] },
    fixed_step: {
      description: 'Fixes what happens next, with a day.',
      exemplars: ["Let's look at it again on Friday at ten. Does that work for you?"],
    },
  },
  attacked: {
    meaning: 'The player attacks the person: insults, blames, shouts or threatens.',
    shown: 'You attacked the person.',
  },
  secret: { text: `What you fear or need: ${need}.`, hint: 'An open question, such as what would worry them about it.' },
  sits_back: {
    npc_instruction: 'You feel heard. Ask what exactly they have in mind.',
    narration: `${name} sits back and looks at you for a moment.`,
  },
  turns_away: {
    npc_instruction: 'You were attacked. Say that you will not be spoken to like that.',
    narration: `${name} turns away.`,
  },
  hints: {
    said_it: 'Say in one sentence what you want.',
    asked_open: 'Ask something that begins with what or how.',
    took_up: 'Use a word of theirs in your next line.',
    offered: 'Offer something small that helps both.',
    fixed_step: 'Name a day for the next step.',
  },
  demo: {
    attacked: ["I won't be spoken to like that.", 'Then we stop here, if that is how it goes.'],
    fixed_step: ["That I can put in my calendar. All right, let's do it like that."],
    sits_back: ['All right. You have thought about this. What exactly do you have in mind?'],
    said_it: [`So that's what it is about: ${want}. I had not expected that today.`],
    asked_open: [
      `If you ask me like that: what matters to me is this: ${need}.`,
      'Good question. Nobody has put it to me like that.',
      'It depends on what it costs me. You know how it has been lately.',
    ],
    offered: [
      'That would be something. I would have to sleep on the rest of it.',
      'We could try that. What happens if it goes wrong?',
      'That is fairer than I thought it would be.',
    ],
    took_up: [
      'Yes. Just that. I did not think that you saw it.',
      'You listen. That makes it easier for me to say the rest.',
      'That is about it, yes.',
    ],
    impatient: ['I have to go in a minute. What is the one thing that you need from me?'],
    not_said_it: ['You wanted to talk to me. What is it about?', 'I am still not sure what you want from me.'],
    not_asked_open: ['You have not asked me how I see it, you know.'],
    not_fixed_step: ['And what happens now? I like to know by when.'],
    otherwise: [
      'Go on.',
      'Let me think about that for a second.',
      'I see it a little differently, but go on.',
      'That is one way to look at it.',
      'I would rather hear it straight.',
      'Mm. I am listening.',
      'We go round in circles a little.',
      'Say that again, in one sentence.',
      'Well. I have heard you.',
      'I think that we are nearly out of time.',
    ],
  },
  outcome: {
    said_it: `${name} knows what you want.`,
    not_said_it: 'What you want was not said.',
    offered: 'What you offered:',
    fixed_step: 'What happens next, and when:',
    not_fixed_step: 'Nobody said what happens next.',
  },
  endings: {
    a_next_step: {
      title: 'A next step',
      debrief_note: `You said what you want, and there is a day for what comes next. In the real talk ${name} may answer otherwise; the moves stay the same.`,
    },
    turned_away: {
      title: 'Turned away',
      debrief_note: 'The talk ended before it was about anything. Go back to the line that turned it, and say there what you want instead of what is wrong with the other.',
    },
    out_of_time: {
      title: 'Out of time',
      debrief_note: 'The time was over before there was a next step. Look at which of your lines moved something, and begin with that one.',
    },
  },
  difficulty: {
    warm: { label: 'A good day', description: 'Rested and open. Tells you early what matters.' },
    standard: { label: 'An ordinary day', description: 'Friendly, a bit guarded, and answers what is asked well.' },
    hard: { label: 'A bad day', description: 'Short of time. Vague sentences are not heard to their end.' },
    adversarial: { label: 'After a quarrel', description: 'Expects a reproach and hears one easily.' },
  },
  person: {
    occupation: `The player describes them as "${described}"`,
    speaking_style: 'Plain and short, as people talk who know each other.',
    demeanor: 'Friendly and a bit guarded: does not know yet what this is about.',
    hidden_agenda: `See to this: ${need}.`,
    bias: 'Takes a general reproach as an attack.',
    boundary: 'Promises nothing that costs them what they need.',
    sample_lines: ['I have a few minutes. What is it?', 'Say it straight, then I can think about it.'],
    emotional_triggers: [
      { when_player: 'asks an open question and waits', reaction: 'Says what matters to them.' },
      { when_player: 'blames or threatens', reaction: 'Grows short and looks at the door.' },
    ],
  },
  policy: {
    description: 'A talk between two people who will meet again.',
    redirect_message: "Let's stay with what you came for.",
  },
  manifest: { description: `A talk with ${name}, made from a form.`, author: 'me' },
  rubric: {
    title: 'Saying it and hearing it',
    saying_it: {
      name: 'Saying it',
      description: 'You say what you want, early and in plain words.',
      low: 'You hint at it, or complain.',
      medium: 'You say what you want, but late.',
      high: 'You say what you want within your first three lines, without blaming anybody.',
    },
    plainly: 'Say what you want, in plain words',
    early: 'Say it within your first three lines',
    attack: 'Attacking the person',
    hearing_it: {
      name: 'Hearing the other side',
      description: 'You find out what the other fears or needs, and show that you heard it.',
      low: 'You ask nothing.',
      medium: 'You ask, but go on as if nothing had been answered.',
      high: 'You ask an open question, wait, and take up what you heard.',
    },
    asks: 'Ask something that cannot be answered with yes or no',
    takes_up: 'Take up what they said',
    closing_it: {
      name: 'A step that both can take',
      description: 'You offer something and fix what happens next.',
      low: 'You leave it open.',
      medium: 'You offer something, without a day.',
      high: 'You offer something that helps both and fix a day for it.',
    },
    offers: 'Offer something that helps both',
    fixes: 'Fix what happens next, with a day',
  },
  scripts: {
    answer: 'Go on.',
    skilled: {
      description: 'Somebody who says it, asks, takes it up and fixes a day.',
      lines: [
        `Thank you for the time. I'd like to talk to you about this: ${want}.`,
        'What would worry you about it?',
        `I hear what matters to you: ${need}. What if we try it and then look at it together?`,
        "Let's look at it again on Friday at ten. Does that work for you?",
      ],
    },
    passive: {
      description: 'Somebody who never says what it is about.',
      lines: Array.from({ length: 10 }, (_, at) => `Well. ${'Mm. '.repeat(at)}`.trim()),
    },
    hostile: {
      description: 'Somebody who attacks.',
      lines: ['You idiot, this is all your fault.', 'You are useless, and you never listen to anybody!'],
    },
  },
  readme: `# ${title}\n\nA talk with ${name}, made from a form. It is about this: ${want}.\n\nWhat to change first: how ${name} speaks (\`npcs/person.yaml\`), the opening line and the\nlines of the demo voice (\`scenarios/\`), then the signs of the moves, until \`tests/skilled.yaml\` reads like you.\n`,
}); // prettier-ignore

export const english = { ...phrases, texts };

/** All words of a pack out of a form, in one language. */
export type FormWords = typeof english;
/** Those that are said in one talk. */
export type FormTexts = ReturnType<FormWords['texts']>;
