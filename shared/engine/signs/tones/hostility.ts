import { wordPattern, type NamedPattern } from '../token-text';
import { COLOUR, ENDS, oneOf, tonePattern, upTo } from './pattern';

/**
 * Names for a person and words that belittle one. Patterns see NAME and SLUR in their place, so that they stay small; a
 * few words are too ordinary to be either on their own.
 */
const NAMES_OF_ABUSE = `idiot idiots moron morons slob slobs pig pigs jerk jerks arsehole arseholes asshole assholes arse bastard bastards bitch bitches loser losers liar liars clown clowns fool fools coward cowards cheapskate hypocrite hypocrites brat brats dickhead dick
  prick pricks cunt cunts wanker wankers tosser imbecile imbeciles cretin cretins scumbag scum twat twats parasite leech freeloader disgrace embarrassment failure fraud snake weasel worm rat dog cow donkey sod git numpty twit nitwit dimwit halfwit airhead blockhead
  simpleton sociopath psychopath narcissist toddler crybaby baby wimp tightwad miser dummy scammer swindler cheat phony creep weirdo freak nutter lunatic maniac puppet bootlicker doormat hag witch bimbo prat knob plonker slacker bum sponger dirtbag shithead douchebag
  douche motherfucker scrooge dictator nazi tyrant bully monster psycho muppet dumbass crook thief joke trash garbage disappointment`;
const SLURS = `lazy stupid dumb pathetic useless incompetent worthless hopeless selfish ignorant disgusting filthy heartless spineless clueless brainless dense thick ridiculous despicable spoilt spoiled childish greedy gutless insane crazy mental nuts mad moronic idiotic
  braindead shameless vile gross ugly fat repulsive evil nasty awful horrible terrible insufferable unbearable laughable inept unfit unqualified rubbish crap crappy shit shitty arrogant lousy dreadful fucking bloody`;
const anyOf = (list: string): RegExp => wordPattern(list.trim().split(/\s+/).join('|'));
const ABUSE: readonly NamedPattern[] = [
  ['NAME', anyOf(NAMES_OF_ABUSE)],
  ['SLUR', anyOf(SLURS)],
];

/** A name of more than one word. */
const NAME =
  '(?:NAME|waste of (?:space|time|oxygen|air|money)|piece of (?:SLUR|work|NAME)|good for nothing|son of a NAME|control freak|control NAME|mess of a person|(?:SLUR|little|big|silly|naughty) (?:child|kid|boy|girl|man|woman|person))';
const SLUR =
  '(?:SLUR|two ?-? ?faced|brain ?-? ?dead|the worst|out of your (?:mind|depth)|off your rocker|full of (?:SLUR|it)|not very bright|not the brightest|beneath contempt)';
const PEOPLE =
  '(?:manager|boss|friend|flatmate|roommate|person|human|human being|leader|interviewer|engineer|colleague|doctor|clerk|landlord|tenant|man|woman|people|team)';
const ARE =
  '(?:are|were|have been|must be|look like|look|sound like|sound|act like|seem like|have to be|have got to be|are acting like|will always be|can be|would be)';

