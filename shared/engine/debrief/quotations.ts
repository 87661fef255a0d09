/** Everything between marks that mean a quotation and nothing else, also where the closing one is missing. */
const MARKED = [
  /[“„]([^“”„]+)(?:[”“]|$)/gu,
  /”([^“”„]+)”/gu,
  /‚([^‚‘’]{3,})[‘’]/gu,
  /「([^「」]+)(?:」|$)/gu,
  /『([^『』]+)(?:』|$)/gu,
  /"([^"]+)"/g,
  /(?<!\p{L})[‘']([^‘’']{3,}(?:[’'](?=\p{L})[^‘’']+)*)[’'](?!\p{L})/gu,
];
/** Angled marks point outwards or inwards; which of the two, the first one in a text tells. */
const ANGLED = [
  { first: /[«»]/, outwards: /«([^«»]+)(?:»|$)/gu, inwards: /»([^«»]+)[«»]/gu },
  { first: /[‹›]/, outwards: /‹([^‹›]+)(?:›|$)/gu, inwards: /›([^‹›]+)[‹›]/gu },
];

/** What stands in quotation marks in a text, whatever marks its language uses. */
export function quotationsIn(text: string): string[] {
  const angled = ANGLED.flatMap(({ first, outwards, inwards }) => {
    const mark = first.exec(text)?.[0];
    if (mark === undefined) return [];
    return mark === '«' || mark === '‹' ? [outwards] : [inwards];
  });
  return [...MARKED, ...angled].flatMap((marks) => [...text.matchAll(marks)].map((match) => match[1] ?? ''));
}

/** Whether a quotation that began in a text does not end in it. */
export function hasOpenQuotation(text: string): boolean {
  const count = (marks: RegExp): number => text.match(marks)?.length ?? 0;
  // After a low mark the raised one that opens elsewhere closes.
  const curly = text.includes('„') ? count(/„/g) > count(/[“”]/g) : count(/“/g) > count(/”/g);
  const raised = !/[“„]/.test(text) && count(/”/g) % 2 === 1;
  const angled = text.indexOf('»') >= 0 && !(text.indexOf('«') >= 0 && text.indexOf('«') < text.indexOf('»'));
  const guillemets = angled ? count(/[«»]/g) % 2 === 1 : count(/«/g) > count(/»/g);
  return curly || raised || guillemets || count(/"/g) % 2 === 1 || count(/[「『]/g) > count(/[」』]/g);
}
