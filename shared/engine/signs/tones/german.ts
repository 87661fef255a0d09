import type { SignTone } from '@parley/shared/contracts';
import { wordPattern, type NamedPattern } from '../token-text';
import { tonePattern, type TonePattern } from './pattern';

/** Words of the same clause, with the blank behind each. */
const upTo = (most: number): string => `(?:[^\\s.,;:!?]+ ){0,${most}}?`;
const ENDS = '(?= [.,;:!?…]|$| [.!?…]+)';

const APOLOGY = tonePattern(
  [
    'entschuldigung',
    'entschuldige(?:n sie)?',
    'entschuldigt',
    'sorry',
    'verzeih(?:ung|en sie)?',
    `tut(?:'s| es)? mir ${upTo(4)}leid`,
    `bitte (?:dich |sie |euch )?um (?:entschuldigung|verzeihung|nachsicht)`,
    `ich (?:möchte|will|wollte|muss|würde) mich ${upTo(4)}entschuldigen`,
    'mein fehler(?= [.,!?]|$)',
    `(?:ich nehme? das|das nehme? ich|nehme? ich) ${upTo(1)}zurück`,
    `ich bereue ${upTo(3)}\\S+`,
    `(?:das war |war |so war das )?(?:nicht so|anders|nicht böse) gemeint`,
    `wollte (?:dich|sie|dir) (?:damit |wirklich )?nicht (?:verletzen|angreifen|kränken|anfahren|überfahren|überfallen|unter druck setzen|zu nahe treten)`,
  ],
  [
    'tut mir leid ,? ?(?:aber (?:du|das|nein|so|ich)|dass du|wenn du|für dich|um dich)(?: \\S+)?',
    `(?:nicht|kein bisschen|nie) ${upTo(3)}leid`,
    `(?:du|er|sie|ihr|man|keiner|niemand) ${upTo(4)}(?:entschuldigen|entschuldigung|entschuldigst|leid)`,
    `(?:keine|deine|ihre|eine|auf) ${upTo(1)}entschuldigung`,
    '(?:es|das alles|alles) (?:\\S+ )?leid',
    '(?:nicht|auch nicht) mein fehler',
    '(?:entschuldige|entschuldigen) (?:dich|sie sich)(?: \\S+)?',
    '(?:entschuldigung|sorry|verzeihung) [?]',
    'sorry ,? ?(?:aber (?:du|das|nein)|not sorry)(?: \\S+)?',
    'sorry , (?:was|wie)(?: \\S+)?',
  ],
);

const THANKS = tonePattern(
  [
    'danke(?:schön)?',
    '(?:vielen|herzlichen|besten|tausend) dank',
    `ich danke (?:dir|ihnen|euch)`,
    `(?:bin|wäre) (?:ich )?(?:dir|ihnen|euch) ${upTo(2)}dankbar`,
    `ich bin ${upTo(3)}dankbar`,
    `(?:weiß|wissen) ${upTo(5)}zu schätzen`,
    `(?:das )?ist ${upTo(2)}(?:nett|lieb|freundlich|großzügig|anständig) von (?:dir|ihnen|euch)`,
    `(?:schön|gut|froh) , dass du (?:es |mir |das |so |ehrlich ){0,3}(?:sagst|erzählst|gesagt hast|erzählt hast|fragst|da bist)`,
  ],
  [
    'nein ,? ?danke',
    'danke ,? ?(?:nein|für nichts|auch|aber nein)(?: \\S+)?',
    'na (?:vielen |schönen )?(?:dank|danke)',
    'gott sei dank',
    `(?:niemand|keiner|nie|kein|keinen|ohne|nicht) ${upTo(4)}(?:danke|dank|dankbar|zu schätzen)`,
    '(?:toll|super|klasse|na toll|großartig) ,? ?danke',
    `(?:du|ihr|man) ${upTo(3)}(?:danke|dankbar)`,
  ],
);

const HEDGE = tonePattern(
  [
    'vielleicht',
    'eventuell',
    'irgendwie',
    'möglicherweise',
    'ein (?:bisschen|wenig)',
    'sozusagen',
    'quasi',
    'wahrscheinlich',
    'ich (?:glaube|denke|schätze|vermute|meine)(?! an| dass du| nicht)',
    '(?:glaube|denke|schätze|vermute) ich',
    'ich weiß (?:auch )?nicht (?:so recht|genau|recht|ob)',
    'keine ahnung',
    '(?:könnte|kann|mag) (?:ja |schon )?sein',
    'nur so (?:ein gedanke|eine idee|als idee)',
    'ich wollte (?:ja )?(?:nur|bloß)(?: mal)?',
    '(?:will|möchte) (?:dich |sie )?(?:wirklich )?nicht (?:stören|drängen|nerven)',
    `(?:wenn|falls) es ${upTo(3)}(?:nichts ausmacht|keine umstände macht|nicht zu viel ist|okay ist|recht ist)`,
    'oder so(?: was| ähnlich)?(?= [.,!?]|$)',
    'unter umständen',
  ],
  [
    '(?:kein|nicht ein) bisschen',
    '(?:was|wie|warum|wer|wo) (?:glaube|denke|vermute) ich',
    `(?:du|ihr|sie) (?:\\S+ )?(?:glaubst|denkst|vielleicht)`,
    'nicht vielleicht',
  ],
);

