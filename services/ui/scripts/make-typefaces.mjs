/**
 * Makes the typefaces of the page out of their packages into dist/typefaces: the letters of Western Europe and the marks
 * of its texts, in the weights that the page uses; each family's licence beside them. What is left out is shown in a
 * typeface of the system.
 */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import subsetFont from 'subset-font';

const { resolve } = createRequire(import.meta.url);
const output = fileURLToPath(new URL('../dist/typefaces', import.meta.url));

/** Letters, digits and marks from one code point to another. */
const range = (first, last) =>
  Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at)).join('');

const CHARACTERS = range(0x20, 0x7e) + range(0xa0, 0xff) + 'ıŒœŠšŸŽžˆ˜–—‘’‚“”„†‡•…‰‹›⁄€™−';
/** From reading text to what is strong in it. */
const WEIGHTS = { min: 400, max: 600 };

const TYPEFACES = [
  { file: 'literata-roman', family: 'literata', source: 'literata-latin-wght-normal' },
  { file: 'literata-italic', family: 'literata', source: 'literata-latin-wght-italic' },
  { file: 'figtree', family: 'figtree', source: 'figtree-latin-wght-normal' },
];

export async function makeTypefaces() {
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  for (const { file, family, source } of TYPEFACES) {
    const whole = readFileSync(resolve(`@fontsource-variable/${family}/files/${source}.woff2`));
    const font = await subsetFont(whole, CHARACTERS, { targetFormat: 'woff2', variationAxes: { wght: WEIGHTS } });
    writeFileSync(path.join(output, `${file}.woff2`), font);
    copyFileSync(resolve(`@fontsource-variable/${family}/LICENSE`), path.join(output, `${family}-licence.txt`));
  }
}
