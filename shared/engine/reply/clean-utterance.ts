import type { ScenarioContent } from '@parley/shared/contracts';
import { firstPoints, printable } from './clean-members';
import { MAX_UTTERANCE } from './npc-output-schema';
import type { DroppedMember } from './parsed-reply';

/** A line that speaks for the player begins like a script's cue. */
const PLAYERS_CUE = /^[ \t]*(?:\*\*)?(?:player|user|human)(?:\*\*)?[ \t]*:/im;

/**
 * What the character really says: printable, without a cue of its own name before it, cut where the model goes on to
 * speak for the player, and at most 1200 characters (cut after a sentence where one ends late enough). null when
 * nothing sayable is left.
 */
export function cleanUtterance(
  raw: unknown,
  content: ScenarioContent,
): { utterance: string; dropped: DroppedMember[] } | null {
  if (typeof raw !== 'string') return null;
  const dropped: DroppedMember[] = [];
  let utterance = withoutOwnCue(printable(raw), content.npc.display_name);
  const cue = PLAYERS_CUE.exec(utterance);
  if (cue) {
    utterance = utterance.slice(0, cue.index).trim();
    dropped.push({ member: 'npc_utterance', reason: 'spoke for the player' });
  }
  if ([...utterance].length > MAX_UTTERANCE) {
    utterance = cutAfterSentence(firstPoints(utterance, MAX_UTTERANCE));
    dropped.push({ member: 'npc_utterance', reason: 'longer than 1200 characters' });
  }
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(utterance) ? { utterance, dropped } : null;
}

function withoutOwnCue(text: string, name: string): string {
  const colon = text.indexOf(':');
  if (colon < 0) return text;
  const cue = text.slice(0, colon).replaceAll('*', '').trim().toLowerCase();
  const names = [name, name.split(/\s+/)[0] ?? name].map((part) => part.toLowerCase());
  return names.includes(cue) ? text.slice(colon + 1).replace(/^\s*(?:\*\*)?\s*/, '') : text;
}

/** The text up to its last sentence end, when that keeps at least half; else up to its last space. */
function cutAfterSentence(text: string): string {
  const end = Math.max(...['. ', '! ', '? ', '.\n', '!\n', '?\n'].map((mark) => text.lastIndexOf(mark)));
  if (end >= text.length / 2) return text.slice(0, end + 1);
  const space = text.lastIndexOf(' ');
  return (space >= text.length / 2 ? text.slice(0, space) : text).trim();
}
