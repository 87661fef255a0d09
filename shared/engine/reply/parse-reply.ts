import type { ScenarioContent } from '@parley/shared/contracts';
import { cleanMembers, own } from './clean-members';
import { cleanUtterance } from './clean-utterance';
import { embeddedObjects, repairedObject, strictObjectIn, type JsonObject } from './find-object';
import type { ParsedReply } from './parsed-reply';
import { createUtteranceStream, THOUGHTS_BEGIN, THOUGHTS_END } from './utterance-stream';

/**
 * Step 5 of the turn pipeline. In order: what the runtime parsed already, strict JSON, a whole object inside a fence or
 * prose, repair by the library, and at last the utterance alone as the stream decoded it; the first with a usable
 * utterance counts and its other members are validated one by one. Never throws, whatever the text.
 *
 * @param text the runtime's final text.
 * @param structured what the runtime parsed, or null.
 */
export function parseReply(text: string, structured: object | null, content: ScenarioContent): ParsedReply {
  const attempt = (object: JsonObject | null, kind: 'parsed' | 'repaired'): ParsedReply | null => {
    if (!object) return null;
    const said = cleanUtterance(own(object, 'npc_utterance'), content);
    if (!said) return null;
    const { output, dropped } = cleanMembers(object, said.utterance, content);
    return { kind, output, dropped: [...said.dropped, ...dropped], reason: null };
  };

  if (structured && !Array.isArray(structured)) {
    const parsed = attempt(structured as JsonObject, 'parsed');
    if (parsed) return parsed;
  }
  const trimmed = withoutThoughts(text).trim();
  if (trimmed === '') return { kind: 'failed', output: null, dropped: [], reason: 'empty' };
  if (!trimmed.includes('{')) return { kind: 'plain', output: null, dropped: [], reason: 'plain_text' };

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
  return { kind: 'failed', output: null, dropped: [], reason: sawObject ? 'no_utterance' : 'no_json' };
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
