import type { ScenarioContent } from '@parley/shared/contracts';

const PLAYERS_NAMES = ['player', 'the player', 'user', 'human'];
const LINES = /[^\r\n]+/g;

/** How many characters of the text are a cue of the character's own name, as in `Dana:` or `**Dana:**`; 0 without one. */
export function ownCue(text: string, name: string): number {
  const cue = /^([^\n:]{1,80}):(?:\*\*)?\s*/.exec(text);
  const speaker = cue?.[1]?.replaceAll('*', '').trim().toLowerCase();
  const names = [name, name.split(/\s+/)[0] ?? name].map((part) => part.toLowerCase());
  return cue && speaker !== undefined && names.includes(speaker) ? cue[0].length : 0;
}

/** Who speaks in a line of a script, in small letters: what stands before the first colon, without marks of bold type. */
function speakerOf(line: string): string | null {
  const colon = line.indexOf(':');
  if (colon < 0) return null;
  return line.slice(0, colon).trim().replace(/^\*\*/, '').replace(/\*\*$/, '').trim().toLowerCase();
}

/**
 * Where the text begins to speak for the player, as a script would: `Player:`, the player's role, or `You:` on a later
 * line. -1 when it does not.
 */
export function playersCue(text: string, roleLabel: string): number {
  const role = roleLabel.trim().toLowerCase();
  for (const { 0: line, index } of text.matchAll(LINES)) {
    const speaker = speakerOf(line);
    if (speaker === null || speaker === '') continue;
    if (PLAYERS_NAMES.includes(speaker) || speaker === role || (speaker === 'you' && index > 0)) return index;
  }
  return -1;
}

/** Whether the beginning of a line may become a cue, of the character's own name or of the player's. */
export function mayBecomeCue(begun: string, content: ScenarioContent, isFirstLine: boolean): boolean {
  const text = begun.replaceAll('*', '').trim().toLowerCase();
  if (text === '' || text.includes(':')) return false;
  const own = content.npc.display_name;
  const cues = [
    ...PLAYERS_NAMES,
    content.player_role.label.trim(),
    ...(isFirstLine ? [own, own.split(/\s+/)[0] ?? own] : ['you']),
  ];
  return cues.some((cue) => cue.toLowerCase().startsWith(text));
}
