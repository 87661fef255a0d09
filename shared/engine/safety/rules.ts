import { GERMAN_GLOBAL_RULES } from './german-rules';
import { rule, type SafetyRule } from './safety-rule';

// All patterns read the normal form (lower case, plain apostrophes). Gaps are bounded, so that matching stays linear.
const GAP = '[^.!?;]{0,40}';
const I = "(?:i|i'm|im|i've|ive|i'd|i'll|me)";
const MYSELF = '(?:myself|my self|my (?:own )?life)';
const MINOR =
  '(?:child(?:ren)?|kids?|minors|(?:a|the|with|underage) minor(?! (?:issue|change|point|role|detail|problem|delay|thing|fix|bug|injury|matter|edit|update|error))|underaged?|pre-?teens?|teen(?:ager)?s?|schoolgirls?|schoolboys?|school (?:girl|boy)s?|toddlers?|infants?|little (?:girl|boy)s?|young (?:girl|boy)s?|(?:1[0-7]|[1-9]|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen)[ -]?(?:years?[ -]?olds?|y\\/?o))';
const SEXUAL =
  '(?:sex|sexual(?:ly)?|sexy|nudes?|naked|porn\\w*|erotic\\w*|horny|seduc\\w+|make out|making out|ma(?:kes|de) out with|hook(?:ing)? up|blowjobs?|fuck\\w*|grop\\w+|fondl\\w+|lingerie|turned on|strip(?:ping)?|romantic(?:ally)?|in bed with)';