export const INSULT = tonePattern(
  [
    `you ${ARE} ${COLOUR}(?:a |an |the |such an? |one |quite the |some kind of )?${COLOUR}(?:[^\\s.,;:!?]+ ){0,2}?${NAME}${ENDS}`,
    `you ${ARE} ${COLOUR}(?:a |an |the |such an? )?${COLOUR}(?:SLUR ){0,3}(?:${NAME}|${SLUR})`,
    `you ${COLOUR}(?:SLUR ){0,3}${NAME}`,
    `you (?:are )?${COLOUR}(?:a |an |the |such an? )?SLUR ${PEOPLE}`,
    `you ${ARE} ${COLOUR}(?:a |an |the |such an? )SLUR [^\\s.,;:!?]+`,
    `you SLUR(?: , \\S+){0,2}(?: \\S+)?${ENDS}`,
    `(?:such|what|quite|typical|bunch of|pack of|pair of|load of) ?(?:an? )?(?:bunch of |pack of |load of )?(?:SLUR ){0,2}${NAME}(?: you are)?`,
    'only an? (?:SLUR )?NAME would',
    'what (?:kind|sort) of (?:a |an )?(?:SLUR )?NAME',
    'f [*#@$]+ ?\\S{0,3}k(?:ing)? (?:you|off|this|that)',
    `(?<=[,.!?;:] |^ )(?:SLUR ){0,2}${NAME}${ENDS}`,
    `(?:SLUR ){1,3}(?:little |old )?(?:NAME|${PEOPLE})`,
    `(?:stop|quit|do not) (?:be|being|act|acting)(?: like)? (?:so |such an? |a |an )?${COLOUR}(?:SLUR )?(?:${NAME}|SLUR)`,
    '(?:fuck|screw|damn|sod|bugger|piss) (?:you|off)',
    'go (?:to hell|fuck yourself|screw yourself|jump)',
    'shut (?:up|your (?:mouth|face|trap)|it)',
    'drop dead',
    '(?:what|who|why) (?:the (?:hell|fuck|heck)|in hell) (?:is|are|do|does) (?:wrong with you|the matter with you|your problem|you think you are|you even)',
    'SLUR excuse (?:for|of) an? \\S+',
    'you are (?:just |such |really |nothing but |acting like |being )?(?:a |like a )?(?:big |little |spoilt |spoiled )?(?:child|baby|toddler)(?= [.,!?]|$)',
    'get (?:lost|stuffed|bent)(?= [.,!?]|$)',
    'your (?:SLUR|tiny|little) (?:face|head|brain|mouth|ass|NAME|mind|excuses?|skull)',
    'you (?:have no (?:brain|spine|brains|shame|heart|guts|backbone)|make me sick|disgust me|suck|stink|repulse me)',
    `are you (?:really |just |actually |completely |that |this )*(?:SLUR|an? NAME|blind|deaf|brain ?-? ?dead|retarded|that slow)`,
    `(?:how|so) ${COLOUR}SLUR (?:are|can) you(?: be)?`,
    'nobody (?:likes|can stand|respects) you',
    'i (?:hate|despise|can not stand) you',
    'no wonder (?:everyone hates|nobody likes|they threw) you',
  ],
  [
    `(?:i|we|me|myself|makes me|makes us|call me|call us) ${upTo(4)}(?:an? |the |such an? |like an? |like the )?(?:SLUR )?(?:NAME|SLUR)`,
    `(?:not|never|nobody|no one|neither|none)(?! be | act ) ${upTo(6)}(?:NAME|SLUR)`,
    'you NAME (?:because|when|whenever|about|around) \\S+',
    '(?:i|we|he|she|they|everyone|everybody|people|you all) (?:\\S+ly |just |then )?shut (?:up|it)',
    'you (?:just |then )?shut up (?:then|in|because|about it|last|that (?:time|day)|back|once|at the)(?: \\S+)?',
    `(?:called|call|calls|calling) (?:me|him|her|us|them|you|yourself|myself) ${upTo(2)}(?:SLUR )?(?:NAME|SLUR)`,
    `(?:he|she|they|it|that|this|there|everyone) (?:is|was|are|were|has been|would be|looks|sounds|seems|feels) ${COLOUR}(?:a |an |the |such an? )?(?:SLUR ){0,2}(?:NAME|\\S+)`,
    `(?:my|the|our|his|her|their|some|any|your) ${upTo(3)}(?:is|was|are|were|has been|looks|sounds|seems) ${COLOUR}(?:a |an |the |such an? )?(?:SLUR )?(?:NAME|SLUR)`,
    `(?:am|was) i ${upTo(3)}(?:SLUR )?(?:NAME|SLUR)`,
    'you (?:are|must be|would be) (?:SLUR) (?:good|talented|about|busy|to (?:trust|take|say yes|do|give|agree|promise|let))',
    `you would be ${upTo(2)}(?:NAME|SLUR) (?:to|not to|if)`,
    `(?:if|whether|that|think|thinks|say|says) i (?:am|was|were) ${upTo(3)}(?:NAME|SLUR)`,
    'like (?:a|an|the) (?:SLUR )?NAME',
    '(?:any|some|(?<!what )(?:sort|kind) of|that|this) (?:SLUR )?NAME(?! of a)',
    '(?<!you are |must be |such |are being )an? NAME (?:about|on|of a budget|in|that|to|for|at|down|with|of the)',
    '(?:as|make|made|was|is|tell|telling) (?:me )?a (?:\\S+ )?NAME',
    'no NAME',
    `(?:a|the|this|that|such a|my|our) (?:SLUR ){1,2}(?!NAME|excuse |${PEOPLE} )[^\\s,.!?]+`,
    `SLUR (?:week|day|job|pot|pan|thing|time|shift|story|winter|rule|rota|sheet|mess|kitchen|idea|good|well|tired|hard)`,
    '(?:feel|felt|feeling) (?:so |really |very |like )*SLUR',
    'you look SLUR',
    `is (?:that|it|this) ${COLOUR}SLUR`,
  ],
  ABUSE,
);

