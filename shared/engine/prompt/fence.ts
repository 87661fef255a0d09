import { neutralise } from './neutralise';

/** Stands for the session's fence in texts that are composed once and used by many sessions. */
export const FENCE_SLOT = '\u0000';

/**
 * How much of a session's random code the marks carry. It stands in a dozen places of every prompt, so it is short: a
 * million possibilities, behind angle brackets that no text keeps.
 */
const FENCE_LENGTH = 5;
export const fenceOf = (code: string): string => code.slice(0, FENCE_LENGTH);

/**
 * Untrusted text between two marks that carry the session's random fence. The text cannot forge a mark: it holds no
 * angle brackets any more, and would have to know the fence.
 *
 * @param fence the session's random code, or FENCE_SLOT while composing.
 */
export function fenced(text: string, fence: string): string {
  return `<TEXT ${fence}>\n${withoutFence(neutralise(text), fence)}\n<END ${fence}>`;
}

/** A model may have said the fence aloud: a text that repeats it loses it. */
export function withoutFence(text: string, fence: string): string {
  return fence === FENCE_SLOT || fence === '' ? text : text.replaceAll(fence, '…');
}
