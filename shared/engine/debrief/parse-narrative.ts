import { embeddedObjects, repairedObject, strictObjectIn, type JsonObject } from '../reply/find-object';

/**
 * The model's debrief as an object: what the runtime parsed, strict JSON, an object inside other text, or repair. null
 * when there is none. What is in it is checked by `checkNarrative`. Never throws.
 */
export function parseNarrative(text: string, structured: object | null): JsonObject | null {
  if (structured && Object.hasOwn(structured, 'summary')) return structured as JsonObject;
  const strict = strictObjectIn(text);
  if (strict) return strict;
  for (const object of embeddedObjects(text)) {
    if (Object.hasOwn(object, 'summary')) return object;
  }
  return repairedObject(text);
}