const ABSOLUTE = tonePattern(
  [
    'immer',
    'nie',
    'niemals',
    'ständig',
    'dauernd',
    'andauernd',
    'jedes (?:einzelne |verdammte )?mal',
    'kein einziges mal',
    'nicht ein(?: einziges)? mal',
    'die ganze zeit',
    'rund um die uhr',
    'nie im leben',
    'auf (?:gar )?keinen fall',
    'unter keinen umständen',
    '(?:alle|jeder|keiner|niemand) (?:hier|außer mir|sonst)',
  ],
  [
    'immer (?:noch|wieder|mehr|besser|weniger|gern|gerne|öfter|wenn|dann|mal)',
    'noch (?:immer|nie)',
    '(?:wie|für|nicht|auch) immer',
    'nie (?:mehr|wieder) ?(?:so|darüber)?',
    '(?:was|wer|wo|wie|wann) (?:auch )?immer',
    'die ganze zeit über',
  ],
);

const NAMES_OF_ABUSE = `idiot idioten vollidiot trottel depp arschloch arsch faulpelz sau drecksau schwein dreckschwein penner versager loser lügner heuchler egoist spinner blödmann dummkopf schmarotzer parasit memme feigling heulsuse kleinkind nichtsnutz
  wichser hurensohn miststück zicke psycho niete taugenichts waschlappen fettsack schnorrer dummchen trampel ekel mistkerl dreckskerl schlampe blödian volldepp messie asi`;
const SLURS = `faul dumm blöd doof bescheuert unfähig erbärmlich lächerlich widerlich ekelhaft armselig nutzlos wertlos verlogen egoistisch rücksichtslos kindisch verwöhnt hirnlos asozial feige schlampig dreckig bekloppt dämlich unmöglich unerträglich mies`;
const ABUSE: readonly NamedPattern[] = [
  ['NAME', wordPattern(NAMES_OF_ABUSE.trim().split(/\s+/).join('|'))],
  ['SLUR', wordPattern(`(?:${SLURS.trim().split(/\s+/).join('|')})(?:e[nrsm]?|er|st)?`)],
];
const COLOUR =
  '(?:(?:so|echt|einfach|wirklich|total|nur|doch|ja|ein|eine|einer|der|die|das|dieser|ziemlich|unglaublich|dermaßen|sowas von|so was von|halt|eben|bloß|nichts als|viel zu|zu|wie|selber|selbst|verdammter|verdammte|kleiner|kleine|alter|alte|großer) ){0,5}';
const NAME =
  '(?:NAME|SLUR (?:kind|kerl|mensch|person|typ|mitbewohner|mitbewohnerin|chef|chefin)|verwöhntes (?:kind|gör)|kleines kind|platzverschwendung)';