/** Global rules of English. */
const ENGLISH_GLOBAL_RULES: SafetyRule[] = [
  rule(
    'self_harm_crisis',
    [
      `\\b(?:kill|killing|hang|hanging|shoot|shooting|drown|drowning|harm|harming|hurt|hurting|cut|cutting|burn|burning|starve|starving) ${MYSELF}\\b`,
      `\\b(?:end|ending|take|taking) (?:my (?:own )?life|it all)\\b`,
      `\\b${I}\\b ?(?:am |feel |feeling |'ve been |have been |was |get |so |really |very )*suicidal\\b`,
      `\\b(?:commit|committing|attempt(?:ed|ing)?|consider(?:ed|ing)?|contemplat(?:e|ed|ing)|think(?:ing)? (?:about|of)|thoughts? (?:about|of)|plan(?:ning)?) (?:my )?suicide\\b`,
      `\\bsuicidal thoughts\\b`,
      `\\bi(?:'m|'d)? (?:\\w+ ){0,2}(?:want|wanna|wish|rather|ready|going|plan|deserve) (?:to )?(?:die|be dead|i (?:was|were) dead|not be alive|never wake up)\\b`,
      `\\bi (?:don't|dont|do not|no longer|can't|cannot|never) (?:want to |wanna |wish to )?(?:live|be alive|exist|go on living|wake up)(?: any ?more| any longer| like this)\\b`,
      `\\bi (?:don't|dont|do not|no longer) (?:want to|wanna) (?:live|be alive|exist)\\b`,
      `\\b(?:better off|world (?:is|would be) better) (?:dead|without me)\\b`,
      `\\b(?:no|any) (?:reason|point) (?:to|in) (?:live|living|be alive|being alive)\\b`,
      `\\bself[ -]?harm(?:ing|ed)?\\b`,
      `\\b(?:i|going to|gonna|want to|took|take) (?:an )?overdos\\w*\\b|\\boverdose on (?:my )?(?:pills|meds|medication)\\b`,
      `\\b(?:wants?|wanted|going|tried|trying|threatens?|threatening) to (?:kill|hurt|harm) (?:him|her|them)sel(?:f|ves)\\b`,
      `\\bjump(?:ing)? off (?:a|the) (?:bridge|roof|building)\\b`,
      `\\bslit(?:ting)? my wrists?\\b`,
    ].join('|'),
    [
      'kill(?:ing)? myself (?:laughing|with laughter|over (?:this|the|a) \\w+|at the gym|to (?:finish|meet|get))',
      '(?:cut(?:ting)?|hurt(?:ing)?|burn(?:ing)?) myself (?:off|short|out of|some slack|a (?:slice|piece|break)|shaving|cooking|in the kitchen|at the gym|running|playing|lifting|on (?:the|a|my) (?:paper|knife|glass|stove|oven|pan|kettle|edge|door|iron)|slack|while (?:cooking|shaving|training|ironing))',
      'shoot(?:ing)? myself in the foot',
      'hang(?:ing)? myself out',
      '(?:want|wanted|going) to die (?:of|from|laughing|when|with) ?(?:embarrassment|shame|boredom|laughter|curiosity|laughing|when)?',
      '(?:political|career|commercial|professional|social) suicide',
      'commit(?:ting)? (?:career|political|commercial|professional|social) suicide',
      '(?:live|exist|go on) (?:any ?more|any longer|like this) (?:in|with|without) (?:this|that|the|my|a) (?:flat|house|city|town|office|job|mess|noise|phone|coffee|car)',
      "(?:don't|dont|do not) want to live (?:in|with|near|next|here|there|together|alone|abroad|on the)",
      'jump(?:ing)? off (?:a|the) (?:bridge|roof|building) (?:with|on) (?:a )?(?:bungee|parachute|rope)',
      'self[ -]?harm (?:policy|training|prevention|leaflet|awareness)',
      'suicide (?:squad|prevention|awareness|door)s?',
      'wake up (?:any ?more|any longer) (?:early|before|at)',
    ].join('|'),
  ),
  rule(
    'minors_romantic_or_sexual',
    [
      `\\b${SEXUAL}\\b${GAP}\\b${MINOR}\\b`,
      `\\b${MINOR}\\b${GAP}\\b${SEXUAL}\\b`,
      `\\b(?:kiss(?:ed|ing)?|dat(?:e|ed|ing)|flirt(?:ing)? with|girlfriend is|boyfriend is)\\b (?:(?:a|an|the|this|that|my|her|his|is|only|just|with|some|another) ){0,3}${MINOR}\\b`,
      `\\b(?:you(?:'re| are)|you play|pretend (?:to be|you(?:'re| are))|as) (?:a |only |just )?(?:1[0-7]|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen)\\b${GAP}\\b(?:${SEXUAL}|kiss|flirt|date)\\b`,
      `\\b(?:jailbait|lolicon|lolita|shotacon|age ?play|child porn\\w*|kiddie porn)\\b`,
    ].join('|'),
    [
      'sex(?:ual)? ed(?:ucation)?(?: class| lessons?)?',
      'sexual health',
      'naked (?:eye|truth|flame|statues?)',
      "(?:same|opposite|either|biological|baby's|child's) sex",
      'sex of (?:the|her|his|our|their) (?:baby|child)',
      'strip(?:ping)? (?:the |off the )?(?:paint|wallpaper|bed|beds|mall|light|club sandwich|cartoon)',
      'comic strips?',
      'date night',
      'kiss(?:ed|es|ing)? (?:my|our|the|his|her|their) (?:kids?|child(?:ren)?|toddlers?|little (?:girl|boy)) (?:good ?night|goodbye|bye|on the (?:cheek|forehead))',
      'romantic (?:comed\\w+|novels?|era|period|poets?|painters?)',
    ].join('|'),
  ),
];

/** Global rules: no policy can loosen them. A text may be in either language, whatever the session's is. */
export const GLOBAL_RULES: SafetyRule[] = [...ENGLISH_GLOBAL_RULES, ...GERMAN_GLOBAL_RULES];

const ASKS =
  "(?:how (?:do|can|could|would|should|to)\\b(?: (?:i|we|you|one|they))?|how (?:i|we|one|you) (?:can|could|would|should)|(?:tell|show|teach|explain|help)(?: to)? (?:me|us)(?: how)?(?: to)?|(?:steps?|instructions?|recipe|guide|plan|way|ways) (?:to|for)|where (?:can|do|could) (?:i|we)|i (?:want|need|plan|am going|'m going) to|i'm going to|i'm gonna|let's|let us|we (?:could|should|can)|could you|can you|you (?:could|should)|walk me through(?: how to)?)";

