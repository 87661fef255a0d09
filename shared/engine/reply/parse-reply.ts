import type { CompiledScenario } from '../compiled-scenario';
import { cleanMembers, own } from './clean-members';
import { cleanUtterance, NO_SPEECH_LEFT } from './clean-utterance';
import { NOTHING_SAID, type SaidBefore } from './copies';
import { embeddedObjects, repairedObject, strictObjectIn, type JsonObject } from './find-object';
import { failedReply, type FailureReason, type ParsedReply } from './parsed-reply';
import { isPlainSpeech, withoutPreface } from './plain-speech';
import { withoutStageDirections } from './stage-directions';
import { createUtteranceStream, THOUGHTS_BEGIN, THOUGHTS_END } from './utterance-stream';

/**
 * Step 5 of the turn pipeline. In order: what the runtime parsed already, strict JSON, a whole object inside a fence or
 * prose, repair by the library, and at last the utterance alone as the stream decoded it; the first with a usable
 * utterance counts and its other members are validated one by one. Clean prose without any object is the utterance alone.
 * Never throws, whatever the text.
 *
 * @param text the runtime's final text.
 * @param structured what the runtime parsed, or null.
 * @param said what must not be said again; a reply that is nothing else has failed as `repeated`.
 */
export function parseReply(
  text: string,
  structured: object | null,
  scenario: CompiledScenario,
  said: SaidBefore = NOTHING_SAID,
): ParsedReply {
  const attempt = (object: JsonObject | null, kind: 'parsed' | 'repaired'): ParsedReply | null => {
    if (!object) return null;
    const spoken = own(object, 'npc_utterance');
    const clean = cleanUtterance(spoken, scenario, said);
    if (!clean) {
      repeated ||= said !== NOTHING_SAID && cleanUtterance(spoken, scenario) !== null;
      return null;
    }
    const { output, dropped } = cleanMembers(object, clean.utterance, scenario.content);
    return { kind, output, dropped: [...clean.dropped, ...dropped], reason: null };
  };
  const failed = (reason: FailureReason): ParsedReply => failedReply(repeated ? 'repeated' : reason);
  let repeated = false;

  if (structured && !Array.isArray(structured)) {
    const parsed = attempt(structured as JsonObject, 'parsed');
    if (parsed) return parsed;
  }
  const trimmed = withoutThoughts(text).trim();
  if (trimmed === '') return failed('empty');
  if (!trimmed.includes('{')) return plainReply(trimmed, scenario, said);

  const strict = strictObjectIn(trimmed);
  const parsed = attempt(strict, 'parsed');
  if (parsed) return parsed;
  let sawObject = strict !== null;
  if (!strict) {
    for (const object of embeddedObjects(trimmed)) {
      sawObject = true;
      const embedded = attempt(object, 'parsed');
      if (embedded) return embedded;
    }
    const repaired = attempt(repairedWithUtterance(trimmed), 'repaired');
    if (repaired) return repaired;
  }
  return failed(sawObject ? 'no_utterance' : 'no_json');
}

/** Prose of a model that ignored the schema is what the character says, and changes nothing, where it is speech. */
function plainReply(text: string, scenario: CompiledScenario, said: SaidBefore): ParsedReply {
  const spoken = withoutStageDirections(withoutPreface(text), scenario.content.npc.display_name).text;
  const clean = isPlainSpeech(spoken) ? cleanUtterance(spoken, scenario, said) : null;
  if (clean !== null && !clean.dropped.some(({ reason }) => reason === NO_SPEECH_LEFT)) {
    const { output } = cleanMembers({}, clean.utterance, scenario.content);
    return { kind: 'plain', output, dropped: clean.dropped, reason: null };
  }
  const repeated = clean === null && said !== NOTHING_SAID && cleanUtterance(spoken, scenario) !== null;
  return {
    kind: 'failed',
    output: null,
    dropped: [],
    reason: repeated && isPlainSpeech(spoken) ? 'repeated' : 'plain_text',
  };
}

/**
 * The repaired object with the utterance as the stream decoded it, when repair lost some of it: in a string that was cut
 * the library takes a comma for the end of the member.
 */
function repairedWithUtterance(text: string): JsonObject {
  const stream = createUtteranceStream();
  const streamed = stream.push(text.slice(text.indexOf('{'))) + stream.end();
  const repaired = repairedObject(text) ?? {};
  const said = own(repaired, 'npc_utterance');
  return typeof said === 'string' && said.startsWith(streamed) ? repaired : { ...repaired, npc_utterance: streamed };
}

/** A thinking model's draft is no speech, even when it holds an object. */
function withoutThoughts(text: string): string {
  if (!THOUGHTS_BEGIN.test(text)) return text;
  const end = THOUGHTS_END.exec(text);
  return end ? text.slice(end.index + end[0].length) : '';
}
