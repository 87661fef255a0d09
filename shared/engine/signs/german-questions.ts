import { holds, startsWith } from './question-patterns';

const LEAD =
  '(?:(?:und|aber|also|okay|ja|nein|na|gut|nur|dann|sag mal|sag|hey|ach|oh|hm|entschuldigung|entschuldigen sie|verzeihung|bitte|danke|ehrlich|jetzt|darf ich fragen|wenn ich fragen darf|kurz) (?:, )?|\\S+ , ){0,3}';
const PREPOSITION = '(?:(?:an|auf|aus|bei|für|in|mit|nach|über|um|von|vor|zu|gegen|bis|seit|ab) )?';
const ASKING =
  '(?:was|wie|warum|wieso|weshalb|wer|wen|wem|wessen|wo|woher|wohin|womit|wodurch|woran|wofür|worum|worüber|wovon|worauf|wozu|welche[mnrs]?)';
/** Asks for a number, a time or a choice, whatever its first word. */
const NARROW = startsWith(
  `${LEAD}${PREPOSITION}(?:wie (?:viel|viele|lange|oft|alt|spät|hoch|groß|weit|teuer|bald)|wann|um wie viel uhr|welche[nrms]? (?:tag|datum|uhrzeit|uhr|woche|zeit))`,
);
/** Proposals that begin with a question word and can be answered with yes or no. */
const PROPOSAL = holds("wie wäre (?:es|das)|wie wär(?:'s| es| das)?|was wäre , wenn|was , wenn|was hältst du davon");
const OPEN = startsWith(`${LEAD}${PREPOSITION}${ASKING}`);
const FINITE =
  "(?:ist|sind|war|wäre|hat|hast|habe|haben|hätte|hättest|kann|kannst|könnte|könnten|willst|will|würde|würdest|würden|sagt|sagst|machst|macht|geht|läuft|läuft's|geht's|sieht|siehst|brauchst|heißt|wünschst|findest|denkst|passt|sollte|soll|fehlt|hilft|steckt|liegt)";
/** What is asked may come behind a first part: Wenn du frei entscheiden könntest, wie würdest du es machen? */
const OPEN_LATER = new RegExp(
  ` [,;:—–-] (?:und |aber |also |dann )?${PREPOSITION}${ASKING} (?:[^\\s,;:]+ )?${FINITE} [^\\s]+`,
  'u',
);
const OPEN_JOINED = new RegExp(` (?:und|aber|oder) ${PREPOSITION}${ASKING} ${FINITE} [^\\s]+`, 'u');
/** Asks the other to tell. */
const INVITES = holds(
  [
    '(?:erzähl|erzählen|erklär|erklären|sag|sagen|beschreib|beschreiben) (?:sie |du |doch |mal )*(?:mir|uns)?(?: [^\\s.;!?]+){0,4} (?:mehr|was|wie|warum|wo|wer|über|von)',
    '(?:erzähl|erzählen) (?:sie |du |doch |mal |mir |bitte )*(?:mehr|davon|weiter|von|über)',
    '(?:magst|kannst|könntest|willst|mögen|können|könnten|wollen) (?:du|sie) (?:mir |uns |mal |bitte |vielleicht |etwas |ein bisschen )*(?:erzählen|erklären|sagen|beschreiben)(?: ,)? (?:was|wie|warum|wo|wer|wovon)',
    '(?:magst|willst|mögen|wollen) (?:du|sie) (?:mir |davon |darüber |mehr |etwas |ein bisschen |vielleicht )+erzählen',
    '(?:mich würde|es würde mich|mich) (?:mal |wirklich |sehr |noch )*interessier(?:en|t) ,? ?(?:was|wie|warum|wo|wer)',
    '(?:ich würde|ich möchte|ich will|würde ich) (?:gern |gerne |wirklich |mal |ja |so |besser )*(?:wissen|verstehen|hören|erfahren) ,? ?(?:was|wie|warum|wo|wer)',
    'ich (?:frage|frag) mich ,? ?(?:was|wie|warum|wo|wer)',
    'darf ich (?:sie |dich |mal )*fragen ,? ?(?:was|wie|warum|wo|wohin|woher|wer|für wen)',
  ].join('|'),
);
/** Looks like a question and wants no answer. */
const RHETORICAL = holds(
  [
    'was (?:ist|stimmt) (?:\\S+ ){0,3}mit (?:dir|ihnen)(?: nicht| los)?',
    'wie (?:kannst|konntest|können|konnten) (?:du|sie) (?:es wagen|nur|bloß|so)',
    'was (?:fällt|bildest|bilden) (?:dir|du dir|ihnen|sie sich) (?:\\S+ )?ein',
    'was soll (?:das|der|die|dieser|denn das)',
    '(?:wen|wer) (?:interessiert|kümmert|juckt)(?:\\S+ )?\\S*',
    'wer (?:glaubst|denkst|glauben|bist) (?:du|sie)(?: eigentlich| denn)?',
    "(?:geht's|gehts) noch",
    'was willst du (?:eigentlich |überhaupt )?(?:von mir|noch)',
    'was wollen sie (?:eigentlich |überhaupt )?(?:von mir|noch)',
    'was geht (?:dich|sie|mich) das an',
    'wie (?:schwer|oft) (?:kann|muss|soll) (?:\\S+ ){0,2}\\S+',
    'warum (?:machst|tust|bist|kannst|hast) du (?:\\S+ ){0,3}(?:immer|nie|so|nicht)',
    'wofür hältst du dich',
    'was denkst du (?:dir )?(?:eigentlich|denn|dabei)',
    'na und',
  ].join('|'),
);
/** A question of one or two words that is no more than a sound. */
const NOISE =
  /^ (?:(?:was|wie|bitte|echt|ernsthaft|und|ach|so|na|hm+|hä|ja|nein|okay|oder|nicht wahr|wirklich|also|nun|ne) )+$/u;
/** A greeting, or asking for what was just said again: the other is asked for nothing of their own. The whole sentence, with a name. */
const FORMULA = new RegExp(
  `^ (?:(?:hallo|hi|hey|guten (?:morgen|tag|abend))(?: [^\\s,]+){0,2} (?:, )?)?${LEAD}(?:wie (?:geht es(?: (?:dir|ihnen|euch))?|geht's(?: (?:dir|ihnen|euch))?|gehts(?: (?:dir|ihnen|euch))?|läuft's|läuft es)` +
    '|(?:was|wie) (?:meinst du|meinen sie)(?: (?:das|damit))?|was (?:hast du|haben sie) (?:gerade )?gesagt|was war das)' +
    '(?: (?:heute|denn|so|jetzt|noch mal|nochmal|bitte|heute abend|heute morgen)| , [^\\s,]+(?: [^\\s,]+)?){0,3} (?:, )?$',
  'u',
);

/**
 * What kind of question a sentence of German is, or null.
 * @param text its tokens with one blank between and around them
 * @param marked whether it ends with a question mark
 */
export function germanKind(text: string, marked: boolean): 'open' | 'closed' | null {
  if (NOISE.test(text) || RHETORICAL.test(text)) return marked ? 'closed' : null;
  if (FORMULA.test(text)) return marked ? 'closed' : null;
  if (INVITES.test(text)) return 'open';
  if (!marked) return null;
  if (PROPOSAL.test(text) || NARROW.test(text)) return 'closed';
  return OPEN.test(text) || OPEN_LATER.test(text) || OPEN_JOINED.test(text) ? 'open' : 'closed';
}
