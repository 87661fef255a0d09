import type { CheckVerdict, Debrief, DebriefDimension, Turn } from '@parley/shared/contracts';

interface PlacedVerdict {
  readonly key: string;
  readonly verdict: CheckVerdict;
  readonly isFault: boolean;
}

/** A piece of a line of the player that proves checks or faults. */
export interface EvidenceMark {
  /** Of the element in the transcript. */
  readonly id: string;
  /** UTF-16 offsets into the text of the turn. */
  readonly start: number;
  readonly end: number;
  readonly proves: readonly PlacedVerdict[];
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

/** Where in the lines of the player the evidence stands. Evidence that overlaps shares a mark. */
export function evidenceMarks(debrief: Pick<Debrief, 'dimensions'>, turns: readonly Turn[]): EvidenceMarks {
  const ofTurn = new Map<number, EvidenceMark[]>();
  const idOf = new Map<string, string>();
  const found = allVerdicts(debrief)
    .flatMap((one) => {
      const { evidence, turn, verdict } = one.verdict;
      const text = turns.find(({ index, role }) => index === turn && role === 'player')?.text;
      if (verdict !== 'met' || evidence === null || turn === null || text == null) return [];
      const end = Math.min(evidence.end, text.length);
      return evidence.start < end ? [{ one, turn, start: evidence.start, end }] : [];
    })
    .sort((one, other) => one.start - other.start);
  for (const { one, turn, start, end } of found) {
    const marks = ofTurn.get(turn) ?? [];
    ofTurn.set(turn, marks);
    const last = marks.at(-1);
    const merged =
      last !== undefined && start < last.end
        ? { ...last, end: Math.max(last.end, end), proves: [...last.proves, one] }
        : { id: `evidence-${turn}-${start}`, start, end, proves: [one] };
    marks.splice(merged.id === last?.id ? -1 : marks.length, 1, merged);
    idOf.set(one.key, merged.id);
  }
  return { ofTurn, idOf };
}
