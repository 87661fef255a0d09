import type { CheckVerdict, Debrief, DebriefDimension, Turn } from '@parley/shared/contracts';

interface PlacedVerdict {
  readonly key: string;
  readonly verdict: CheckVerdict;
  readonly isFault: boolean;
}

/** A check that was met, or a fault that happened. */
export interface Proof {
  readonly key: string;
  /** What the check asks for. */
  readonly text: string;
  readonly isFault: boolean;
}

/** UTF-16 offsets into the text of a line. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** A piece of a line of the player that proves checks or faults. */
export interface EvidenceMark extends Span {
  /** Of the element on the page. */
  readonly id: string;
  readonly proves: readonly Proof[];
}

export interface EvidenceMarks {
  /** Marks of a turn in the order of its text; none overlap. */
  readonly ofTurn: ReadonlyMap<number, readonly EvidenceMark[]>;
  /** Id of the mark by the key of what it proves. */
  readonly idOf: ReadonlyMap<string, string>;
}

/** What tells a check or a fault of a debrief from all others: ids are the dimension's own. */
export const verdictKey = (dimension: string, verdict: string, isFault: boolean): string =>
  `${dimension} ${isFault ? 'fault' : 'check'} ${verdict}`;

const ofDimension = ({ id, checks = [], faults = [] }: DebriefDimension): PlacedVerdict[] => [
  ...checks.map((verdict) => ({ key: verdictKey(id, verdict.id, false), verdict, isFault: false })),
  ...faults.map((verdict) => ({ key: verdictKey(id, verdict.id, true), verdict, isFault: true })),
];

export const allVerdicts = ({ dimensions }: Pick<Debrief, 'dimensions'>): PlacedVerdict[] =>
  dimensions.flatMap(ofDimension);

/** Marks for what was found in one text, in its order. What overlaps shares a mark. */
export function marksIn(
  text: string,
  found: readonly (Span & { readonly proof: Proof })[],
  idOf: (start: number) => string,
): EvidenceMark[] {
  const marks: EvidenceMark[] = [];
  const inText = found
    .map((one) => ({ ...one, end: Math.min(one.end, text.length) }))
    .filter(({ start, end }) => start < end)
    .sort((one, other) => one.start - other.start);
  for (const { start, end, proof } of inText) {
    const last = marks.at(-1);
    if (last !== undefined && start < last.end)
      marks[marks.length - 1] = { ...last, end: Math.max(last.end, end), proves: [...last.proves, proof] };
    else marks.push({ id: idOf(start), start, end, proves: [proof] });
  }
  return marks;
}

/** Where in the lines of the player the evidence stands. */
export function evidenceMarks(debrief: Pick<Debrief, 'dimensions'>, turns: readonly Turn[]): EvidenceMarks {
  const proven = allVerdicts(debrief).flatMap(({ key, verdict, isFault }) =>
    verdict.verdict === 'met' && verdict.evidence !== null
      ? [{ turn: verdict.turn, ...verdict.evidence, proof: { key, text: verdict.text, isFault } }]
      : [],
  );
  const ofTurn = new Map<number, EvidenceMark[]>();
  for (const { index, role, text } of turns) {
    if (role !== 'player' || text === null) continue;
    const found = proven.filter(({ turn }) => turn === index);
    const marks = marksIn(text, found, (start) => `evidence-${index}-${start}`);
    if (marks.length > 0) ofTurn.set(index, marks);
  }
  const idOf = new Map([...ofTurn.values()].flat().flatMap(({ id, proves }) => proves.map(({ key }) => [key, id])));
  return { ofTurn, idOf };
}
