import type { KeyboardEvent } from 'react';

/** Enter sends, Shift+Enter starts a new line. While an input method composes, Enter chooses a word and sends nothing. */
export function sendsOnEnter(event: KeyboardEvent, send: () => void): void {
  if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
  event.preventDefault();
  send();
}
