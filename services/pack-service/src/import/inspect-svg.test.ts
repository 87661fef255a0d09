import { inspectSvg } from './inspect-svg';

const svg = (inner: string, attributes = ''): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"${attributes}>${inner}</svg>`;
const rules = (text: string): string[] => inspectSvg(text).map((problem) => problem.rule);

describe('inspecting SVG', () => {
  it('accepts shapes, gradients within the file and a title', () => {
    expect(
      inspectSvg(
        `<?xml version="1.0"?>\n${svg('<title>A</title><defs><linearGradient id="g"/></defs><rect fill="url(#g)"/><use href="#g"/>')}`,
      ),
    ).toEqual([]);
  });

  it.each([
    ['a script', svg('<script>1</script>')],
    ['a style', svg('<style>a{}</style>')],
    ['a handler', svg('', ' onload="x()"')],
    ['foreign content', svg('<foreignObject/>')],
    ['a picture', svg('<image href="#a"/>')],
    ['an animation', svg('<set attributeName="href"/>')],
    ['a data address', svg('<use href="data:image/svg+xml,x"/>')],
    ['a script address', svg('<a href="javascript:x"/>')],
    ['an escaped url in a style attribute', svg('<g style="fill:u\\72l(x)"/>')],
    ['a url that is no fragment', svg('<g fill="url(other.svg#a)"/>')],
    ['a document type with an entity', `<!DOCTYPE svg [<!ENTITY a "b">]>${svg('&a;')}`],
    ['a style sheet instruction', `<?xml-stylesheet href="a.css"?>${svg('')}`],
    ['HTML', '<html><body/></html>'],
    ['text', 'hello'],
    ['an unclosed element', '<svg xmlns="http://www.w3.org/2000/svg"><g>'],
    ['a foreign namespace', svg('', ' xmlns:h="http://www.w3.org/1999/xhtml"')],
    ['deep nesting', svg('<g>'.repeat(100) + '</g>'.repeat(100))],
  ])('refuses %s', (_name, text) => {
    expect(rules(text)).toContain('asset.unsafe-svg');
  });

  it.each([
    svg('<use href="https://example.test/a.svg#b"/>'),
    svg('<g fill="url(//example.test/a)"/>'),
    svg('<text>https://example.test</text>'),
  ])('says that %s points out of the pack', (text) => {
    expect(rules(text)).toContain('asset.external-url');
  });
});
