import { GERMAN_MOOD } from './german-mood';
import type { MoodRules, PlayerMood, Rule, Signal } from './mood-rules';

const HOSTILE: readonly Rule[] = [
  [
    'insult',
    /\b(?:idiots?|stupid|moron|dumb|lazy|liars?|pathetic|useless|worthless|incompetent|slob|childish|clown|jerk|selfish|disgust(?:ing)?|hate you|shut up|get lost|get out|screw you|go to hell|what is wrong with you|you are the problem|you're the problem|waste of (?:my )?time|damn you|bastard)\b/i,
  ],
  [
    'ultimatum',
    /\b(?:or else|or i(?:'ll| will)? (?:quit|leave|walk|go)|or i am (?:gone|out)|i(?:'ll| will) (?:quit|sue|report you|make you|ruin|tell everyone|resign|walk out|go over your head)|last (?:chance|warning)|final offer|you(?:'ll| will) (?:regret|be sorry|pay for)|take it or leave it|i(?:'m| am) done (?:with you|here)|i quit|i demand|you(?:'d| had) better|(?:by|until|before) (?:tomorrow|tonight|(?:mon|tues|wednes|thurs|fri|satur|sun)day),? or|or i(?:'m| am) (?:at|gone|out|off|leaving)|(?:run|do) [^.?!]{0,40}\bwithout me)\b/i,
  ],
  [
    'accusing',
    /\b(?:what i(?:'m| am) owed|everyone (?:here|in this \w+|on this \w+) knows|don't give me (?:the|that|this)|your favou?rites?|you (?:just|only|clearly) (?:look after|care about|want|do)|ridiculous|this is a joke|crap|bullshit|how dare you|as usual|unbelievable)\b/i,
  ],
  ['generalising', /\byou (?:always|never|constantly|only ever)\b|\bevery single time\b|\btypical of you\b/i],
];

const CONSTRUCTIVE: readonly Rule[] = [
  [
    'acknowledging',
    /\b(?:i understand|i (?:can )?hear|i see (?:that|why|how|what|your)|i get (?:that|why|it)|that makes sense|makes sense|thank(?:s| you)|appreciate|sounds like|fair (?:point|enough)|you(?:'re| are) right|i know (?:that|this|you|it)|good point|i can imagine|must (?:be|have been)|understandable)\b/i,
  ],
  [
    'own_part',
    /\b(?:my (?:part|fault|mistake)|i should have|i(?:'m| am) sorry|i apologi[sz]e|i was wrong|i could have|on me|i own that)\b/i,
  ],
  [
    'proposal',
    /\b(?:what if|how about|could we|can we|shall we|let(?:'s| us)|i(?:'d| would) (?:suggest|propose|like|offer)|i (?:suggest|propose|can offer|could)|would it help|would you be (?:open|willing)|we could|one option|next step|agree on|in return|so that we both)\b/i,
  ],
  ['question', /\?|^(?:what|how|when|who|where|which|why|tell me)\b/im],
  [
    'specific',
    /\d|\b(?:because|for example|for instance|specifically|last (?:week|month|year|night)|yesterday|since (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|last)|i (?:feel|felt|worry|need|want|noticed|saw)|monday|tuesday|wednesday|thursday|friday|saturday|sunday|percent|hours?|weeks?)\b/i,
  ],
];

const ENGLISH_MOOD: MoodRules = { hostile: HOSTILE, constructive: CONSTRUCTIVE };

const found = (rules: readonly Rule[], text: string): Signal[] =>
  rules.filter(([, pattern]) => pattern.test(text)).map(([signal]) => signal);

const wordCount = (text: string): number => text.match(/[\p{L}\p{N}']+/gu)?.length ?? 0;

/** Capitals over several words; short cries and abbreviations do not count. */
function isShouting(text: string): boolean {
  const letters = text.match(/\p{L}/gu) ?? [];
  const capitals = text.match(/\p{Lu}/gu) ?? [];
  return letters.length >= 12 && capitals.length / letters.length > 0.7;
}

/**
 * Judges an utterance by its words. Insults, threats and shouting weigh more than any kindness beside them; questions,
 * acknowledgement, specifics and proposals are constructive when there is enough of a sentence around them; what is short
 * and has none of it is passive.
 * @param language of the talk; others than German are read as English
 */
export function playerMood(utterance: string, language = 'en'): PlayerMood {
  const rules = language === 'de' ? GERMAN_MOOD : ENGLISH_MOOD;
  const text = utterance.replaceAll('\u2019', "'");
  const hostile = found(rules.hostile, text);
  if (isShouting(text)) hostile.push('shouting');
  if (hostile.length > 0) return { mood: 'hostile', signals: hostile };
  const constructive = found(rules.constructive, text);
  const words = wordCount(text);
  const isEnough = words >= 4 && (constructive.length >= 2 || (constructive.length === 1 && words >= 6));
  return isEnough ? { mood: 'constructive', signals: constructive } : { mood: 'passive', signals: constructive };
}
