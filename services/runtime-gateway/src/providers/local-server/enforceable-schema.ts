/** llama.cpp refuses a string bound of exactly 2000 and forgets any above: the largest that it keeps. */
const LONGEST_BOUND = 1999;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Members that hold data, not schemas: nothing in them is changed. */
const DATA_MEMBERS = new Set(['enum', 'const', 'default', 'examples', 'required']);

/**
 * The schema as llama.cpp's grammar can enforce it. Two things that break there are put another way: string bounds of
 * 2000 and more, and arrays whose items have no allowed value at all (an empty enum stops the stream half-way), which can
 * only be empty.
 */
export function enforceableSchema(schema: Record<string, unknown>): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(schema)) {
    if (name === 'maxLength' && typeof value === 'number' && value > LONGEST_BOUND) copy[name] = LONGEST_BOUND;
    else if (DATA_MEMBERS.has(name)) copy[name] = value;
    else if (Array.isArray(value))
      copy[name] = value.map((one: unknown) => (isObject(one) ? enforceableSchema(one) : one));
    else copy[name] = isObject(value) ? enforceableSchema(value) : value;
  }
  const { items } = copy;
  if (isObject(items) && Array.isArray(items['enum']) && items['enum'].length === 0) {
    copy['items'] = { type: 'string' };
    copy['minItems'] = 0;
    copy['maxItems'] = 0;
  }
  return copy;
}
