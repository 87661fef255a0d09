import { contentWords } from '@parley/shared/engine';
import type { Person } from './person';

/** What the texts of a scenario are made of. */
export interface FormTalk {
  readonly id: string;
  readonly title: string;
  readonly person: Person;
  /** Phrases that a sentence can end with. */
  readonly want: string;
  readonly need: string;
}

const LANGUAGE = 'en';
const PEACEFUL = { not: { tone: ['insult', 'blame', 'shouting', 'threat'] } };
const ASKING = [
  'I want', "I'd like", 'I would like', 'I need', "I'm asking", 'I ask', 'I hope', 'I wish', 'could I', 'could we', 'can I',
  'can we', 'may I', 'would you', 'could you', "I'd prefer", 'I came to', 'I want to talk about', 'it is about', "it's about",
]; // prettier-ignore
const OFFERING = [
  'what if', 'how about', 'I could', 'we could', 'I can', 'we can', "I'd be willing", 'I offer', 'in return', 'instead',
  'would it help', 'suppose', "let's try", 'let us try', 'for a month', 'for a week', 'to begin with', 'one option', 'another way',
]; // prettier-ignore
const AGREEING = [
  'shall we', "let's", 'let us', "I'll", 'I will', "we'll", 'we will', 'can we', 'could we', 'does that work', 'does this work',
  'is that all right', 'are you fine with', 'agreed', 'until then', 'by then',
]; // prettier-ignore

/** Words by which it can be told that a text is spoken of; a sign needs at least one. */
const wordsOf = (text: string, otherwise: readonly string[]): string[] => {
  const words = contentWords(text, LANGUAGE);
  return words.length > 0 ? words : [...otherwise];
};

const moves = ({ person, want, need }: FormTalk) => [
  {
    id: 'said_it',
    description: `Says plainly that they want this: ${want}.`,
    effect: { objective_progress: 22 },
    repeat: 'once',
    signs: [
      { any: [{ says: ASKING }, { person: ['i'] }] },
      { says: wordsOf(want, ASKING) },
      { words: { at_least: 4 } },
      PEACEFUL,
    ],
    exemplars: [`I'd like to talk to you about this: ${want}.`],
  },
  {
    id: 'asked_open',
    description: `Asks ${person.name} something that cannot be answered with yes or no.`,
    effect: { objective_progress: 16, trust: 6 },
    repeat: 'halved',
    signs: [{ question: 'open' }, PEACEFUL],
    exemplars: ['What would worry you about it?', 'How do you see it?'],
  },
  {
    id: 'took_up',
    description: `Takes up what ${person.name} said or needs.`,
    effect: { objective_progress: 16, trust: 8 },
    repeat: 'halved',
    signs: [
      {
        any: [
          { echo: { of: 'last_npc', at_least: 2 } },
          { says: [...wordsOf(need, []), 'so you', 'you need', 'you worry', 'I hear'] },
        ],
      },
      { words: { at_least: 4 } },
      PEACEFUL,
    ],
    exemplars: [`I hear what matters to you: ${need}.`],
  },
  {
    id: 'offered',
    description: 'Offers something that helps both.',
    effect: { objective_progress: 16, trust: 4 },
    repeat: 'halved',
    signs: [{ says: OFFERING }, { words: { at_least: 5 } }, PEACEFUL],
    exemplars: ['What if we try it and then look at it together?'],
  },
  {
    id: 'fixed_step',
    description: 'Fixes what happens next, with a day.',
    effect: { objective_progress: 20 },
    repeat: 'once',
    signs: [{ day: true }, { any: [{ says: AGREEING }, { question: 'any' }] }, PEACEFUL],
    exemplars: ["Let's look at it again on Friday at ten. Does that work for you?"],
  },
];

