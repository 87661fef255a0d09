/**
 * What no sentence of a letter may say, as closed lists: English words, since the guard of other languages lets only our
 * own sentences stand. Each expression is linear in the text: alternatives of fixed words, no nested repetition.
 */

/** Praise and blame of a person, as nouns and as adjectives. */
const PERSON_NOUNS =
  'person|human|human being|negotiator|communicator|listener|leader|talker|speaker|professional|expert|genius|star|hero|champion|natural|winner|loser|failure|success|coward|pushover|idiot|fool|liar|bully|jerk|amateur|beginner|disappointment|disgrace|joke|manipulator|narcissist|people pleaser|doormat|talent|pro|employee|friend|flatmate|colleague|man|woman|guy';
const PERSON_ADJECTIVES =
  'good|great|brilliant|talented|gifted|amazing|wonderful|excellent|outstanding|fantastic|awesome|skilled|skilful|skillful|smart|clever|intelligent|charming|likeable|likable|kind|nice|empathetic|empathic|confident|brave|strong|impressive|perfect|superb|remarkable|special|competent|capable|mature|warm|caring|bad|poor|terrible|awful|hopeless|useless|worthless|weak|lazy|selfish|rude|arrogant|stupid|dumb|incompetent|pathetic|cowardly|aggressive|manipulative|insecure|timid|shy|cold|heartless|immature|unprofessional|unlikeable|difficult|toxic|dishonest|passive|clueless|naive|too nice|not cut out';
const DEGREE =
  '(?:(?:too|clearly|truly|really|very|so|such|quite|simply|obviously|always|just|also|a bit|rather|extremely|incredibly|genuinely|naturally|one of the|the|a|an|not|no|my|our|born|most|best|worst|kind of|sort of) ){0,4}';