const SHALL =
  '(?:will|am|are|am going to|are going to|am about to|shall|would|have to|will have to|might (?:just )?(?:have to )?|swear i will|swear i am going to|promise i will|had better|can|could)';
/** What one does to get even. Patterns see PUNISH in its place. */
const PUNISHMENTS =
  oneOf(`go (?:straight |right |directly )?to (?:the )?(?:hr|press|police|union|media|court|board|landlord|papers|ombudsman|council|your boss|your manager|her boss|a lawyer|my lawyer), go(?:ing)? (?:over|above) your head, go(?:ing)? public, go(?:ing)? above you,
  tak(?:e|ing) (?:this|it) (?:further|higher|to hr|to court|public|up with your \\S+|elsewhere), report(?:ing)? (?:you|this|it|them), sue, suing, call(?:ing)? (?:the )?(?:police|cops|hr|security|landlord|union|press|owner|a lawyer|my lawyer|your boss|your manager),
  tell(?:ing)? (?:the landlord|your boss|your manager|hr|everyone|everybody|PERSON|the others|on you|the police|the whole \\S+), (?:throw|throwing|put|chuck|dump|toss|kick)(?:ing)? (?:all |every one of |the rest of )?(?:your|you)(?: \\S+)? (?:out|on|in|away|into|onto|off)(?: the \\S+)?, (?:kick|vote|lock|chuck|throw|get|boot)(?:ing)? you out, have you (?:fired|sacked|removed|thrown|reported|evicted), have your (?:job|head),
  get you (?:fired|sacked|thrown|evicted), see you in court, complain to (?:hr|your \\S+|the \\S+), file a complaint, make (?:you pay|you regret|you sorry|your life \\S+|sure (?:you (?:never|pay|regret|lose|get (?:fired|nothing))|everyone|everybody|nobody|no one|they (?:know|hear|find|fire|hire))|it (?:hard|ugly|worse)), smash \\S+, break your \\S+, hurt you, ruin you, destroy you,
  kill you, hit you, slap you, burn (?:it|this|your) (?:down|all|stuff), expose you, post (?:this|it) (?:online|everywhere|on), leave a bad review, come after you, ask (?:the landlord|hr|your boss) to (?:throw|fire|kick|remove)(?: you)?, let (?:it all|everything|you) (?:burn|fall|collapse|fail), escalate, cut you off, stop (?:paying|cooking for you|covering for you|doing your \\S+)`);
/** What one does to be gone. Patterns see GO in its place. */
const LEAVINGS =
  oneOf(`leave, leaving, quit, quitting, walk(?! you| her| him| them| the| me| through| to), walking(?! you), resign, resigning, be gone, gone, be out, out(?= [.,!?]|$), out of here, off(?= [.,!?]|$), done(?= [.,!?]|$), done here, done with (?:you|this|it), finished here, through with (?:you|this), (?:be )?(?:at|with|off to) (?!PERSON|the|my|your|our|her|his|a|it|you|this|that|home|work|lunch|all|least|once|once|ten|noon|night|\\d)\\S+(?= [.,!?]|$| and| by),
  go(?:ing)? elsewhere, go somewhere else, go to (?:someone else|the competition|(?!PERSON|bed|sleep|work|school|the|a|an|her|him|them|my|our|your|you|see|be|do|get|have|ask|talk|say|try|make|help|take|write|tell|show|find)\\S+(?= [.,!?]|$| instead| and)), tak(?:e|ing) the (?:other )?(?:offer|job)(?: at \\S+)?, accept the (?:other )?offer, hand(?:ing)? in my \\S+, mov(?:e|ing) out, cancel, find (?:someone|somewhere|something) else, find another (?:job|boss|company|place|flatmate), look(?:ing)? elsewhere, start looking, looking for (?:another|something|a new) \\S+,
  stop (?:working|coming|cooking|cleaning|helping), never (?:come|work|speak|help|talk|cook|clean) (?:back|here|for|to|again), sign (?:with|at) (?:them|(?!PERSON)\\S+)(?= [.,!?]|$), walk(?:ing)? (?:away|out), pull out, drop everything`);
const HARM = '(?:PUNISH|GO)';
const OVER = '(?:out|over|fired|it|done|gone|finished|through|dead|history|toast|on your own|GO)';

