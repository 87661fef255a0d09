/** Size of the texts that a function must get through, in bytes of UTF-8. */
const BYTES = 64 * 1024;
/** What such a text may cost, in milliseconds of the processor. */
const LIMIT_MS = 50;
/** On a machine that is slower than that: what four times the text may cost at most, in times. A square would cost sixteen. */
const QUADRUPLED = 10;
/** Whatever the machine: nothing linear takes as long as this. */
const FAR_TOO_LONG_MS = 2_000;
/** How often a text and its half are measured before it counts as slow. */
const ROUNDS = 8;

/** One text over and over, between a beginning and an end that lets expressions fail late. */
export interface HostileText {
  readonly unit: string;
  readonly before?: string;
  readonly after?: string;
}

const units = [
  // White space and line breaks.
  ' ', '\t', '\n', '\r', '\r\n', ' \n', '\n ', '\u00a0', '\u2028', '\u3000', '\ufeff', 'a ', 'word ', 'a\n',
  // JSON and its damage.
  '{', '}', '{}', '[', '"', '\\', '\\"', '\\\\', '{"a":', '{"npc_utterance":"', '{"a":"b"}', '","', '\\u', '":', '"a', '"a" ', '[1,',
  // Chat templates, fences, headings, cues and our own marks.
  '<', '>', '<|', '<|im_start|>', '<think>', '</think>', '<s>', '[INST]', '[', '`', '```', '```\n', '#', '# ', '\n#', '## 4 SCENE\n',
  '<TEXT ', '<END ', '<TEXT a>\n', 'PLAYER_UTTERANCE\n', 'NPC_', 'a:', ':', ': ', 'a: \n', '*', '**', '**a**: ', 'system:\n',
  // Sentences, quotations, numbers and references.
  '.', '. ', '!', 'a.', 'a. ', 'a! ', '…', '-', '=', '- ', "'", "'a", "'aa.", "'aa b", '‘', '’a', '“', '”', '"a. ', '“a. ', '„', '»', '«a. ', '「',
  '1', '12 ', '1-', '1, ', '1. ', 'turn 1 ', 'turn 1, ', '(turn 1 ', '(', ')', '(a', '第1', 'turns',
  // Letters that normal forms make longer, marks, joiners, pictures, halves of pairs, controls.
  'a', 'A', 'aaa', 'a-', 'a.b', 'a*', 'é', 'e\u0301', '\u0301', '\u200d', 'a\u200d', '\ufdfa', 'ﬃ', '字', 'ب', '😀', '\ud83d', '\u0000', '\u001b[', '\u{e0041}',
  // Words that rules look for.
  'i ', 'me ', 'do ', 'tell us ', 'how to ', 'i am ', "i'm ", 'turn', 'tortur', 'impersonat', 'young ', '1 year old ', 'yo-1', 'a the ', 'very ', 'my ',
] as const; // prettier-ignore

/** What people, models, packs and broken servers send, grown without measure. */
export const HOSTILE_TEXTS: readonly HostileText[] = [
  ...units.flatMap((unit): HostileText[] => [{ unit }, { unit, before: 'x', after: '\u0001~' }]),
  ...['(', '{', '{"', '{"npc_utterance":"', '"', '“', "'", '<TEXT a>\n', '\u0301'].flatMap((before): HostileText[] =>
    [' ', 'turn 1 ', 'turn1-', 'a. ', '<', '1', '"', "'a"].map((unit) => ({ before, unit })),
  ),
];

/** @param bytes of UTF-8, about. */
function grown({ unit, before = '', after = '' }: HostileText, bytes: number): string {
  const each = Buffer.byteLength(unit);
  return before + unit.repeat(Math.max(1, Math.floor(bytes / each))) + after;
}

/** Milliseconds of the processor, so that what else runs on the machine does not count. */
function costOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

export interface SlowText {
  readonly text: string;
  readonly milliseconds: number;
  /** How many times as long it takes as a quarter of it. */
  readonly quadrupled: number;
}

/** More would only take longer to find. */
const ENOUGH = 3;

/**
 * The first hostile texts that a function does not get through in time: those that cost more than 50 ms at 64 KB and, since
 * the machine may be slow, more than ten times as much as a quarter of them. Empty for a function that is linear.
 */
export function slowTexts(
  read: (text: string) => unknown,
  texts: readonly HostileText[] = HOSTILE_TEXTS,
): readonly SlowText[] {
  const slow: SlowText[] = [];
  for (const hostile of texts) {
    const found = foundSlow(read, hostile);
    if (found !== null) slow.push(found);
    if (slow.length === ENOUGH) break;
  }
  return slow;
}

/** Whether a part of the text costs so little that the whole stays within its limit even where the cost grows with the square. */
const isQuickAt = (read: (text: string) => unknown, hostile: HostileText, part: number): boolean =>
  costOf(() => read(grown(hostile, BYTES / part))) <= LIMIT_MS / part ** 2;

/** Grown step by step: what is far from linear is found before it takes minutes, and what is quick is not grown further. */
function foundSlow(read: (text: string) => unknown, hostile: HostileText): SlowText | null {
  const slowEarly = slowAt(read, hostile, BYTES / 64);
  if (slowEarly !== null || isQuickAt(read, hostile, 8)) return slowEarly;
  const slowLater = slowAt(read, hostile, BYTES / 8);
  if (slowLater !== null || isQuickAt(read, hostile, 4)) return slowLater;
  return slowAt(read, hostile, BYTES);
}

function slowAt(read: (text: string) => unknown, hostile: HostileText, bytes: number): SlowText | null {
  const text = grown(hostile, bytes);
  const quarter = grown(hostile, bytes / 4);
  let whole = costOf(() => read(text));
  let quartered = Infinity;
  // The least of several rounds, one after the other: a pause of the collector or the compiler can make any single one slow.
  for (let round = 0; round < ROUNDS; round += 1) {
    if (whole <= LIMIT_MS) return null;
    quartered = Math.min(
      quartered,
      costOf(() => read(quarter)),
    );
    whole = Math.min(
      whole,
      costOf(() => read(text)),
    );
    if (whole / quartered <= QUADRUPLED && whole <= FAR_TOO_LONG_MS) return null;
    if (whole > FAR_TOO_LONG_MS) break;
  }
  return { text: JSON.stringify(grown(hostile, 1)), milliseconds: Math.round(whole), quadrupled: whole / quartered };
}
