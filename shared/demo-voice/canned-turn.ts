import type { ChatMessage, ChatRequest, NpcTurnOutput, RubricObservation } from '@parley/shared/contracts';
import { CANNED_LINES, MOOD_EMOTIONS } from './canned-lines';
import { GERMAN_LINES } from './german-lines';
import type { PlayerMood, Signal } from './mood-rules';
import { playerMood } from './player-mood';
import { playerTurn, playerUtterance, spokenLanguage } from './player-utterance';
import { textHash } from './text-hash';
import { readTurnSchema, type TurnSchema, type VariableRange } from './turn-schema';

type Mood = PlayerMood['mood'];

/** What a turn of each mood is worth, in points in the player's favour. A goal of 80 is then eight good turns away. */
const WORTH: Readonly<Record<string, Readonly<Record<Mood, number>>>> = {
  objective_progress: { constructive: 11, passive: 1, hostile: -5 },
  patience: { constructive: 3, passive: -2, hostile: -13 },
  trust: { constructive: 5, passive: 0, hostile: -8 },
  rapport: { constructive: 5, passive: 0, hostile: -8 },
  openness: { constructive: 6, passive: 0, hostile: -6 },
  pressure: { constructive: 4, passive: -1, hostile: -7 },
};
/** Variables of the scenario's own. */
const OWN_WORTH: Readonly<Record<Mood, number>> = { constructive: 8, passive: 0, hostile: -8 };
/** The way that is good for the player where the scenario does not say, and how little of it then happens. */
const USUAL_WAY: Readonly<Record<string, 'up' | 'down'>> = {
  objective_progress: 'up',
  patience: 'up',
  trust: 'up',
  rapport: 'up',
  openness: 'up',
  pressure: 'down',
};
const UNSAID_LIMIT = 2;

/** Which flags a kind of hostile wording fits. */
const FITTING_FLAGS: Readonly<Partial<Record<Signal, RegExp>>> = {
  insult: /attack|insult|personal|hostil|abus|mock|disrespect|rude|blame|contempt/,
  accusing: /accus|grievance|reproach/,
  ultimatum: /ultimat|threat|quit|leave|resign|deadline|escalat|coerc|pressur/,
  generalising: /general|absolut|always|never|exagger|histor/,
  shouting: /shout|yell|aggress|lost_temper|raised_voice/,
};

const NOTES: Readonly<Record<Signal, string>> = {
  question: 'Asked instead of assuming.',
  acknowledging: 'Showed that the other side was heard.',
  specific: 'Stayed with something concrete.',
  proposal: 'Offered a way forward.',
  own_part: 'Owned a part of it.',
  insult: 'Went for the person instead of the matter.',
  accusing: 'Opened against the other side.',
  ultimatum: 'Pressed with a threat.',
  generalising: 'Generalised instead of naming one event.',
  shouting: 'Raised the tone.',
};
const PASSIVE_NOTE = 'Said little that the other could answer.';
const OBSERVED: Readonly<Record<Mood, number>> = { constructive: 5, passive: -1, hostile: -6 };

const clamp = (value: number, minimum: number, maximum: number): number => Math.min(maximum, Math.max(minimum, value));

/**
 * The canned turn of the fake character: all seven members, within what the schema allows, chosen by the request alone.
 * It reacts to the player's last utterance: favourable turns move favourable variables the right way and name one or two
 * moves, hostile ones the wrong way (and a flag that their wording fits), passive ones hardly at all. A cue of the author's
 * is said as it stands, and no move is named beside it: the author's signs tell which were made.
 *
 * @param cue what to say; null: one of the canned lines.
 */
