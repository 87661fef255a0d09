import type { CompiledScenario } from '../compiled-scenario';
import { firstPoints, printable } from './clean-members';
import { MAX_UTTERANCE } from './npc-output-schema';
import { NOTHING_SAID, withoutCopies, type SaidBefore } from './copies';
import { withoutLeaks } from './leaks';
import type { DroppedMember } from './parsed-reply';
import { ownCue, playersCue } from './speaker-cues';
import { withoutStageDirections } from './stage-directions';
import { writesOtherScript } from './writing-system';

/** Thoughts that a model put into the utterance itself; without an end they take the rest. */
const THOUGHTS = /<think(?:ing)?>[^]*?(?:<\/think(?:ing)?>|$)/gi;
/** Marks of chat templates that some servers leave in the text. */
const TEMPLATE_MARKS = /<\|[^|<>\n]{1,40}\|>|<\/?s>|<(?:start|end)_of_turn>|\[\/?INST\]|<<\/?SYS>>/gi;
/** Lines that open or close a code fence. */
const FENCE_LINES = /^[ \t]*```[\w-]*[ \t]*$/gm;
const WRAPPED = /^(?:"([^"]+)"|“([^“”]+)”)$/;
/** Our own marks and headings: from here on a model recites its prompt. */
const PROMPT_LEAK =
  /<(?:TEXT|END) [^<>\n]{1,40}>|^[ \t]*#+ *(?:\d+ +[A-Z]{3,}|STATE|PLAYER_UTTERANCE)\b|\b(?:GLOBAL_RULES|SAFETY_POLICY|SCENARIO_CONTEXT|NPC_PERSONA|NPC_GOALS|RUBRIC_DIMENSIONS|MEMORY_SUMMARY|RELATIONSHIP_MEMORY|RESPONSE_STYLE|OUTPUT_SCHEMA|PLAYER_UTTERANCE)\b/m;
const CANNOT = /(?:can(?:'t|’t|not)|won(?:'t|’t)|(?:am|'m|’m) (?:not able|unable) to)/.source;
/**
 * What a model says of itself, never a character: sentences with it are taken out. People refuse things too ("I can't
 * help with that request", "I won't continue this conversation"): those stay.
 */
const OUT_OF_CHARACTER = new RegExp(
  [
    String.raw`\b(?:as|i am|i'm|i’m|being) (?:just |only )?an? (?:ai|artificial intelligence|(?:large )?language model|(?:ai |virtual |helpful )*assistant)\b(?! (?:manager|director|professor|coach|editor|head|buyer|chef|nurse|to\b))`,
    String.raw`\bi ?${CANNOT} (?:assist|fulfill?|comply) (?:you )?(?:with )?(?:this|that|your) request\b`,
    String.raw`\bi ?${CANNOT} (?:assist|help|engage|continue|participate)(?: with| in)? (?:this|that|the) (?:role-?play|scenario)\b`,
    String.raw`\bmy (?:programming|training data)\b`,
  ].join('|'),
  'i',
);
/** How such a sentence may begin, before enough of it is there to tell. */
export const MAY_BE_THE_MODEL = new RegExp(
  String.raw`\b(?:as|i am|i'm|i’m|being) (?:just |only )?an?\b|\bi ?${CANNOT}\b|\bmy (?:programming|training)\b`,
  'i',
);
/** Why a sentence was taken out in which the model, and not the character, speaks. */
export const NO_SPEECH_LEFT = 'spoke of itself as a model';
/** Why a sentence was taken out that somebody had said before. */
const REPEATED = 'said again';
const SENTENCES = /[^.!?\n]+(?:[.!?]+["'”’)]*)?\s*/g;

/**
 * What the character really says: printable, without thoughts, marks of chat templates, code fences, a cue of its own
 * name or quotation marks around it; cut where the model recites its prompt or goes on to speak for the player; without
 * sentences in which the model speaks of itself, stage directions, ids of the scenario, values of its variables, and
 * sentences that were said before; at most 1200 characters (cut after a sentence where one ends late
 * enough). null when nothing sayable is left, or when it is in a script that none of the pack's languages is written in.
 */
export function cleanUtterance(
  raw: unknown,
  scenario: CompiledScenario,
  said: SaidBefore = NOTHING_SAID,
): { utterance: string; dropped: DroppedMember[] } | null {
  if (typeof raw !== 'string') return null;
  const { content, leaks } = scenario;
  const dropped: DroppedMember[] = [];
  const drop = (reason: string) => void dropped.push({ member: 'npc_utterance', reason });
  let utterance = withoutWrapping(printable(raw));
  utterance = withoutQuotes(utterance.slice(ownCue(utterance, content.npc.display_name)).trim());

  const cutAt = (index: number | undefined, reason: string) => {
    if (index === undefined || index < 0) return;
    utterance = utterance.slice(0, index).trim();
    drop(reason);
  };
  cutAt(PROMPT_LEAK.exec(utterance)?.index, 'recited the prompt');
  cutAt(playersCue(utterance, content.player_role.label), 'spoke for the player');
  if (OUT_OF_CHARACTER.test(utterance)) {
    utterance = (utterance.match(SENTENCES) ?? [])
      .filter((sentence) => !OUT_OF_CHARACTER.test(sentence))
      .join('')
      .trim();
    drop(NO_SPEECH_LEFT);
  }
  const takeOut = ({ text, found }: { text: string; found: boolean }, reason: string): void => {
    utterance = text;
    if (found) drop(reason);
  };
  takeOut(withoutStageDirections(utterance, content.npc.display_name), 'stage direction');
  takeOut(withoutLeaks(utterance, leaks), 'spoke of ids or values');
  takeOut(withoutCopies(utterance, said), REPEATED);
  if ([...utterance].length > MAX_UTTERANCE) {
    utterance = cutAfterSentence(firstPoints(utterance, MAX_UTTERANCE));
    drop('longer than 1200 characters');
  }
  if (writesOtherScript(utterance, content.languages)) return null;
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(utterance) ? { utterance, dropped } : null;
}

/** Text of most turns has neither a bracket nor a fence: it is left as it is. */
function withoutWrapping(text: string): string {
  if (!/[<[`]/.test(text)) return text;
  return text.replace(THOUGHTS, '').replace(TEMPLATE_MARKS, '').replace(FENCE_LINES, '').trim();
}

function withoutQuotes(text: string): string {
  const wrapped = WRAPPED.exec(text);
  return wrapped ? (wrapped[1] ?? wrapped[2] ?? text).trim() : text;
}

/** The text up to its last sentence end, when that keeps at least half; else up to its last space. */
function cutAfterSentence(text: string): string {
  const end = Math.max(...['. ', '! ', '? ', '.\n', '!\n', '?\n'].map((mark) => text.lastIndexOf(mark)));
  if (end >= text.length / 2) return text.slice(0, end + 1);
  const space = text.lastIndexOf(' ');
  return (space >= text.length / 2 ? text.slice(0, space) : text).trim();
}
