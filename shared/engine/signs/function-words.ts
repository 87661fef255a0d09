/** The words that hold sentences together. A text with few of them is a list of keywords and no sentence. */
export const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  `a about after all an and any are as at be been before being but by can could did do does for from had has have he her here him his how i if in into is it its just let me more my no not of off on one or our out over she should so some than that the their
  them then there these they this those to too up us was we were what when where which while who whose why will with would you your am im here's yourself myself now also very much still only because since until may might must shall get got
  aber als am an auch auf aus bei bin bis da das dass dem den der des die doch du ein eine einem einen einer er es für habe haben hat hatte ich ihm ihn ihr ihre im in ist ja kann kein keine können man mein meine mich mir mit muss nach nicht noch
  dich dir dein deine deinen deinem deiner euch uns unsere unserem unseren mal jetzt dann auch wäre hätte hast bist seid ihnen alles etwas wo hier dort hin bitte eben halt denn seit ohne gegen durch zwischen diese dieser dieses diesen jede jeder jedes jeden will willst möchte kannst würdest könntest könnte sollte wollte sondern wirklich gern gerne ganz okay danke
  nur ob oder schon sein sich sie sind so um und uns unser vom von vor war was weil wenn wer werden wie wir wird zu zum zur würde`
    .trim()
    .split(/\s+/),
);
