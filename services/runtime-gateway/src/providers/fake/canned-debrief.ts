import type { ChatMessage, DebriefNarrative } from '@parley/shared/contracts';
import { textHash } from '@parley/shared/demo-voice';

const SUMMARIES = [
  'You stayed in the conversation and kept coming back to what it was about. The tone changed where you asked instead of explained, and it tightened where the pace went up.',
  'The conversation found its footing once both sides knew what was at stake. Most of the movement came from a few turns in which you made room for the other side.',
  'You brought a real concern and gave it words. Where you were concrete the other side could answer, and where you were brief the talk lost its direction.',
] as const;

const STRENGTHS = [
  'You kept to the matter and left the person out of it.',
  'You gave the other side something concrete to answer.',
  'You let an uncomfortable moment stand without filling it at once.',
  'You came back to your own goal after a detour.',
] as const;

const IMPROVEMENTS = [
  'Ask one open question before you bring your next argument.',
  'Say back what you heard before you answer it.',
  'Name one event with its day instead of the pattern behind it.',
  'End with who does what by when, and check that it is shared.',
] as const;

const SUGGESTIONS = [
  'Begin this turn with what you understood of the other side, then add your own point in one sentence.',
  'Put an open question here and wait for the answer before you go on.',
  'Offer one small step here that both sides could take this week.',
] as const;

const pick = <T>(list: readonly T[], at: number): T => list[at % list.length] as T;

/**
 * The numbers of the player's turns that the messages speak of, lowest first: those of a transcript's lines, else any turn
 * that is named. Turns count both sides from 1 and the character opens, so the player's are the even ones; without any, the
 * player's first turn is number 2.
 */
export function statedPlayerTurns(messages: readonly ChatMessage[]): number[] {
  const text = messages.map((message) => message.content).join('\n');
  const spoken = [...text.matchAll(/^(\d{1,3}) PLAYER:/gm)].map((match) => Number(match[1]));
  const named = [...text.matchAll(/\bturn[ _#:]{1,3}(\d{1,3})\b/gi)].map((match) => Number(match[1]));
  const turns = (spoken.length > 0 ? spoken : named).filter((turn) => turn > 0 && turn % 2 === 0);
  return turns.length === 0 ? [2] : [...new Set(turns)].sort((a, b) => a - b);
}

/**
 * A canned narrative for a debrief, chosen by the request alone: it quotes nobody, promises nothing, and cites only turns
 * that exist.
 */
export function cannedDebrief(messages: readonly ChatMessage[]): DebriefNarrative {
  const seed = textHash(messages.map((message) => message.content).join('\n'));
  const turns = statedPlayerTurns(messages);
  const cited = [...new Set([turns[0] ?? 2, turns[Math.floor(turns.length / 2)] ?? 2])];
  return {
    summary: pick(SUMMARIES, seed),
    strengths: [pick(STRENGTHS, seed), pick(STRENGTHS, seed + 1)],
    improvements: [pick(IMPROVEMENTS, seed), pick(IMPROVEMENTS, seed + 1)],
    replay_suggestions: cited.map((turn, at) => ({ turn, suggestion: pick(SUGGESTIONS, seed + at) })),
  };
}
