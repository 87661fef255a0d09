/** Everything between marks that mean a quotation and nothing else, also where the closing one is missing. */
const MARKED = [
  /[“„]([^“”„]+)(?:[”“]|$)/gu,
  /”([^“”„]+)”/gu,
  /‚([^‚‘’]{3,})[‘’]/gu,
  /「([^「」]+)(?:」|$)/gu,
  /『([^『』]+)(?:』|$)/gu,
  /"([^"]+)"/g,
];
/** Angled marks point outwards or inwards; which of the two, the first one in a text tells. */
const ANGLED = [
  { first: /[«»]/, outwards: /«([^«»]+)(?:»|$)/gu, inwards: /»([^«»]+)[«»]/gu },
  { first: /[‹›]/, outwards: /‹([^‹›]+)(?:›|$)/gu, inwards: /›([^‹›]+)[‹›]/gu },
];

const ANY_MARK = /["'‘’‚“”„«»‹›「」『』]/;

/** What stands in quotation marks in a text, whatever marks its language uses. */
export function quotationsIn(text: string): string[] {
  // Most sentences quote nobody.
  if (!ANY_MARK.test(text)) return [];
  const angled = ANGLED.flatMap(({ first, outwards, inwards }) => {
    const mark = first.exec(text)?.[0];
    if (mark === undefined) return [];
    return mark === '«' || mark === '‹' ? [outwards] : [inwards];
  });
  const marked = [...MARKED, ...angled].flatMap((marks) => [...text.matchAll(marks)].map((match) => match[1] ?? ''));
  return [...marked, ...betweenSingleMarks(text)];
}

const SINGLE_MARKS = /[‘’']/g;
const MIN_SINGLE_LENGTH = 3;

/**
 * Between single marks, which are apostrophes as well: one between letters is part of what is quoted, and one after a
 * letter opens nothing.
 */
function betweenSingleMarks(text: string): string[] {
  const marks = [...text.matchAll(SINGLE_MARKS)].map(({ 0: mark, index }) => ({
    index,
    opens: mark !== '’' && !/\p{L}$/u.test(text.slice(Math.max(0, index - 2), index)),
    // A mark that opens only ends what could have been a quotation before it.
    stops: mark === '‘',
    closes: mark !== '‘' && !/^\p{L}/u.test(text.slice(index + 1, index + 3)),
  }));
  const quotations: string[] = [];
  let end = 0;
  for (let at = 0; at < marks.length; at += 1) {
    const start = marks[at];
    if (!start?.opens) continue;
    end = Math.max(end, at + 1);
    while (end < marks.length && !marks[end]?.stops && !marks[end]?.closes) end += 1;
    const close = marks[end];
    const next = marks[at + 1];
    if (!close?.closes || next === undefined) continue;
    if ([...text.slice(start.index + 1, next.index)].length < MIN_SINGLE_LENGTH) continue;
    quotations.push(text.slice(start.index + 1, close.index));
    at = end;
  }
  return quotations;
}

/** Counts the quotation marks of a text that comes in pieces, and says whether one of its quotations is still open. */
export class QuotationMarks {
  private readonly counts = new Map<string, number>();
  private firstAngled: string | null = null;

  add(text: string): this {
    for (const [mark] of text.matchAll(/[“”„«»"「」『』]/g)) {
      this.counts.set(mark, this.count(mark) + 1);
      if (mark === '«' || mark === '»') this.firstAngled ??= mark;
    }
    return this;
  }

  get areOpen(): boolean {
    const [low, left, right] = [this.count('„'), this.count('“'), this.count('”')];
    // After a low mark the raised one that opens elsewhere closes.
    const curly = low > 0 ? low > left + right : left > right;
    const raised = low + left === 0 && right % 2 === 1;
    const [outwards, inwards] = [this.count('«'), this.count('»')];
    const guillemets = this.firstAngled === '»' ? (outwards + inwards) % 2 === 1 : outwards > inwards;
    const corners = this.count('「') + this.count('『') > this.count('」') + this.count('』');
    return curly || raised || guillemets || this.count('"') % 2 === 1 || corners;
  }

  private count(mark: string): number {
    return this.counts.get(mark) ?? 0;
  }
}

/** Whether a quotation that began in a text does not end in it. */
export const hasOpenQuotation = (text: string): boolean => new QuotationMarks().add(text).areOpen;