/** Lines of the demo voice. Those without a condition fill the turns of somebody who says little. */
const demo = ({ want, need }: FormTalk) => [
  { after: 'attacked', says: "I won't be spoken to like that.", emotion: 'hurt' },
  { after: 'attacked', says: 'Then we stop here, if that is how it goes.', emotion: 'angry' },
  // What ends the talk comes first: a question behind an agreement would be left open.
  { after: 'fixed_step', says: "That I can put in my calendar. All right, let's do it like that.", emotion: 'relieved' },
  { after: 'sits_back', says: "All right. You have thought about this. What exactly do you have in mind?", emotion: 'curious' },
  { after: 'said_it', says: `So that's what it is about: ${want}. I had not expected that today.`, emotion: 'surprised' },
  { after: 'asked_open', says: `If you ask me like that: what matters to me is this: ${need}.`, emotion: 'thoughtful' },
  { after: 'offered', says: 'That would be something. I would have to sleep on the rest of it.', emotion: 'thoughtful' },
  { after: 'took_up', says: 'Yes. Just that. I did not think that you saw it.', emotion: 'surprised' },
  { after: 'asked_open', says: 'Good question. Nobody has put it to me like that.', emotion: 'thoughtful' },
  { after: 'offered', says: 'We could try that. What happens if it goes wrong?', emotion: 'curious' },
  { after: 'took_up', says: 'You listen. That makes it easier for me to say the rest.', emotion: 'warm' },
  { after: 'asked_open', says: 'It depends on what it costs me. You know how it has been lately.', emotion: 'hesitant' },
  { after: 'offered', says: 'That is fairer than I thought it would be.', emotion: 'warm' },
  { after: 'took_up', says: 'That is about it, yes.', emotion: 'neutral' },
  { when: { type: 'variable_below', variable: 'patience', threshold: 30 }, says: 'I have to go in a minute. What is the one thing that you need from me?', emotion: 'frustrated' },
  { when: { type: 'no_flag', flag_id: 'said_it' }, says: 'You wanted to talk to me. What is it about?', emotion: 'curious' },
  { when: { type: 'no_flag', flag_id: 'said_it' }, says: 'I am still not sure what you want from me.', emotion: 'hesitant' },
  { when: { type: 'no_flag', flag_id: 'asked_open' }, says: 'You have not asked me how I see it, you know.', emotion: 'defensive' },
  { when: { type: 'no_flag', flag_id: 'fixed_step' }, says: 'And what happens now? I like to know by when.', emotion: 'curious' },
  { otherwise: true, says: 'Go on.', emotion: 'neutral' },
  { otherwise: true, says: 'Let me think about that for a second.', emotion: 'thoughtful' },
  { otherwise: true, says: 'I see it a little differently, but go on.', emotion: 'neutral' },
  { otherwise: true, says: 'That is one way to look at it.', emotion: 'hesitant' },
  { otherwise: true, says: 'I would rather hear it straight.', emotion: 'neutral' },
  { otherwise: true, says: 'Mm. I am listening.', emotion: 'neutral' },
  { otherwise: true, says: 'We go round in circles a little.', emotion: 'frustrated' },
  { otherwise: true, says: 'Say that again, in one sentence.', emotion: 'curious' },
  { otherwise: true, says: 'Well. I have heard you.', emotion: 'neutral' },
  { otherwise: true, says: 'I think that we are nearly out of time.', emotion: 'hesitant' },
]; // prettier-ignore

