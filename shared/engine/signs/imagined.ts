import { sentenceAt, type LineParts } from './line-parts';
import { rangesOf, wordPattern } from './token-text';

const ASKED =
  '(?:asked|ask|asking|said|say|told|tell|demanded|demand|wanted|want|requested|request|named|name|came|come|walked|walk|threw|throw|put|insisted|insist|went)';
const SLIGHT = '(?:(?:had|were|was|ever|just|simply|now|then|really|to|even|actually|did|should|only) ){0,3}';

/** What is only thought out begins here and goes on to the end of its sentence, or to a contrast. */
const SUPPOSED = wordPattern(
  [
    `if (?:i|someone|somebody|anyone|anybody|one|people) ${SLIGHT}${ASKED}`,
    `(?:suppose|supposing|imagine|pretend|assuming|assume) (?:that )?(?:i|someone|somebody) ${SLIGHT}${ASKED}`,
    `(?:had|were) i (?:to )?${ASKED}`,
    '(?:could|would|should|might) have (?:asked|said|gone|named|demanded|wanted|put)',
    `wenn ich (?:\\S+ ){0,6}(?:sagen|fordern|verlangen) würde`,
  ].join('|'),
);
/** Said and taken back in one sentence: I could ask for 53,000, but I won't. */
const TAKEN_BACK = wordPattern(
  `(?:i (?:could|might)|i was (?:going|about) to) (?:${ASKED}|go for)(?: \\S+){1,20}? (?:but|though|and you)`,
);
/** Where one of these stands, the sentence is no plain statement. */
const NOT_MEANT = wordPattern(
  'in (?:my|your) dreams|dream on|yeah right|a pony|(?:while|whilst) (?:we|you) are at it|pigs (?:might|may|can|could) fly|(?:just|only) (?:kidding|joking)|i am joking|jk|why not (?:a )?million',
);
const CONTRAST = /^(?:but|however|still|anyway|aber|doch)$/;

/** Which tokens belong to something that is imagined, taken back or meant as a joke and not said in earnest. */
export function imaginedTokens(parts: LineParts): boolean[] {
  const { tokens } = parts;
  const imagined = tokens.map(() => false);
  for (const { from } of rangesOf(parts.tokenText, SUPPOSED)) {
    const end = sentenceAt(parts, from)?.to ?? from;
    for (let index = from; index < end && !imagined[index]; index += 1) {
      if (CONTRAST.test(tokens[index]?.text ?? '')) break;
      imagined[index] = true;
    }
  }
  for (const { from, to } of rangesOf(parts.tokenText, TAKEN_BACK)) imagined.fill(true, from, to);
  for (const { from } of rangesOf(parts.tokenText, NOT_MEANT)) {
    const sentence = sentenceAt(parts, from);
    if (sentence !== undefined && !imagined[from]) imagined.fill(true, sentence.from, sentence.to);
  }
  return imagined;
}
