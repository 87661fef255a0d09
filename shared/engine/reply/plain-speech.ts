/** What a model writes before the answer, to whoever asked: `Sure! Here is Dana's reply:`. */
const PREFACE =
  /^\s*(?:(?:sure|certainly|of course|okay|absolutely|understood)[!,.:]?\s*)?(?:here(?:'s| is| are)|this is)\b[^\n:]{0,80}:\s*/i;
/** As far as it goes before it shows to be one. */
const MAY_BE_PREFACE =
  /^\s*(?:sure|certainly|of course|okay|absolutely|understood)[!,.:]?\s*(?:h|he|her|t|th|thi|(?:here|this)\b[^\n.!?…]{0,90})?$/i;
/** What a model says of its task, never a character. */
const OF_THE_TASK =
  /\b(?:json|schema|role-?play(?:ing)?|as an (?:assistant|ai)|(?:the|your) prompt|in[- ]character|npc|the player|the user|utterance|simulat(?:e|ion)|placeholder|word count|max_words)\b/i;
/** Lists, headings, tables, code, addresses and members of an object are no speech. */
const NO_SPEECH =
  /[{}<>|\\`]|^[ \t]*(?:[-*+•] |\d{1,2}[.)] |#{1,6} |=)|https?:|^[ \t]*\[\s*["'{[]|^[ \t]*["']?[a-z]+(?:_[a-z]+)+["']?\s*[:=]/m;
const ENDED = /[.!?…]["'”’)\]*_]*\s*$/;
const FIRST_LETTER = /^[\s"'“‘*_([¿¡…—-]*(?:\p{Lu}|\p{Lo}|\p{N})/u;

export const withoutPreface = (text: string): string => text.replace(PREFACE, '');

/** Whether prose is what a character says, from capital letter to full stop, and nothing about how it was made. */
export function isPlainSpeech(text: string): boolean {
  return !NO_SPEECH.test(text) && !OF_THE_TASK.test(text) && FIRST_LETTER.test(text) && ENDED.test(text);
}

/** Whether the beginning of a prose answer can be told for speech: a sentence is over, and it is one of the character's. */
export function beginsAsSpeech(text: string): 'yes' | 'no' | 'not_yet' {
  if (NO_SPEECH.test(text) || OF_THE_TASK.test(text) || PREFACE.test(text)) return 'no';
  const sentence = /^[^.!?…]{2,}[.!?…]["'”’)]*(?=\s+\S)/.exec(text)?.[0];
  if (sentence === undefined || MAY_BE_PREFACE.test(text)) return 'not_yet';
  return isPlainSpeech(sentence) ? 'yes' : 'no';
}