const INSULT = tonePattern(
  [
    `(?:du|sie) (?:bist|sind|warst|wirst|benimmst dich|verhältst dich|führst dich auf) ${COLOUR}(?:SLUR ){0,2}(?:${NAME}|SLUR)`,
    `(?:bist|sind|warst) (?:du|sie) ${COLOUR}(?:${NAME}|SLUR)`,
    `du ${COLOUR}(?:SLUR ){0,2}${NAME}`,
    `du SLUR(?: , \\S+){0,2} [^\\s.,;:!?]+${ENDS}`,
    `(?:so|was für|was bist du für|typisch) (?:ein |eine )?(?:SLUR )?${NAME}`,
    `(?<=[,.!?;:] |^ )(?:SLUR ){0,2}${NAME}${ENDS}`,
    'halt (?:die klappe|den mund|die fresse|den rand|die schnauze|endlich den mund)',
    '(?:fick|verpiss) dich',
    'leck mich',
    '(?:was|wer) (?:zum teufel|zur hölle) (?:ist|stimmt|glaubst|glauben|bildest|bilden) (?:\\S+ ){0,3}(?:dir|ihnen|du|sie)',
    '(?:hau|zieh) (?:ab|leine)(?= [.,!?]|$)',
    'scher dich \\S+',
    'geh (?:doch )?(?:zum teufel|sterben)',
    `du (?:kotzt|ekelst|widerst) mich an`,
    'du hast (?:sie )?(?:wohl )?nicht (?:mehr )?alle',
    `du (?:spinnst|hast einen knall|hast einen an der waffel|tickst nicht (?:mehr )?richtig)`,
    'ich (?:hasse|verachte) (?:dich|sie)',
    'niemand (?:mag|erträgt|will) dich',
  ],
  [
    `(?:du|sie) (?:bist|sind|warst) ${upTo(2)}(?:kein|keine|nicht|nie|niemals) ${upTo(3)}(?:${NAME}|SLUR)`,
    `ich ${upTo(4)}(?:${NAME}|SLUR)`,
    `(?:bin|war|komme|fühle) ich (?:mir )?${upTo(4)}(?:${NAME}|SLUR)`,
    `(?:nicht|kein|keine|nie) ${upTo(3)}(?:${NAME}|SLUR)`,
    `ich (?:sage|meine|denke|finde|behaupte) nicht , (?:dass )?du(?: [^\\s.!?]+){0,6}`,
    `(?:das|es|die \\S+|der \\S+) (?:ist|war|wäre) ${upTo(3)}SLUR`,
  ],
  ABUSE,
);

const THREAT = tonePattern(
  [
    `sonst ,? ?(?:ziehe?|gehe?|kündige?|melde?|rufe?|sage?|erzähle?|schmeiße?|werfe?|suche?) (?:ich|wir)`,
    'sonst (?:fliegst|kannst|musst|wirst) du',
    'sonst (?:passiert|knallt|kracht) \\S+',
    `oder (?:ich (?:gehe?|kündige?|ziehe? aus|bin weg)|du (?:fliegst|gehst|ziehst aus|kannst (?:gehen|ausziehen)))`,
    `(?:das|es) (?:wirst du|wird dir) (?:noch )?(?:bereuen|leidtun)`,
    `(?:wirst|werden) (?:du|sie) (?:das|es|noch) ${upTo(2)}bereuen`,
    `du wirst (?:es|das) ${upTo(2)}bereuen`,
    '(?:deine|ihre|die) letzte (?:warnung|chance)',
    'ich warne (?:dich|sie)',
    `ich (?:mache?|mach) (?:dich|dir) ${upTo(3)}(?:fertig|heiß|schwer)`,
    `(?:zeige?|melde?|verklage?) (?:ich )?(?:dich|sie) ${upTo(2)}(?:an|bei)`,
    'wage? es (?:ja )?nicht',
    `dann (?:fliegst du|kannst du (?:ausziehen|gehen|deine sachen packen)|werfe? ich dich raus|zieh aus)`,
  ],
  [`(?:nicht|keine|nie) ${upTo(3)}(?:drohung|warnung|drohen)`, 'du warnst'],
);

const BLAME = tonePattern(
  [
    `(?:du bist|bist du) ${upTo(3)}schuld`,
    `(?:ist|war|sind|bleibt) ${upTo(3)}(?:deine schuld|dein fehler|dein problem)`,
    'deine schuld',
    '(?:nur )?wegen dir',
    'deinetwegen',
    `du hast ${upTo(6)}(?:kaputtgemacht|kaputt gemacht|ruiniert|versaut|verbockt|vermasselt|vergeigt|verdorben)`,
    `du lässt ${upTo(6)}(?:stehen|liegen|vergammeln|verrotten|verschimmeln|hängen|allein|sitzen)`,
    `wie konntest du ${upTo(3)}\\S+`,
    `(?:schäm dich|du solltest dich schämen)`,
    `was (?:ist|stimmt) ${upTo(3)}(?:los |nicht )?mit dir`,
    `warum (?:kannst|hast|machst|schaffst) du ${upTo(5)}(?:nicht|nie)(?: [^\\s.,;:!?]+)?`,
    `(?:kümmerst|interessierst) du dich ${upTo(3)}(?:nicht|nie|einen dreck)`,
  ],
  [
    `(?:nicht|nie|keine|weder) ${upTo(3)}(?:deine schuld|dein fehler|dein problem|schuld|wegen dir|deinetwegen)`,
    `ich (?:gebe|geb|will|möchte) dir ${upTo(3)}(?:nicht|keine) ${upTo(3)}\\S+`,
    '(?:froh|hier|geblieben|gern|lieb) (?:\\S+ )?wegen dir',
  ],
);