export function cannedTurn(
  messages: readonly ChatMessage[],
  jsonSchema: Readonly<Record<string, unknown>>,
  cue: NonNullable<ChatRequest['cue']> | null = null,
): NpcTurnOutput {
  const schema = readTurnSchema(jsonSchema);
  const said = playerUtterance(messages);
  const judged = playerMood(said, spokenLanguage(messages));
  const seed = textHash(said);
  return {
    npc_utterance: (cue?.text ?? chooseLine(messages, judged.mood, seed)).slice(0, schema.utteranceMaximum),
    npc_emotion: ownEmotion(schema, cue?.emotion ?? null) ?? chooseEmotion(schema, judged.mood, seed),
    state_delta: stateDelta(schema.variables, judged.mood),
    event_flags:
      cue !== null && judged.mood === 'constructive' ? [] : chooseFlags(schema, judged, playerTurn(messages)),
    rubric_observations: observe(schema, judged, seed),
    safety: { action: 'ok', reason: null },
    session_control: { end_session: false, reason: null },
  };
}

/** A line that the character has not said in the messages that are here, in the language that the prompt asks for. */
export function chooseLine(messages: readonly ChatMessage[], mood: Mood, seed: number): string {
  const lines = (spokenLanguage(messages) === 'de' ? GERMAN_LINES : CANNED_LINES)[mood];
  const spoken = messages.filter((message) => message.role === 'assistant').map((message) => message.content);
  const begin = (seed + playerTurn(messages) * 7) % lines.length;
  const inTurn = [...lines.slice(begin), ...lines.slice(0, begin)];
  return inTurn.find((line) => !spoken.some((content) => content.includes(line))) ?? inTurn[0] ?? '';
}

/** The emotion as the schema writes it; null when the character has none of that name. */
const ownEmotion = (schema: TurnSchema, named: string | null): string | null =>
  schema.emotions.find((emotion) => emotion.toLowerCase() === named?.trim().toLowerCase()) ?? null;

function chooseEmotion(schema: TurnSchema, mood: Mood, seed: number): string {
  const fitting = MOOD_EMOTIONS[mood].filter(
    (emotion) => schema.emotions.length === 0 || schema.emotions.includes(emotion),
  );
  return fitting[seed % Math.max(1, Math.min(3, fitting.length))] ?? schema.emotions[0] ?? 'neutral';
}

function stateDelta(variables: readonly VariableRange[], mood: Mood): Record<string, number> {
  const deltas: Record<string, number> = {};
  for (const { name, minimum, maximum, favourable } of variables) {
    const way = favourable ?? USUAL_WAY[name];
    if (way === undefined) continue;
    const worth = (WORTH[name] ?? OWN_WORTH)[mood];
    const points = favourable === null ? clamp(worth, -UNSAID_LIMIT, UNSAID_LIMIT) : worth;
    const delta = clamp(way === 'up' ? points : -points, minimum, maximum);
    if (delta !== 0) deltas[name] = delta;
  }
  return deltas;
}

function chooseFlags(schema: TurnSchema, judged: PlayerMood, turn: number): string[] {
  if (judged.mood === 'constructive') {
    const { length } = schema.moves;
    const wanted = [schema.moves[(turn * 2) % length], schema.moves[(turn * 2 + 1) % length]];
    return [...new Set(wanted.filter((move) => move !== undefined))].slice(0, schema.maximumFlags);
  }
  if (judged.mood === 'passive') return [];
  const fits = (flag: string): boolean => judged.signals.some((signal) => FITTING_FLAGS[signal]?.test(flag) === true);
  return schema.flags.filter(fits).slice(0, Math.min(1, schema.maximumFlags));
}

function observe(schema: TurnSchema, judged: PlayerMood, seed: number): RubricObservation[] {
  const count = Math.min(judged.mood === 'passive' ? 1 : 2, schema.dimensions.length, schema.maximumObservations);
  const delta = clamp(
    OBSERVED[judged.mood] + (seed % 2),
    -schema.maximumObservationDelta,
    schema.maximumObservationDelta,
  );
  return Array.from({ length: count }, (_unused, at) => {
    const signal = judged.signals[at] ?? judged.signals[0];
    return {
      dimension: schema.dimensions[(seed + at) % schema.dimensions.length] ?? '',
      delta,
      note: (signal === undefined || judged.mood === 'passive' ? PASSIVE_NOTE : NOTES[signal]).slice(
        0,
        schema.noteMaximum,
      ),
    };
  });
}
