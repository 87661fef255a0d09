import { parser } from 'sax';
import { isPlainValue, MAX_DRAWN_ELEMENTS, SvgReferences } from './svg-references';

const ELEMENTS = new Set([
  'svg', 'g', 'path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon', 'defs', 'linearGradient',
  'radialGradient', 'stop', 'clipPath', 'mask', 'title', 'desc', 'use', 'symbol', 'text', 'tspan',
]); // prettier-ignore
const NAMESPACES: Readonly<Record<string, string>> = {
  xmlns: 'http://www.w3.org/2000/svg',
  'xmlns:xlink': 'http://www.w3.org/1999/xlink',
};
const MAX_NESTING = 64;

export interface SvgProblem {
  readonly rule: 'asset.unsafe-svg' | 'asset.external-url';
  readonly message: string;
  readonly line: number;
}

const EXTERNAL = /(?:^|[\s"'(=,])(?:[a-z][a-z0-9+.-]*:)?\/\//i;

/**
 * Holds an SVG against a small subset: shapes, gradients, clips, masks and texts; references within the file only, and
 * not more than 20,000 elements once they are followed. No scripts, styles, handlers, pictures, foreign content,
 * animation, entities, document types or processing instructions. The browser never gets to decide what a picture of a
 * stranger may do.
 */
export function inspectSvg(text: string): SvgProblem[] {
  const problems: SvgProblem[] = [];
  const reader = parser(true, { xmlns: false, trim: false });
  const references = new SvgReferences();
  const problem = (rule: SvgProblem['rule'], message: string, line = reader.line + 1): void => {
    if (problems.length < 20) problems.push({ rule, message, line });
  };
  let depth = 0;
  let elements = 0;
  let broken = false;
  reader.onopentag = ({ name, attributes }) => {
    elements += 1;
    depth += 1;
    if (elements === 1 && name !== 'svg') problem('asset.unsafe-svg', 'The file is no SVG picture.');
    if (!ELEMENTS.has(name)) problem('asset.unsafe-svg', `The element ${name} is not allowed.`);
    if (depth > MAX_NESTING || elements > MAX_DRAWN_ELEMENTS) {
      problem('asset.unsafe-svg', 'The picture has too many elements or is nested too deeply.');
      broken = true;
    }
    references.opened(attributes as Record<string, string>, reader.line + 1);
    for (const [attribute, value] of Object.entries(attributes as Record<string, string>)) {
      if (attribute === 'xmlns' || attribute.startsWith('xmlns:')) {
        if (NAMESPACES[attribute] !== value) problem('asset.unsafe-svg', `The namespace ${attribute} is not allowed.`);
      } else if (/^on/i.test(attribute)) problem('asset.unsafe-svg', `The handler ${attribute} is not allowed.`);
      else if (attribute === 'href' || attribute === 'xlink:href') {
        if (EXTERNAL.test(value)) problem('asset.external-url', `${attribute} points out of the pack.`);
        else if (!/^#[\w.-]+$/.test(value))
          problem('asset.unsafe-svg', `${attribute} may only point into the same file.`);
      } else if (attribute.includes(':') && attribute !== 'xml:space' && attribute !== 'xml:lang')
        problem('asset.unsafe-svg', `The attribute ${attribute} is not allowed.`);
      else if (EXTERNAL.test(value))
        problem('asset.external-url', `The attribute ${attribute} points out of the pack.`);
      else if (/@import|expression\s*\(|javascript:|data:|\\/i.test(value) || !isPlainValue(attribute, value))
        problem('asset.unsafe-svg', `The value of ${attribute} is not allowed.`);
    }
  };
  reader.onclosetag = () => {
    depth -= 1;
    references.closed();
  };
  reader.ontext = (content) => {
    references.text(content.length);
    if (/\b(?:https?|ftp|wss?):\/\//i.test(content)) problem('asset.external-url', 'A text holds an address.');
  };
  reader.oncdata = () => problem('asset.unsafe-svg', 'CDATA is not allowed.');
  reader.ondoctype = () => problem('asset.unsafe-svg', 'A document type is not allowed.');
  reader.onprocessinginstruction = ({ name }) => {
    if (name !== 'xml') problem('asset.unsafe-svg', `The instruction ${name} is not allowed.`);
  };
  reader.onerror = ({ message }) => {
    const tooLong = message.startsWith('Max buffer length');
    const what = tooLong ? 'An attribute is longer than 64 KB.' : 'The file is not well-formed XML.';
    if (!broken) problem('asset.unsafe-svg', what);
    broken = true;
  };
  // In pieces, so that a file that is already refused is not read to its end.
  for (let start = 0; start < text.length && !broken; start += 16_384) reader.write(text.slice(start, start + 16_384));
  if (!broken) reader.close();
  const drawn = broken ? null : references.problem();
  if (drawn !== null) problem('asset.unsafe-svg', drawn.message, drawn.line);
  if (elements === 0 && problems.length === 0) problem('asset.unsafe-svg', 'The file is no SVG picture.');
  return problems;
}
