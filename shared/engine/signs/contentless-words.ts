/**
 * Words that say nothing of the matter: function words, and those that every talk is full of. Taking one up is no sign of
 * having listened.
 */
export const CONTENTLESS: ReadonlySet<string> = new Set(
  `a about above across after afterwards again against ago all almost alone along already also although always am among an and another any anybody anyone anything anyway anywhere are around as at away
  back be became because become been before behind being below beside besides between beyond bit both but by came can come comes coming could did do does doing done down during each either else enough especially even ever every
  everybody everyone everything everywhere exactly few first for from further gave get gets getting give given gives giving go goes going gone good got great had hardly has have having he hello her here hers herself hey hi him himself his
  how however i if in indeed instead into is it its itself just keep keeps kept kind knew know known knows last later least less let lets like likely little look looked looking looks lot lots made make makes making many may maybe me
  mean means meant might mine more most much must my myself near nearly neither never next nice no nobody none nor not nothing now nowhere of off often oh okay old on once one ones only onto or other others our ours ourselves out over
  own part perhaps please point put quite rather really right said same saw say saying says see seem seems seen sense she should since so some somebody somehow someone something sometimes somewhere soon sorry sort still stuff such sure
  take takes taken taking talk tell than thank thanks that the their theirs them themselves then there therefore these they thing things think thinking this those though thought through thus to today together told too took toward towards
  true try trying two under understand unless until up upon us use used usually very want wanted wants was way ways we well went were what whatever when whenever where whether which while who whole whom whose why will with within without
  won would wouldn yeah yes yet you your yours yourself yourselves
  aber alle allem allen aller alles als also am an andere anderen auch auf aus bei beim bin bis bist da dabei dafür damit dann das dass dazu dein deine deinen dem den denn der des deshalb dich die dies diese dieser dieses dir doch dort du durch
  eben ein eine einem einen einer eines einfach er es etwas euch euer für ganz gar geht genau genug gerade gern gibt gut habe haben hast hat hatte hier ich ihm ihn ihnen ihr ihre ihren im immer in ins irgendwie ist ja jede jeden jeder jetzt
  kann kein keine keinen können machen macht mal man mehr mein meine meinen mich mir mit muss müssen nach nein nicht nichts noch nun nur ob oder ohne okay schon sehr sein seine sich sie sind so sogar soll sollte sonst um und uns unser unsere
  sagen sagt sage sagst gesagt weiß weißt wissen wäre wären hätte hätten hast hab wurde worden werde kommt kommen kam komme gehen gehe lassen lässt lasse steht bitte danke ach na tja halt bloß erst eins eure unserem unseren unserer ihrem ihren ihres seinem seinen deiner deines deinem mag magst möchte will willst wollte wollten kannst könnte könntest dürfen darf sollten einmal dies jedes jedem manchmal niemand keiner jemand vorhin beide beiden selbst selber dran davon darauf darüber dazu daran darum
  viel viele vielleicht vom von vor war waren warum was weil wenn wer werden wie wieder will wir wird wirklich wo wollen würde würden zu zum zur`
    .trim()
    .split(/\s+/),
);