const YOU_STATEMENT = tonePattern(
  [
    `du ${upTo(4)}(?:immer|nie|niemals|ständig|dauernd|andauernd)`,
    `(?:immer|nie|niemals|ständig|dauernd|jedes mal) ${upTo(2)}du`,
    `du (?:kümmerst dich|interessierst dich|denkst|machst|tust|hilfst|spülst|räumst|putzt|wäschst|hältst dich|rührst) ${upTo(5)}(?:nicht|nichts|kaum|überhaupt|keinen finger|nur an dich|nur für dich)`,
    `dir ist ${upTo(5)}egal`,
    `(?:ist|sind) dir ${upTo(5)}egal`,
    `du (?:denkst|interessierst dich) ${upTo(3)}nur (?:an|für) dich`,
    `du (?:glaubst|denkst|meinst|hältst dich) wohl`,
    `du (?:kannst|schaffst) ${upTo(4)}(?:nicht mal|nicht einmal)`,
    `du (?:drückst|redest) dich ${upTo(4)}(?:raus|drum|rum|heraus)`,
    'typisch (?:du|PERSON)',
    `du (?:musst|solltest|könntest|kannst) (?:jetzt |mal |auch )?(?:endlich|gefälligst)`,
    'du machst es dir (?:\\S+ )?(?:leicht|bequem|einfach)',
  ],
  [
    'immer (?:noch|wieder|gern|gerne)',
    'noch (?:nie|immer)',
    `du (?:musst|brauchst|kannst) ${upTo(3)}(?:nicht|nie|nichts|immer)`,
    'ich (?:sage|meine|denke|finde|behaupte) nicht(?: [^\\s.!?]+){0,8}',
    `(?:wenn|dass|ob|falls|weil|was|wie|wo|wann) du ${upTo(6)}(?:nicht|nichts|kaum|überhaupt|immer|nie)`,
    'du (?:bist|warst) (?:\\S+ )?immer (?:willkommen|da|für)',
  ],
);

const OWN_PART = tonePattern(
  [
    `(?:das |es )?(?:war|ist) ${upTo(3)}(?:mein fehler|meine schuld|auch meine schuld|mein anteil)`,
    `(?:war|ist) ${upTo(3)}(?:unfair|nicht fair|blöd|dumm|falsch|nicht okay|nicht in ordnung|nicht nett|nicht richtig|daneben|bevormundend|ungeschickt|feige) von mir`,
    '(?:mein fehler|mein anteil|mein teil)',
    'meine schuld',
    `ich hätte ${upTo(9)}(?:fragen|sagen|reden|sprechen|melden|warten|zuhören|ansprechen|vorher|früher|kommen|erzählen|anders)(?: (?:sollen|müssen|können|machen sollen))?`,
    `hätte ich ${upTo(9)}(?:fragen|sagen|reden|sprechen|melden|warten|zuhören|ansprechen|erzählen) (?:sollen|müssen|können)`,
    `(?:ich habe?|habe? ich) ${upTo(9)}(?:nicht gefragt|nie gefragt|ohne zu fragen|ohne dich zu fragen|falsch gemacht|verbockt|übertrieben|versäumt|übersehen|übergangen|überrumpelt)`,
    `(?:da |hier )?(?:habe|hab) ich ${upTo(4)}(?:einen fehler|mist|unrecht|überreagiert)(?: \\S+)?`,
    `ich (?:lag|war|bin) ${upTo(3)}(?:falsch|unfair|ungerecht|schuld|zu hart|zu schnell|bevormundend)`,
    `(?:geht|nehme? ich|nehm ich) ${upTo(2)}auf (?:meine kappe|mich)`,
    'ich habe? mich geirrt',
    '(?:ohne dich zu|ohne zu|nie|nicht vorher) (?:fragen|gefragt)',
  ],
  [
    `(?:nicht|nie|keine|kein) ${upTo(2)}(?:mein fehler|meine schuld|mein anteil|mein teil|schuld)`,
    `ich (?:bin|war) ${upTo(3)}(?:nicht|nie) ${upTo(3)}(?:schuld|unfair|falsch)`,
    'ich hätte (?:es |das )?(?:so )?(?:gern|gerne|lieber)(?: [^\\s.!?]+){0,10}',
  ],
);

/** Tones of German. Shouting is read from capitals and marks in any language. */
export const GERMAN_TONES: Readonly<Record<Exclude<SignTone, 'shouting'>, TonePattern>> = {
  apology: APOLOGY,
  thanks: THANKS,
  hedge: HEDGE,
  absolute: ABSOLUTE,
  blame: BLAME,
  insult: INSULT,
  threat: THREAT,
  you_statement: YOU_STATEMENT,
  own_part: OWN_PART,
};
