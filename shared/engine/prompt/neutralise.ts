/** Names of the prompt's sections: text that carries one in its exact shape is written apart. Ids are lower case. */
const SECTION_NAMES =
  /(GLOBAL|SAFETY|SCENARIO|NPC|RUBRIC|MEMORY|RELATIONSHIP|RESPONSE|OUTPUT|PLAYER)_(RULES|POLICY|CONTEXT|PERSONA|GOALS|DIMENSIONS|SUMMARY|MEMORY|STYLE|SCHEMA|UTTERANCE)/g;
/** The same names, and those of one word, as a heading may have them: in any case, with any number and separator. */
const HEADING_NAMES = [
  String.raw`(?:GLOBAL|SAFETY|SCENARIO|NPC|RUBRIC|MEMORY|RELATIONSHIP|RESPONSE|OUTPUT|PLAYER|SCORES?)[ \t_-]*(?:RULES|POLICY|CONTEXT|PERSONA|GOALS|DIMENSIONS|SUMMARY|MEMORY|STYLE|SCHEMA|UTTERANCE|AND)`,
  'SCENE|STATE|RULES|SCENARIO|RUBRIC|TRANSCRIPT',
].join('|');
/**
 * Marks of headings, which structure the prompt: two and more wherever they stand, one at the beginning of a line (also of
 * a list or a quotation) or before a name of ours. A number sign before a number stays: `#1` is no heading.
 */
const HEADING_MARKS = /[#♯⌗⋕]{2,}/gu;
const SINGLE_MARKS = new RegExp(
  String.raw`[#♯⌗⋕](?<=^[ \t]*(?:(?:[›*+•-]|\p{Nd}{1,3}[.)])[ \t]+)?.)(?=[ \t]|$)|[#♯⌗⋕](?=[ \t_-]*(?:\p{Nd}{1,3}[ \t.)_-]*)?(?:${HEADING_NAMES})(?!\p{L}))`,
  'gimu',
);
/** Line beginnings that plain-text chat templates take for a change of speaker. */
const ROLE_CUES =
  /^([ \t]*(?:#{1,6}[ \t]*)?(?:system|assistant|developer|user|human|instruction|response|tool)[ \t]*):/gim;
/** `[INST]`, `[/INST]`, `[TOOL_CALLS]` and their kind. */
const BRACKET_TOKENS = /\[(\/?[A-Z_]{3,30}|[gs]MASK|[se]op)\]/g;
const OPENERS = /[<〈〈❮❰⟨⟪《˂ᐸ≪]/gu;
const CLOSERS = /[>〉〉❯❱⟩⟫》˃ᐳ≫]/gu;
/** Format characters hide what a text says; joiners stay between letters of scripts that need them. */
const HIDDEN = /(?![\u200c\u200d])[\p{Cf}\u{e0000}-\u{e007f}\ufe00-\ufe0f]/gu;
const LOOSE_JOINERS = /(?<![^\x00-\x7f\u200c\u200d])[\u200c\u200d]|[\u200c\u200d](?![^\x00-\x7f\u200c\u200d])/g;
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]|\p{Surrogate}/gu;
const PLAIN = /^[\x20-\x3b\x3d\x3f-\x5a\x5c\x5e-\x7e\n]*$/;

/**
 * Text of a pack, a player or a model, made unable to leave its place in a prompt: the compatibility form (so that
 * look-alike letters fall together), no hidden characters, no angle brackets (delimiters and chat-template tokens such
 * as `<|im_start|>`, `</s>` and `<<SYS>>` need them), no bracket tokens such as `[INST]`, no speaker cues at the
 * beginning of a line, no marks of headings such as `## 4 SCENE`, no section names in their exact shape. What a person
 * would read stays readable.
 */
export function neutralise(text: string): string {
  // Most lines of a talk hold nothing that could matter.
  const normal = PLAIN.test(text)
    ? text
    : text
        .normalize('NFKC')
        .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
        .replace(CONTROLS, '')
        .replace(HIDDEN, '')
        .replace(LOOSE_JOINERS, '')
        .normalize('NFKC')
        .replace(OPENERS, '‹')
        .replace(CLOSERS, '›')
        .replace(BRACKET_TOKENS, '($1)');
  return normal
    .replace(ROLE_CUES, '$1 –')
    .replace(HEADING_MARKS, '–')
    .replace(SINGLE_MARKS, '–')
    .replace(SECTION_NAMES, '$1 $2')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** One line of untrusted text. Each run of white space is looked at once: `\s*\n\s*` would try from every blank in it. */
export const neutraliseLine = (text: string): string =>
  neutralise(text).replace(/\s+/g, (space) => (space.includes('\n') ? ' ' : space));

/** An id or other short name of a pack as it may stand outside the fences: letters, digits and `_` only. */
export const plainName = (text: string): string => text.replace(/[^\p{L}\p{N}_ -]/gu, '').slice(0, 64);
