import type { MoodRules } from './mood-rules';

/** Whole words of German: the boundary of JavaScript knows no umlauts. */
const words = (source: string): RegExp => new RegExp(`(?<!\\p{L})(?:${source})(?!\\p{L})`, 'iu');

/** How a player comes across in German. */
export const GERMAN_MOOD: MoodRules = {
  hostile: [
    [
      'insult',
      words(
        'idiot\\p{L}*|vollidiot|trottel|depp\\p{L}*|dumm\\p{L}{0,2}|blöd(?:er?|es)? (?:kerl|kuh|sau|mensch)|faulpelz|faul(?:er|e|es)? (?:sack|sau|kind|kerl)|du bist (?:so |echt |einfach )?(?:faul|dumm|unfähig|egoistisch|kindisch|lächerlich|erbärmlich)|lügner\\p{L}*|erbärmlich|arschloch|egoist\\p{L}*|versager\\p{L}*|nutzlos|unfähig|halt die klappe|halt den mund|halten sie den mund|verschwinde|hau ab|verpiss dich|ich hasse dich|was stimmt (?:eigentlich )?nicht mit (?:dir|ihnen)|in ruhe',
      ),
    ],
    [
      'ultimatum',
      words(
        'sonst (?:kündige|gehe|ziehe|melde|fliegst|zieh|geh) \\p{L}+|oder ich (?:kündige|gehe|ziehe aus|bin weg)|letzte (?:chance|warnung)|(?:das|es) wirst du (?:noch )?bereuen|ich verlange|zieh (?:doch )?aus|ich kündige|mir reicht es jetzt|entweder \\p{L}+ (?:\\p{L}+ ){0,6}oder',
      ),
    ],
    [
      'accusing',
      words(
        'deine schuld|wie kannst du es wagen|was fällt (?:dir|ihnen) ein|wie üblich|lächerlich|unverschämt|schwachsinn|quatsch|dir ist (?:doch )?alles egal|interessiert mich nicht|mir (?:doch )?(?:völlig )?egal|die berühmten|sehr großzügig',
      ),
    ],
    [
      'generalising',
      words(
        'du (?:\\p{L}+ ){0,3}(?:immer|nie|niemals|ständig|dauernd)|(?:immer|nie|ständig) \\p{L}+ du|kein einziges mal|typisch du',
      ),
    ],
  ],
  constructive: [
    [
      'acknowledging',
      words(
        'verstehe|ich höre|das sehe ich|ich sehe|ergibt sinn|danke|dankbar|klingt (?:hart|anstrengend|schwer)|guter punkt|(?:du hast|sie haben|da hast du) recht|kann ich mir vorstellen|zu schätzen|stimmt',
      ),
    ],
    [
      'own_part',
      words(
        'mein (?:fehler|anteil|teil)|meine schuld|ich hätte (?:\\p{L}+ ){0,5}(?:sollen|müssen)|tut mir leid|entschuldig\\p{L}*|liegt an mir|auf meine kappe|nicht gefragt',
      ),
    ],
    [
      'proposal',
      words(
        "was,? wenn|wie wäre es|wie wär's|könnten wir|können wir|wollen wir|lass uns|ich (?:schlage vor|würde vorschlagen|könnte|hätte gern|würde gern)|am liebsten|wärst du bereit|machen wir|wir könnten|nächster schritt|dafür (?:mache|nehme|übernehme) ich|ich (?:mache|übernehme|nehme) \\p{L}+",
      ),
    ],
    ['question', /\?|^(?:was|wie|wann|wer|wo|warum|wieso|welche[rsn]?|erzähl)(?!\p{L})/imu],
    [
      'specific',
      new RegExp(
        `\\d|${words('weil|zum beispiel|genauer gesagt|gestern|seit (?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|gestern)|(?:letzte|vorige)[rsn]? (?:woche|monat|mal)|ich (?:fühle|brauche|wünsche|habe gesehen|mache mir sorgen)|montags?|dienstags?|mittwochs?|donnerstags?|freitags?|samstags?|sonntags?|prozent|stunden?|wochen?|um (?:sieben|acht|neun|zehn|zwölf)').source}`,
        'iu',
      ),
    ],
  ],
};