export const THREAT = tonePattern(
  [
    'or else',
    'no [^\\s.,;:!?]+ , no [^\\s.,;:!?]+',
    `(?:have|see) no (?:other )?choice but to ${HARM}`,
    '(?:GO|leaves?|left|gives?) (?:me|us) no (?:other )?choice(?: but(?: to \\S+)?)?',
    'kiss (?:[^\\s.,;:!?]+ ){1,5}(?:goodbye|good bye|bye)',
    'your (?:stuff|things|pans?|clothes|bags) (?:goes|go|flies|fly|lands?|will be|will go|ends? up) (?:out|on|in|outside|away)',
    'you will be (?:looking for|out of|without) (?:a|another|your) (?:new )?\\S+',
    'keep (?:it|this|that) up and',
    'when you (?:get|are) (?:GO|thrown out|fired|sacked|kicked out|evicted)',
    'do not come (?:crying|running) (?:back )?to me',
    'or i (?:will )?(?:call|tell|phone|ring|inform) (?:him|her|them|the \\S+|someone|hr|PERSON)(?: myself)?',
    '(?:i|we) am PUNISH',
    'see what happens(?= [.,!?…]|$| then| when i)',
    `then (?:i|we) ${SHALL} ${upTo(2)}${HARM}`,
    'then (?:i|we) GO',
    'you should GO(?= [.,!?]|$)',
    'have my (?:notice|resignation)(?= [.,!?]|$| on| by| in)',
    'patience is (?:running out|wearing thin|at an end|over|nearly gone)',
    `(?:or|otherwise|else) (?:then )?(?:i|we) (?:${SHALL} )?${upTo(3)}${HARM}`,
    'or (?:i|we) (?:go|sign|am|are)(?= [.,!?]|$| for| at| and| out| now| today)',
    `or (?:you|he|she|it|that|this|we) (?:are|is|will be) ${OVER}`,
    'or (?:you|we) will (?:regret|lose|see|pay|be sorry|have a problem|both lose|never)',
    'or lose (?:me|us|him|her|this)',
    `or there (?:will be|is|are going to be) ${upTo(2)}(?:trouble|consequences|hell|a problem|no \\S+)`,
    'or face (?:the )?consequences',
    `(?:if|unless|until|once|when|should)(?: [^\\s.;!?]+){1,22}? (?:, )?(?:then )?(?:i|we) (?:${SHALL} )?${upTo(4)}${HARM}`,
    `(?:if|unless)(?: [^\\s.;!?]+){1,22}? (?:, )?(?:then )?(?:you|it|that|this|we) (?:are|is|will be) ${OVER}(?= [.,!?]|$| of| here)`,
    `(?:i|we) ${SHALL} ${upTo(4)}${HARM}(?: [^\\s.;!?]+){0,8}? (?:if|unless|or)(?! it| possible| that is| you (?:want|like))`,
    `(?:i|we) (?:will|am going to|are going to|swear i will|swear i am going to|promise i will|am about to|shall|can|could|have to|will have to|might have to) ${upTo(2)}PUNISH`,
    `(?:once more|one more (?:time|word|pan|pot|joke|excuse)|one more (?:[^\\s.,;:!?]+ ){1,3}(?:and|,)|again|next time|do that (?:once more|again))(?: ,)? (?:and )?(?:you are ${OVER}|i am (?:GO|moving|done)|we are done|i (?:will|am going to) \\S+)`,
    'you (?:will|are going to) (?:\\S+ )?(?:regret|be sorry|pay for|hear from|wish you|see what happens|find out|lose (?:me|your|everything|the))',
    'i am warning you',
    'i (?:have )?warn(?:ed)? you',
    'do not (?:make me (?!laugh|wait|feel|repeat|look|sound|smile|cry|happy)\\S+|test me|push me|mess with me|try me|tempt me)',
    '(?:last|final) (?:chance|warning|offer|time i (?:ask|say|tell))',
    'take it or (?:GO|leave) it',
    'or the highway',
    '(?:you will|expect to|be|are) (?:going to )?hear(?:ing)? from my (?:lawyer|solicitor|union)',
    'mark my words',
    'watch (?:yourself|your (?:back|step|mouth|tone))',
    'watch it(?= [.,!?]|$)',
    'you (?:had|would) better (?:watch|hurry|do|pay|give|sign|clean|fix|not|be)',
    'you do not want to (?:know|find out|mess|see|make me|cross)',
    '(?:let us|we will|i will) see (?:how|what) (?:you|happens|they) (?:[^\\s.,;:!?]+ ){0,8}?(?:without me|when i am GO|if i (?:GO|go)|then|alone)',
    '(?:good luck|have fun) (?:[^\\s.,;:!?]+ ){0,8}without me',
    '(?:you can|then you can|and you can|you may) (?:[^\\s.,;:!?]+ ){0,8}(?:without me|yourself(?= [.,!?]|$)|on your own|alone)',
    '(?:you can|go and|go|you had better|then) (?:look for|find) (?:yourself )?(?:someone else|somebody else|another|a new|some other)(?: \\S+)?',
    '(?:you can|you had better|then) (?:GO)(?: yourself)? ?(?:another|a new|else)?(?: \\S+)?(?= if| when| ,| [.!])',
    '(?:find|look for) (?:yourself )?(?:someone|somebody) else',
    'i know where you live',
    '(?:match|beat|top|meet) (?:it|that|them|this) or',
    'what happens to (?:people|those) who',
    'get (?:out|GO)(?: of (?:here|my \\S+|the (?:flat|kitchen|house|room)))?(?= [.!]|$| or)',
    'i will not be responsible for',
    'you have (?:until|till) \\S+(?: [^\\s.;!?]+){0,4} (?:or|to decide|then)',
    'either (?:i|you|we|this|it|that|things)(?: [^\\s.;!?]+){1,14}? or (?:i|you|we) (?:[^\\s.,;:!?]+ ){0,3}(?:GO|PUNISH|go|am out)',
    '(?:your|the) days (?:here )?are (?:numbered|over)',
    'i will remember this',
    'if i GO you (?:alone with|with|without|high and dry)',
  ],
  [
    '(?:not|never|nor) (?:[^\\s.,;:!?]+ ){0,4}(?:threat|threats|threaten|threatening|warning|ultimatum|blackmail)(?: [^\\s.;!?]+){0,12}',
    `(?:i|we) (?:will|would|am|are|do|did|can|could|have) (?:not|never) ${upTo(5)}(?:${HARM}|throw|sue|report)(?: \\S+)?`,
    'if you do not mind(?: [^\\s.;!?]+){0,10}',
    'if you (?:want|like|need|prefer|have time|would like|agree|can wait|give me|let me|are (?:too )?tired|wish)(?: [^\\s.;!?]+){0,12}',
    'watch out for',
    'you will (?:not|never) regret(?: \\S+)?',
    'if i GO (?:at|by|before|after|now|early|late|for)(?: [^\\s.;!?]+){0,8}',
    'last chance (?:i|to|we|before)',
    '(?:i|we) (?:would|will) (?:rather|much rather|love to|like to|prefer to|be happy to) (?:\\S+ )?(?:stay|not|help|keep|work|talk)(?: \\S+)?',
    '(?:i|we) (?:will|can|could|would) (?:\\S+ )?(?:find|look for) (?:another|some other|a new|a different|something) (?:way|time|day|option|solution|date|that (?:works|fits|suits))(?: \\S+)?',
    'find someone (?:who|to) (?:can |could )?(?:help|cover|fix|do|repair|look)',
    '(?:i would|i will|i|we would) (?:hate|be sad|be sorry|not like) (?:it )?if(?: [^\\s.;!?]+){0,6}',
    'GO (?:my|the) (?:plans?|meeting|shift|other)',
    'without me (?:asking|knowing|saying|having|being)',
    'you can (?:[^\\s.,;:!?]+ ){0,4}(?:check|look it up|see|verify|decide|do|read|pull)(?: [^\\s.;!?]+){0,4} (?:yourself|on your own)',
    'you can GO (?:it|the|that|your|early|at|when|now|for)(?: \\S+)?',
    '(?<!or )GO (?:at|by|before|after|early|late|for|it|you(?! (?:alone|high))|the|my|your|that|this|work)',
    'off (?:to bed|to work|on|at|from|days?)',
    'when (?:[^\\s.,;:!?]+ ){1,6}(?:left|GO|resigned|walked out)(?: \\S+)?',
    '(?:he|she|they|PERSON|someone|somebody|people) (?:[^\\s.,;:!?]+ ){0,3}(?:GO|left)(?: \\S+)?',
    'i can (?:GO|stop)(?: \\S+)?',
    'PUNISH (?:old |broken |empty )?(?:sponge|bins?|rubbish|trash)(?: \\S+)?',
    '(?:tell|telling|PUNISH) (?:about|that you (?:helped|did|were|are)) (?:\\S+)',
  ],
  [
    ['PUNISH', wordPattern(PUNISHMENTS)],
    ['GO', wordPattern(LEAVINGS)],
  ],
);