/** Rules that count where the pack's policy names their category. */
export const POLICY_RULES: SafetyRule[] = [
  rule(
    'criminal_instruction',
    [
      `\\b${ASKS}${GAP}\\b(?:(?:make|build|assemble|set off|detonate|plant) (?:an? |some |the )?(?:pipe )?(?:bombs?|explosives?|molotov\\w*|grenades?|silencers?|ghost guns?|guns?|nerve agent\\w*|weapons?))\\b`,
      `\\b${ASKS}${GAP}\\b(?:cook|make|synthesi[sz]e|grow|deal|sell|smuggle|buy|get) (?:some |the |a bit of )?(?:crystal )?(?:meth|heroin|cocaine|crack|fentanyl|lsd|mdma|ecstasy|illegal drugs|hard drugs)\\b`,
      `\\b${ASKS}${GAP}\\b(?:launder(?:ing)? (?:the |some |this |dirty )?(?:money|cash|funds)|(?:forge|fake|falsify|counterfeit) (?:an? |the |some |my |his |her |their |your )*(?:passport|id|id card|signature|invoice|invoices|receipts?|document|documents|money|cheque|prescription|certificate|payslips?|references?))\\b`,
      `\\b${ASKS}${GAP}\\b(?:hack|break|get) into (?:an? |the |my |his |her |their |your |someone's )?(?:\\w+(?:'s)? )?(?:account|accounts|email|phone|computer|server|bank|house|flat|car|office|safe|wifi|network)\\b`,
      `\\b${ASKS}${GAP}\\b(?:steal|shoplift|hotwire|rob|burgle|mug|embezzle|blackmail|extort|kidnap|poison|bribe)\\b`,
      `\\b${ASKS}${GAP}\\b(?:evade|cheat on|dodge) (?:my |our |the |paying )?tax(?:es)?\\b`,
      `\\b(?:hire|find|pay) (?:me )?(?:a )?(?:hit ?man|contract killer|assassin)\\b`,
      `\\b${ASKS}${GAP}\\b(?:get away with (?:murder|it if i kill)|hide (?:a|the) body|dispose of (?:a|the) (?:body|corpse)|(?:kill|murder) (?:my|him|her|someone|a person|the)\\b)`,
      `\\b${ASKS}${GAP}\\b(?:credit card numbers|stolen (?:cards?|goods|phones?|identity)|identity theft|phishing (?:mail|email|page|site))\\b`,
    ].join('|'),
    [
      'steal(?:s|ing)? (?:the show|a (?:moment|minute|glance|look|kiss|few minutes)|your (?:idea|chair|pen|thunder|time|seat|lunch)|(?:a minute|five minutes) of)',
      'rob(?:bing)? (?:peter|you of|me of|us of|him of|her of)',
      '(?:kill|murder) (?:the (?:process|lights?|engine|mood|noise|meeting|project|bug|job|server|time|task|music|switch|feature|weeds?|buzz)|time|(?:him|her|someone) (?:at|in) (?:chess|cards|tennis|darts)|my (?:time|mood|back|plants?|darlings?|evening|weekend))',
      'get into (?:the |your |my )?(?:office|car|house|flat|network) (?:early|late|at|by|before|with my|with the key|now|today|tomorrow|this)',
      'break into (?:a (?:smile|run|sweat|song)|the (?:market|industry|field))',
      'get away with murder',
      'bribe (?:the )?(?:kids|children|dog|cat|my (?:kids|children|son|daughter)|you with (?:cake|coffee|chocolate|biscuits|cookies))',
      '(?:make|get|buy) crack(?:ers|ing)?(?= (?:jokes|on))',
      'glue guns?|nerf guns?|water guns?|nail guns?|staple guns?|bath bombs?',
      'help me (?:to )?(?:report|prevent|stop|avoid|detect|spot|recognise|recognize)[^.!?;]{0,60}',
      'how (?:do|can|to|should)(?: we| i| you)? (?:report|prevent|stop|avoid|detect|spot|recognise|recognize|protect)[^.!?;]{0,60}',
    ].join('|'),
  ),
  rule(
    'harassment_extreme',
    [
      `\\b(?:i(?:'ll| will|'m going to| am going to|'m gonna| want to|'d love to)|we(?:'ll| will|'re going to)|someone (?:should|will)|gonna) (?:just |really |fucking |find you and |come (?:over )?and |come to your house and )*(?:kill|murder|hurt|stab|shoot|beat|strangle|choke|rape|destroy|break|smash|punch|hit|slap) (?:the shit out of |the hell out of )?(?:you|your (?:face|head|legs?|neck|skull|family|kids|teeth|jaw))\\b`,
      `\\b(?:go )?(?:kill|hang|shoot) yourself\\b`,
      `\\bi know where you live\\b`,
      `\\b(?:hope|wish) you(?:'d| would)? (?:die|get cancer|get raped|drop dead|burn)\\b`,
      `\\b(?:drop dead|go die)\\b`,
      `\\byou (?:deserve|need) to (?:die|be (?:shot|killed|raped|beaten))\\b`,
      `\\b(?:you(?: people)?|your (?:kind|people)|people like you|(?:all )?(?:women|immigrants|foreigners|muslims|jews|blacks|gays|christians)) (?:should|must|deserve to|ought to) (?:all )?be (?:shot|killed|exterminated|gassed|deported|beaten|wiped out|put down)\\b`,
      `\\byou(?:'re| are)? (?:a |an |such a |nothing but a )?(?:\\w+ )?(?:worthless|subhuman|vermin|filthy (?:\\w+)|piece of shit|stupid bitch|fucking (?:bitch|cunt|idiot|moron|retard)|retard|whore|slut|cunt)\\b`,
      `\\b(?:watch your back|you(?:'ll| will) (?:regret|be sorry) (?:being born|you were born))\\b`,
      `\\b(?:burn|blow up) (?:down )?your (?:house|home|car|shop|office)\\b`,
    ].join('|'),
    [
      '(?:kill|destroy|murder|beat|hit|smash|break) you (?:at|in|with) (?:chess|tennis|cards|darts|poker|squash|ping[ -]?pong|scrabble|the (?:game|race|quiz|finals?|pitch|news|numbers|bill|invoice|question)|this (?:game|round)|a (?:question|number|call))',
      '(?:hit|beat|shoot|slap) you (?:up|to it|back|an? (?:email|message|text|note|mail|line)|there|with (?:an?|the|my|some) (?:\\w+ )?(?:question|idea|number|update|bill|offer|proposal))',
      'break your (?:heart|streak|record|concentration|flow)',
      'drop dead (?:gorgeous|date|deadline|monday|tuesday|wednesday|thursday|friday)',
      'hurt your (?:feelings|chances|case|pride)|hurt you (?:like that|by|with what|when i)',
      '(?:i )?(?:will |would |do )?(?:not|never|no longer) (?:want to |going to |wanted to )?(?:hurt|hit|break|slap|beat) (?:you|your)',
      "(?:don't|dont|didn't|won't|never) (?:want|mean|meant|wish|wanted) to (?:hurt|hit|break|destroy) (?:you|your)",
    ].join('|'),
  ),
  rule(
    'nsfw_sexual_content',
    [
      `\\b(?:have|having|want|wanna|had) sex with (?:you|me|him|her|them)\\b|\\blet's have sex\\b|\\bsex (?:with me|chat|tape|scene|toys?)\\b|\\bwant(?: to have)? sex\\b`,
      `\\b(?:fuck me|fuck you (?:hard|all night|in)|suck my|lick my|blow ?jobs?|hand ?jobs?|cum(?:ming)? (?:on|in)|orgasm\\w*|masturbat\\w*|jerk(?:ing)? off|horny|threesome|deepthroat|anal sex|oral sex)\\b`,
      `\\b(?:show|send|see) (?:me )?(?:your |some |a )?(?:nudes?|tits|boobs|breasts|dick|cock|pussy|naked|ass|bare)\\b`,
      `\\b(?:take (?:off|down) your (?:clothes|shirt|dress|pants|bra|top|underwear)|get naked|undress for|strip for|i want to undress)\\b`,
      `\\b(?:write|describe|tell)${GAP}(?:erotic|porn\\w*|sexually explicit|sex scene|steamy sex)\\b`,
      `\\b(?:you make me|you turn me|you're turning me|i'm so) (?:on|wet|hard for you|horny)\\b`,
      `\\bsleep with me\\b|\\bcome to (?:my )?bed with me\\b`,
    ].join('|'),
    [
      'sleep with me(?:dical)?(?:,| )(?: ?my| ?the)? ?(?:dog|cat|baby) ',
      'see (?:the )?(?:naked truth|bare (?:minimum|facts|bones))',
      'show me (?:the |your )?bare (?:minimum|bones)',
      "let's see (?:some|a) breasts? of chicken",
    ].join('|'),
  ),
  rule(
    'violence_graphic',
    [
      `\\b(?:describe|tell|show|write|paint|imagine|picture)${GAP}\\b(?:gore|gory|tortur\\w+|dismember\\w*|behead\\w*|decapitat\\w*|disembowel\\w*|mutilat\\w*|guts (?:spill|hang)\\w*|skinned alive|flay\\w*|blood (?:spray|gush|spurt)\\w*)\\b`,
      `\\b(?:i(?:'ll| will| want to|'d like to|'m going to)) (?:\\w+ )?(?:dismember|behead|decapitate|disembowel|mutilate|skin|torture|gut) (?:you|him|her|them|someone)\\b`,
      `\\b(?:cut|tear|rip|saw|gouge) (?:off |out )?(?:his|her|your|their) (?:head|arms?|legs?|guts|throat|eyes|fingers)(?: off| out)?\\b`,
    ].join('|'),
    [
      '(?:tear|rip) (?:his|her|your|their) (?:head|eyes?) off (?:in|for) (?:the|a) (?:meeting|review)',
      '\\btortur\\w+ (?:meeting|wait|slide|commute|form|process)\\w*',
    ].join('|'),
  ),
  rule(
    'real_person_impersonation',
    [
      `\\bimpersonat(?:e|ing) (?:\\w+ ){0,3}\\w+`,
      `\\b(?:pretend(?:ing)? (?:to be|you(?:'re| are))|act(?:ing)? (?:as|like)|talk(?:ing)? (?:as|like)|speak(?:ing)? (?:as|like)|answer as|respond as|reply as|role ?-?play as|play|be|you are now|you're now|from now on you(?:'re| are)) (?:the (?:real|actual) |a real |president |prime minister |ceo |king |queen |pope )*(?:elon musk|donald trump|trump|joe biden|biden|barack obama|obama|vladimir putin|putin|taylor swift|beyonce|king charles|angela merkel|emmanuel macron|macron|bill gates|mark zuckerberg|jeff bezos|oprah(?: winfrey)?|kim kardashian|kanye(?: west)?|the pope|pope francis|tom cruise|lionel messi|cristiano ronaldo|greta thunberg|xi jinping|volodymyr zelensky|zelensky|boris johnson|keir starmer)\\b`,
      `\\b(?:pretend(?:ing)? (?:to be|you(?:'re| are))|act(?:ing)? as|speak(?:ing)? as|answer as|play) (?:a |the |some |my )?(?:real (?:person|celebrity|politician)|celebrity|famous (?:person|actor|actress|singer|politician)|current president|prime minister|my (?:actual|real) (?:boss|ex|neighbou?r|teacher))\\b`,
    ].join('|'),
    [
      'impersonat(?:e|ing) (?:a (?:duck|robot|teapot|penguin)|an? \\w+ accent)',
      '\\bimpersonat\\w+ (?:fraud|scam)\\w*',
      '(?:someone|scammers?|a caller|he|she|they) (?:was|were|is|are|has been|had been|tried|trying)? ?(?:to )?impersonat\\w+[^.!?;]{0,40}',
    ].join('|'),
  ),
  rule(
    'voice_cloning_request',
    [
      `\\b(?:clone|cloning|copy|replicate|imitate|deep ?fake|synthesi[sz]e|mimic|recreate|fake|reproduce) (?:(?:my|his|her|your|their|the|a|an|this|that) )?(?:[\\w']+ ){0,3}voices?\\b`,
      `\\bvoice[ -]?clon(?:e|ing)\\b|\\bdeep ?fake (?:audio|voice|call|recording)\\b`,
      `\\b(?:train|make|create|generate) (?:a |an )?(?:\\w+ )?(?:voice model|voice copy|copy|recording) of (?:my|his|her|their|your|the) (?:[\\w']+ )?voice\\b`,
    ].join('|'),
    [
      '(?:copy|fake|imitate|mimic) (?:the |a |your |his |her )?(?:tone of|brand|active|passive|calm|customer) voice',
      "(?:copy|imitate|mimic) (?:the )?brand(?:'s)? voice",
    ].join('|'),
  ),
  rule(
    'medical_or_therapy_claim',
    [
      `\\b(?:what|which|how (?:much|many)|right|correct|safe) (?:\\w+ )?(?:dose|dosage|mg|milligrams|pills|tablets)\\b${GAP}\\b(?:take|should|can|of|for|give|do)\\b`,
      `\\bshould i (?:take|stop taking|start taking|increase|double|skip|come off|mix)\\b${GAP}\\b(?:medication|meds|pills?|antidepressants?|insulin|tablets?|antibiotics|ibuprofen|aspirin|paracetamol|sertraline|xanax|statins?|dose)\\b`,
      `\\b(?:diagnose|prescribe|treat|cure) (?:me|my (?:\\w+ )?(?:depression|anxiety|adhd|pain|rash|illness|symptoms?|condition|headaches?|insomnia|cancer))\\b`,
      `\\b(?:do|could|might|can) (?:you think )?i (?:have|be) (?:got )?(?:depression|depressed|adhd|autism|autistic|bipolar|ocd|ptsd|cancer|diabetes|an? (?:anxiety|personality|eating) disorder|asthma|dementia)\\b`,
      `\\bam i (?:depressed|bipolar|autistic|having a heart attack|a narcissist|an alcoholic)\\b`,
      `\\b(?:be|act as|you(?:'re| are)(?: now)?) my (?:therapist|psychologist|psychiatrist|doctor|counsell?or)\\b`,
      `\\b(?:are you|you(?:'re| are)) (?:a |an )?(?:real|licensed|qualified|trained) (?:doctor|therapist|psychologist|nurse|counsell?or)\\b`,
      `\\bgive me (?:\\w+ )?(?:medical advice|therapy|a diagnosis|a prescription)\\b`,
      `\\bis (?:this|it|that) (?:lump|rash|mole|pain|symptom)\\b${GAP}\\b(?:cancer|serious|dangerous|normal)\\b`,
      `\\bwhat (?:medicine|medication|drug|pills?) should i (?:take|use)\\b`,
    ].join('|'),
    [
      'dose of (?:reality|humou?r|luck|patience|common sense)',
      'how much dose',
      'cure my (?:boredom|curiosity|hunger)',
      'treat me (?:like|with|fairly|well|better|badly|as|to|differently|unfairly|the same)',
      'treat me(?=[.!?,]|$)',
    ].join('|'),
  ),
  rule(
    'legal_claim',
    [
      `\\b(?:can|should|could|may|how (?:do|can|would)) i (?:sue|press charges|take (?:you|them|him|her|my \\w+) to court|file a (?:lawsuit|claim against))\\b`,
      `\\bis (?:it|this|that) (?:actually |really |even )?(?:il)?legal (?:to|for|if|that|under|in)\\b|\\bis (?:it|this|that) against the law\\b`,
      `\\b(?:do|would) i have (?:a |any |good )?(?:legal (?:case|claim|grounds)|case against|grounds (?:to sue|for a (?:lawsuit|claim)))\\b`,
      `\\b(?:give|offer) me (?:\\w+ )?legal advice\\b|\\bas my (?:lawyer|attorney|solicitor)\\b|\\bbe my (?:lawyer|attorney|solicitor)\\b`,
      `\\bwhat (?:does|would) the law say\\b|\\bwhat are my legal (?:rights|options)\\b`,
      `\\b(?:will|could|can) i (?:go to (?:jail|prison)|be (?:prosecuted|sued|arrested)|get (?:arrested|sued))\\b`,
      `\\b(?:draft|write) (?:me |us )?(?:a |the |my )?(?:lawsuit|legal (?:claim|complaint|notice)|cease and desist|will and testament)\\b`,
      `\\bhow (?:much|long) (?:\\w+ )?(?:compensation|damages|prison time|in prison)\\b${GAP}\\b(?:get|claim|win)\\b`,
    ].join('|'),
  ),
];

/** Older names of categories that published policies still use. */
export const CATEGORY_ALIASES: Record<string, string[]> = {
  nsfw_sexual_content: ['nsfw_sexual'],
  criminal_instruction: ['instructional_criminal'],
  medical_or_therapy_claim: ['medical_professional_advice'],
  self_harm_crisis: ['crisis_content'],
};