/** A whole scenario out of three answers. It asks for nothing that only its author could know. */
export function formScenario(talk: FormTalk): Record<string, unknown> {
  const { id, title, person, want, need } = talk;
  return {
    schema_version: '0.2',
    scenario_id: id,
    title,
    summary: `You want to talk to ${person.name}. It is about this: ${want}.`,
    skills: ['saying what you want', 'hearing the other side', 'fixing a next step'],
    player_role: {
      label: 'Yourself',
      brief: `The talk that you have before you. With whom: ${person.described}. What you want: ${want}. They fear or need something, too: find out what, and leave with a step that both of you can take.`,
    },
    npc: { ref: '../npcs/person.yaml' },
    rubric: { ref: '../rubrics/plain_talk.yaml' },
    duration: { max_turns: 10, soft_time_limit_minutes: 8 },
    opening: { npc_says: 'You wanted to talk to me. I have a few minutes. What is it?', emotion: 'curious' },
    goals: {
      player_visible: ['Say what you want, in plain words.', 'Find out what they fear or need.', 'Leave with a next step and a day.'],
      hidden: [
        `You fear or need this: ${need}. Say so when you are asked an open question.`,
        'You agree when the other has said plainly what they want, has taken up what you fear or need, and offers a step.',
      ],
    },
    npc_knows: `The other person describes you as "${person.described}" and asked for this talk. You do not know yet what they want.`,
    state: {
      variables: {
        objective_progress: { min: 0, max: 100, default: 0, visibility: 'visible', max_delta_per_turn: 2 },
        trust: { min: 0, max: 100, default: 45, visibility: 'visible', max_delta_per_turn: 6 },
        patience: { min: 0, max: 100, default: 65, visibility: 'visible', max_delta_per_turn: 8 },
      },
    },
    moves: moves(talk),
    flags: {
      attacked: {
        meaning: 'The player attacks the person: insults, blames, shouts or threatens.',
        shown: 'You attacked the person.',
        signs: [{ tone: ['insult', 'blame', 'shouting', 'threat'] }],
        proof: 'signs',
      },
    },
    secrets: [
      {
        id: 'what_they_need',
        when: { type: 'flag', flag_id: 'asked_open' },
        text: `What you fear or need: ${need}.`,
        hint: 'An open question, such as what would worry them about it.',
      },
    ],
    events: [
      {
        id: 'sits_back',
        when: [{ type: 'flag', flag_id: 'said_it' }, { type: 'flag', flag_id: 'took_up' }],
        npc_instruction: 'You feel heard. Ask what exactly they have in mind.',
        narration: `${person.name} sits back and looks at you for a moment.`,
        effects: { trust: 6 },
      },
      {
        id: 'turns_away',
        when: { type: 'flag', flag_id: 'attacked' },
        npc_instruction: 'You were attacked. Say that you will not be spoken to like that.',
        narration: `${person.name} turns away.`,
        effects: { patience: -35, trust: -15 },
        repeat: true,
      },
    ],
    hints: [
      { when: { type: 'no_flag', flag_id: 'said_it' }, text: 'Say in one sentence what you want.' },
      { when: { type: 'no_flag', flag_id: 'asked_open' }, text: 'Ask something that begins with what or how.' },
      { when: { type: 'no_flag', flag_id: 'took_up' }, text: 'Use a word of theirs in your next line.' },
      { when: { type: 'no_flag', flag_id: 'offered' }, text: 'Offer something small that helps both.' },
      { when: { type: 'no_flag', flag_id: 'fixed_step' }, text: 'Name a day for the next step.' },
    ],
    demo: demo(talk),
    outcome: [
      { when: { type: 'flag', flag_id: 'said_it' }, text: `${person.name} knows what you want.`, quote: 'said_it' },
      { when: { type: 'no_flag', flag_id: 'said_it' }, text: 'What you want was not said.' },
      { when: { type: 'flag', flag_id: 'offered' }, text: 'What you offered:', quote: 'offered' },
      { when: { type: 'flag', flag_id: 'fixed_step' }, text: 'What happens next, and when:', quote: 'fixed_step' },
      { when: { type: 'no_flag', flag_id: 'fixed_step' }, text: 'Nobody said what happens next.' },
    ],
    endings: [
      {
        id: 'a_next_step',
        type: 'success',
        title: 'A next step',
        when: [
          { type: 'flag', flag_id: 'said_it' },
          { type: 'flag', flag_id: 'fixed_step' },
          { type: 'variable_above', variable: 'objective_progress', threshold: 59 },
        ],
        debrief_note: `You said what you want, and there is a day for what comes next. In the real talk ${person.name} may answer otherwise; the moves stay the same.`,
      },
      {
        id: 'turned_away',
        type: 'failure',
        title: 'Turned away',
        when: [{ type: 'variable_below', variable: 'patience', threshold: 15 }],
        debrief_note: 'The talk ended before it was about anything. Go back to the line that turned it, and say there what you want instead of what is wrong with the other.',
      },
      {
        id: 'out_of_time',
        type: 'timeout',
        title: 'Out of time',
        when: [{ type: 'max_turns', value: 10 }],
        debrief_note: 'The time was over before there was a next step. Look at which of your lines moved something, and begin with that one.',
      },
    ],
    difficulty: {
      default: 'standard',
      options: {
        warm: { patience: 85, volatility: 40, disclosure: 65, time_pressure: 10, label: 'A good day', description: 'Rested and open. Tells you early what matters.' },
        standard: { patience: 65, volatility: 50, disclosure: 45, time_pressure: 30, label: 'An ordinary day', description: 'Friendly, a bit guarded, and answers what is asked well.' },
        hard: { patience: 50, volatility: 60, disclosure: 30, time_pressure: 55, label: 'A bad day', description: 'Short of time. Vague sentences are not heard to their end.' },
        adversarial: { patience: 40, volatility: 75, disclosure: 15, time_pressure: 75, label: 'After a quarrel', description: 'Expects a reproach and hears one easily.' },
      },
    },
    response_style: { max_words: 60, verbosity: 'moderate', formality: 'casual' },
    ladder_position: 'practice',
    taught_dimensions: ['saying_it', 'hearing_it'],
    tested_dimensions: ['saying_it', 'hearing_it', 'closing_it'],
  }; // prettier-ignore
}
