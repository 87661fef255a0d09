type Json = Record<string, unknown>;

/** How much a variable may move in a turn, and which way is good for the player. */
export interface VariableRange {
  readonly name: string;
  readonly minimum: number;
  readonly maximum: number;
  /** null: the scenario does not say. */
  readonly favourable: 'up' | 'down' | null;
}

/** What the schema of a turn allows, as far as the canned character cares. */
export interface TurnSchema {
  readonly utteranceMaximum: number;
  /** Empty: any. */
  readonly emotions: readonly string[];
  readonly variables: readonly VariableRange[];
  /** What a skilled player does, as flags. */
  readonly moves: readonly string[];
  /** The other flags. */
  readonly flags: readonly string[];
  readonly maximumFlags: number;
  readonly dimensions: readonly string[];
  readonly maximumObservations: number;
  readonly maximumObservationDelta: number;
  readonly noteMaximum: number;
}

const objectOr = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});
const numberOr = (value: unknown, fallback: number): number => (typeof value === 'number' ? value : fallback);
const textOr = (value: unknown): string => (typeof value === 'string' ? value : '');
const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];

/** `Moves of a skilled player: a, b. Flags: c, d.` → the names after a heading that the vocabulary has. */
function namesAfter(description: string, heading: string, vocabulary: readonly string[]): string[] {
  const list = new RegExp(`${heading}: ([^.]*)\\.`).exec(description)?.[1] ?? '';
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => vocabulary.includes(name));
}

function variableRange(name: string, schema: Json): VariableRange {
  const favourable = /Favourable: (up|down)\.\s*$/.exec(textOr(schema['description']))?.[1];
  return {
    name,
    minimum: numberOr(schema['minimum'], -20),
    maximum: numberOr(schema['maximum'], 20),
    favourable: favourable === 'up' || favourable === 'down' ? favourable : null,
  };
}

/** Reads the schema of a turn's answer, forgivingly: what it does not say has no effect. */
export function readTurnSchema(schema: Readonly<Json>): TurnSchema {
  const members = objectOr(schema['properties']);
  const flags = objectOr(members['event_flags']);
  const vocabulary = textsOf(objectOr(flags['items'])['enum']);
  const description = textOr(flags['description']);
  const moves = namesAfter(description, 'Moves of a skilled player', vocabulary);
  const observations = objectOr(members['rubric_observations']);
  const observation = objectOr(objectOr(observations['items'])['properties']);
  return {
    utteranceMaximum: numberOr(objectOr(members['npc_utterance'])['maxLength'], 1200),
    emotions: textsOf(objectOr(members['npc_emotion'])['enum']),
    variables: Object.entries(objectOr(objectOr(members['state_delta'])['properties'])).map(([name, variable]) =>
      variableRange(name, objectOr(variable)),
    ),
    moves,
    flags: namesAfter(description, 'Flags', vocabulary),
    maximumFlags: numberOr(flags['maxItems'], vocabulary.length),
    dimensions: textsOf(objectOr(observation['dimension'])['enum']),
    maximumObservations: numberOr(observations['maxItems'], 2),
    maximumObservationDelta: numberOr(objectOr(observation['delta'])['maximum'], 10),
    noteMaximum: numberOr(objectOr(observation['note'])['maxLength'], 200),
  };
}
