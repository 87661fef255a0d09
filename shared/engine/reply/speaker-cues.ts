/** A line of a script begins with who speaks. */
const CUE = /^[ \t]*(?:\*\*)?([^\n:*]{1,60}?)(?:\*\*)?[ \t]*:/gm;
const PLAYERS_NAMES = ['player', 'the player', 'user', 'human'];

/** How many characters of the text are a cue of the character's own name, as in `Dana:` or `**Dana:**`; 0 without one. */
export function ownCue(text: string, name: string): number {
  const cue = /^([^\n:]{1,80}):(?:\*\*)?\s*/.exec(text);
  const speaker = cue?.[1]?.replaceAll('*', '').trim().toLowerCase();
  const names = [name, name.split(/\s+/)[0] ?? name].map((part) => part.toLowerCase());
  return cue && speaker !== undefined && names.includes(speaker) ? cue[0].length : 0;
}

/**
 * Where the text begins to speak for the player, as a script would: `Player:`, the player's role, or `You:` on a later
 * line. -1 when it does not.
 */
export function playersCue(text: string, roleLabel: string): number {
  const role = roleLabel.trim().toLowerCase();
  for (const cue of text.matchAll(CUE)) {
    const speaker = (cue[1] ?? '').trim().toLowerCase();
    if (PLAYERS_NAMES.includes(speaker) || speaker === role || (speaker === 'you' && cue.index > 0)) return cue.index;
  }
  return -1;
}
