import { repeatable, type SaidBefore } from './copies';
import { spokenWords } from './spoken-words';
import { withoutStageDirections } from './stage-directions';

export interface SpeechGate {
  /** Takes what became sayable; answers what may be shown now, possibly nothing. */
  push(text: string): string;
  /** Whether anything was shown. */
  readonly isOpen: boolean;
}

const OPENING = /^\s*[*_([]/;
/** A stage direction is over by then. */
const LONGEST_DIRECTION = 170;
/** No reply is held back beyond this many characters. */
const MOST_HELD = 1200;

/**
 * Holds the beginning of a reply back as long as it may be a stage direction, or nothing but a line that was said: what
 * nobody has read can be taken back.
 * @param name the character's name.
 */
export function createSpeechGate(said: SaidBefore, name: string): SpeechGate {
  const lines = repeatable(said);
  const longest = Math.min(
    MOST_HELD,
    Math.max(LONGEST_DIRECTION, 2 * Math.max(0, ...lines.map(({ length }) => length))),
  );
  let held = '';
  let isOpen = false;
  return {
    get isOpen() {
      return isOpen;
    },
    push(text) {
      if (isOpen) return text;
      held += text;
      if (OPENING.test(held)) {
        const spoken = withoutStageDirections(held, name);
        if (!spoken.found && held.length <= LONGEST_DIRECTION) return '';
        if (spoken.found) held = spoken.text;
      }
      if (held.length <= longest) {
        const begun = spokenWords(held).join(' ');
        if (held.trim() === '' || lines.some((line) => line.startsWith(begun))) return '';
      }
      isOpen = true;
      const shown = held;
      held = '';
      return shown;
    },
  };
}