/** A verdict on the person, in either direction. */
export const VERDICT_ON_PERSON = [
  new RegExp(
    `\\b(?:you are|you're|you were|you seem|you come across as|you sound like|you have always been|you remain|you prove yourself|makes you|made you|shows you are|shows that you are|the player is|the learner is) ${DEGREE}(?:${PERSON_NOUNS}|${PERSON_ADJECTIVES})\\b`,
    'i',
  ),
  new RegExp(`\\b(?:what|such) (?:a|an) (?:${PERSON_ADJECTIVES}|${PERSON_NOUNS})\\b`, 'i'),
  /\b(?:well done|good job|great job|nice job|good work|great work|nice work|amazing work|excellent work|fantastic work|bravo|congratulations|congrats|kudos|way to go|hats off|proud of (?:you|yourself)|shame on you|ashamed of yourself|keep up the (?:good|great) work|i am impressed|i'm impressed|very impressive|impressive performance|strong performance|weak performance|poor performance|great performance|you nailed it|you crushed it|you blew it|you failed|you are a failure)\b/i,
  /\byour (?:(?:great|natural|impressive|remarkable|obvious|total|poor|weak|strong|high|low|lovely|evident|real|true) )?(?:talent|gift|intelligence|character|personality|charm|nature|temperament|attitude|ego|arrogance|laziness|incompetence|stupidity|cowardice|brilliance|genius|emotional intelligence|weakness|weaknesses|maturity|self-esteem|lack of (?:empathy|courage|backbone|spine|character|confidence|respect|intelligence))\b/i,
  /\byou (?:have|show|showed|possess|lack|lacked) (?:(?:a|an|no|any|real|great|true|natural|remarkable|the|some) ){0,3}(?:talent|gift|backbone|spine|courage|empathy|charm|charisma|emotional intelligence|intelligence|class|manners|character|maturity|leadership|way with people|knack)\b/i,
];

/** Law. */
export const LAW =
  /\b(?:lawyers?|solicitors?|attorneys?|barristers?|lawsuits?|legal(?:ly)?|illegal(?:ly)?|unlawful(?:ly)?|sue|suing|sued|in court|to court|the court|tribunals?|litigat\w*|employment law|labou?r law|tenancy law|by law|the law|your rights|contractual(?:ly)?|breach of|discriminat\w*|liable|liability|statutory|jurisdiction|human rights|whistle-?blow\w*|small claims)\b/i;

/** Therapy, which a letter neither gives nor recommends. */
export const THERAPY =
  /\b(?:therap(?:y|ies|ist|ists|eutic)|counsell?ing|counsell?ors?|psycholog(?:y|ist|ical|ically)|psychiatr\w*|traumas?|traumatic|traumati[sz]ed|childhood|inner child|attachment style|avoidant|codependen\w*|burn-?out|depress(?:ed|ion|ive)|anxiety|panic attacks?|diagnos\w*|disorders?|symptoms?|medications?|medicines?|doctors?|mental health|gaslight\w*|narcissis\w*|adhd|autis\w*|ptsd|self-?harm\w*|healing|coping mechanism)\b/i;

/** A promise of what will come of it. */
export const PROMISE =
  /\b(?:guarante\w*|definitely|certainly will|will certainly|surely|for sure|without (?:a )?doubt|no doubt|always works?|never fails?|can't fail|cannot fail|can't lose|works? every time|works? with everyone|bound to|destined to|100 ?(?:%|percent)|you(?:'ll| will) (?:get|win|succeed|land|secure|earn|have (?:it|the)|be promoted|receive|achieve|always|never|soon)|(?:he|she|they|your boss|your manager|anyone|everybody|everyone|nobody) will (?:say yes|agree|give|always|never|respect|do|sign|accept|love|fold|cave)|is going to (?:work|say yes|agree|give)|i promise|we promise|trust me)\b/i;

/** A grade, a mark or a measure of any kind. */
export const SCORE_WORDS =
  /\b(?:scores?|scored|scoring|points?(?= out| of|\b(?! (?:of view|to|at|out the|where|in|that|you|is|was|when|made|about)))|percent(?:age)?|per cent|out of (?:ten|five|a hundred|\d{1,4})|stars?|grades?|graded|ratings?|rated|marks?|top (?:\d{1,4}|ten|five)|percentile|pass mark|a plus)\b|\ban? [a-f][+-](?!\w)|%|(?<!\d)\d{1,6} ?\/ ?\d|★/i;

/** What the character did in the end: only the transcript can say so. */
export const OUTCOME_CLAIM =
  /\b(?:agreed|accepted|promised|granted|approved|gave you (?:the|a|an|everything|what)|offered you|signed|hired|fired|promoted|refused|rejected|apologi[sz]ed|laughed|cried|shouted|screamed|stormed|walked out|hung up|thanked you|loved|hated|admired|despised|was (?:thrilled|delighted|furious|impressed|convinced|won over|charmed|relieved|disgusted|hurt|angry|happy))\b/i;

/** Names and shapes that are written for machines. */
export const MACHINE_TEXT =
  /[{}<>]|\b[a-z]+_[a-z_]+\b|\b(?:event_flags?|state_delta|npc|json|prompt|language model|ai model|as an ai|system message|the player|the user|the learner|rubric dimension|token|objective progress)\b/i;

/** Words before a quotation that make it a suggestion and not a report. */
export const SUGGESTS =
  /\b(?:say|saying|try|trying|instead|ask|asking|such as|for example|like|open with|begin with|start with|answer with|reply with|use|write|add|could be|could have been|might be|would be|would have been|next time|words like|something like|with|as in|put it as|rather|better|along the lines of)\b[^"“”„«»]{0,60}$/i;
/** Words before a quotation that report it. */
export const REPORTS =
  /\b(?:you|she|he|they|the character|the other|your|her|his|their|line \d+|your line \d+)\b[^"“”„«»]{0,30}\b(?:said|asked|wrote|answered|told|replied|mentioned|added|shouted|words? were|words?|opened with|began with|started with|ended with|called|promised|offered|put it as|was|named|insisted|claimed)\b[^"“”„«»]{0,20}$/i;
