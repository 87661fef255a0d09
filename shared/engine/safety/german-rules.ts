import { rule, type SafetyRule } from './safety-rule';

const GAP = '[^.!?;]{0,40}';
/** Up to so many words, with the blank behind each. */
const upTo = (most: number): string => `(?:[^\\s.,;:!?]+ ){0,${most}}`;
const MINOR =
  '(?:kind(?:ern?|es)?|minderjahrig\\w*|(?:kleine\\w*|junge\\w*|schul) ?madchen|kleine\\w* jung\\w+|schuler(?:in|innen)?|teenager\\w*|kleinkind\\w*|(?:1[0-7]|[1-9]|zehn|elf|zwolf|dreizehn|vierzehn|funfzehn|sechzehn|siebzehn) ?-?jahrig\\w*)';
const SEXUAL =
  '(?:sex|sexuell\\w*|nackt|nackte[mnrs]?|nacktbild\\w*|nacktfoto\\w*|porno\\w*|erotisch\\w*|geil\\w*|fick\\w*|befummel\\w*|begrapsch\\w*|romantisch\\w*|verfuhr\\w+|im bett mit|knutsch\\w+)';
const LETHAL = '(?:umbringen|umzubringen|toten|zu toten|erhangen|aufhangen|erschie(?:ss|ß)en|vergiften|ritzen)';

/** Global rules of German: the same categories as those of English. Words are without accents. */
export const GERMAN_GLOBAL_RULES: SafetyRule[] = [
  rule(
    'self_harm_crisis',
    [
      `\\b(?:ich|will|mochte|wollte|werde) ${upTo(4)}mich ${upTo(2)}${LETHAL}\\b`,
      `\\b(?:ich bringe?|bringe? ich) mich ${upTo(3)}um\\b`,
      `\\bmir ${upTo(2)}das leben (?:zu )?nehmen\\b|\\bnehme? (?:ich )?mir ${upTo(2)}das leben\\b`,
      `\\b(?:mir|meinem leben) ${upTo(2)}(?:ein ende (?:setzen|machen|bereiten)|etwas antun|was antun|die pulsadern)\\b`,
      `\\bich (?:will|mochte|mag|kann|wollte) ${upTo(3)}nicht mehr ${upTo(2)}(?:leben|weiterleben|aufwachen)\\b`,
      `\\bich (?:will|mochte|wollte) ${upTo(3)}(?:sterben|tot sein)\\b`,
      `\\b(?:ich ware|ware ich) ${upTo(3)}tot\\b`,
      `\\b(?:keinen|kein) (?:sinn|grund) ${upTo(3)}(?:zu leben|am leben|weiterzuleben)\\b`,
      `\\bohne mich ${upTo(2)}besser dran\\b${GAP}\\b(?:tot|leben|welt)\\b|\\bdie welt ${upTo(4)}besser ohne mich\\b`,
      '\\b(?:suizidgedanken|selbstmordgedanken|suizidal)\\b',
      `\\b(?:denke|dachte|nachgedacht|gedanken|plane|begehe|begehen|versucht?) ${upTo(4)}(?:suizid|selbstmord)\\b|\\b(?:suizid|selbstmord) (?:zu )?(?:begehen|machen|nachgedacht|versuchen|versucht)\\b`,
      `\\b(?:ritze|verletze|schneide) (?:ich )?mich ${upTo(2)}(?:selbst|selber|absichtlich|wieder|regelma(?:ss|ß)ig)\\b|\\b(?:ich|mich) ${upTo(3)}(?:selbst|selber) (?:verletzen|verletzt|zu verletzen)\\b`,
      `\\b(?:ich|mich) ${upTo(4)}(?:von (?:der|einer) brucke|vom (?:dach|hochhaus|balkon)|vor (?:den|einen) zug) ${upTo(1)}(?:springen|sturzen|werfen|schmei(?:ss|ß)en|legen)\\b|\\bspringe (?:ich )?(?:von (?:der|einer) brucke|vom (?:dach|hochhaus|balkon))\\b`,
      `\\b(?:ich|mir) ${upTo(4)}uberdosis\\b`,
      `\\b(?:er|sie) ${upTo(3)}sich ${upTo(2)}(?:umbringen|das leben nehmen)\\b`,
    ].join('|'),
    [
      '(?:sterben|tot) (?:vor|aus) (?:scham|lachen|langeweile|neugier|hunger|durst|peinlichkeit|angst)',
      `vor (?:scham|lachen|langeweile|neugier|hunger|durst|peinlichkeit) ${upTo(2)}(?:sterben|tot|umbringen)`,
      `nicht mehr (?:hier|dort|mit (?:dir|ihm|ihr|euch|ihnen)|zusammen|bei (?:dir|ihm|ihr|euch|meinen eltern)|in (?:der|dieser|dem|diesem|so einer) \\w+|so) ${upTo(2)}leben`,
      '\\b(?:politische|berufliche|soziale)[mnrs]? (?:suizid|selbstmord)(?: (?:begehen|zu begehen))?',
      'selbstmordkommando|suizidpravention',
      `schneide mich ${upTo(3)}(?:beim|am|an|in den finger)`,
      'bungee ?-?(?:jumping|springen|sprung)',
    ].join('|'),
  ),
  rule(
    'minors_romantic_or_sexual',
    [
      `\\b${SEXUAL}\\b${GAP}\\b${MINOR}\\b`,
      `\\b${MINOR}\\b${GAP}\\b${SEXUAL}\\b`,
      `\\b(?:kusse?|kusst|kussen|flirte?n?|schlafe?n? mit|date) ${upTo(3)}(?:minderjahrig\\w*|schuler(?:in|innen)|(?:1[0-7]|[1-9]|zwolf|dreizehn|vierzehn|funfzehn) ?-?jahrig\\w*)\\b`,
      '\\bkinderporno\\w*\\b',
    ].join('|'),
    [
      'sexualkunde\\w*|sexualerziehung|aufklarungsunterricht',
      '\\bnackte[mnrs]? (?:wahrheit|zahlen|tatsachen|kanonen|fakten|panik|angst|wand)',
      `(?:kind|kinder|kindern) ${upTo(2)}(?:ins|im|zu) bett`,
      '\\bromantische[mnrs]? (?:komodie\\w*|film\\w*|roman\\w*)',
    ].join('|'),
  ),
];
