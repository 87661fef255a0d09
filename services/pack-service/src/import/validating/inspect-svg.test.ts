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

  it('says of a path that is too long that it is, not that the file is damaged', () => {
    expect(inspectSvg(svg(`<path d="${'L 1 2 '.repeat(50_000)}"/>`))).toEqual([
      expect.objectContaining({ rule: 'asset.unsafe-svg', message: 'An attribute is longer than 64 KB.' }),
    ]);
  });

  describe('that refers to itself', () => {
    /** Each of the levels draws the one below it ten times. */
    const nested = (
      reference: (id: string) => string,
      wrap = (id: string, inner: string) => `<g id="${id}">${inner}</g>`,
    ) =>
      svg(
        `<defs><rect id="l0"/>${Array.from({ length: 9 }, (_, level) =>
          wrap(`l${level + 1}`, reference(`l${level}`).repeat(10)),
        ).join('')}</defs>${reference('l9')}`,
      );

    it.each<[string, string]>([
      ['use', nested((id) => `<use href="#${id}"/>`)],
      ['use by its older name', nested((id) => `<use xlink:href="#${id}"/>`)],
      ['symbols', nested((id) => `<use href="#${id}"/>`, (id, inner) => `<symbol id="${id}">${inner}</symbol>`)],
      ['masks', nested((id) => `<g mask="url(#${id})"/>`, (id, inner) => `<mask id="${id}">${inner}</mask>`)],
      ['clips in a style', nested((id) => `<g style="opacity: 1; clip-path : url( '#${id}' )"/>`, (id, inner) => `<clipPath id="${id}">${inner}</clipPath>`)],
      ['paints', nested((id) => `<rect fill="url(#${id})"/>`)],
      ['markers in capitals', nested((id) => `<path style="MARKER-START:URL(#${id})"/>`)],
    ])('refuses %s that come to billions of elements', (_name, text) => {
      expect(text.length).toBeLessThan(8_000);
      expect(inspectSvg(text)).toContainEqual(
        expect.objectContaining({ rule: 'asset.unsafe-svg', message: expect.stringContaining('20000 elements') as string }),
      );
    }); // prettier-ignore

    it('counts a paint of a group for everything in it', () => {
      const gradient = `<linearGradient id="g">${'<stop/>'.repeat(1_000)}</linearGradient>`;
      expect(inspectSvg(svg(`${gradient}<g>${'<rect/>'.repeat(1_000)}</g><rect fill="url(#g)"/>`))).toEqual([]);
      expect(rules(svg(`${gradient}<g fill="url(#g)">${'<rect/>'.repeat(1_000)}</g>`))).toEqual(['asset.unsafe-svg']);
    });

    it('counts the gradients that a gradient takes over', () => {
      const chain = (length: number): string =>
        svg(Array.from({ length }, (_, index) => `<linearGradient id="g${index}" href="#g${index + 1}"/>`).join(''));
      expect(inspectSvg(chain(100))).toEqual([]);
      expect(rules(chain(1_000))).toEqual(['asset.unsafe-svg']);
    });

    it('counts how long the shapes are, too', () => {
      const path = `<path id="p" d="${'L 1 2 '.repeat(10_000)}"/>`;
      expect(inspectSvg(svg(`${path}${'<use href="#p"/>'.repeat(100)}`))).toEqual([]);
      expect(rules(svg(`${path}${'<use href="#p"/>'.repeat(1_000)}`))).toEqual(['asset.unsafe-svg']);
    });

    it.each([
      ['an element that draws itself', '<use id="a" href="#a"/>'],
      ['an element that draws what it is in', '<g id="a"><g><use href="#a"/></g></g>'],
      ['two that draw each other', '<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>'],
      ['a mask of itself', '<mask id="m"><rect mask="url(#m)"/></mask>'],
      [
        'a clip by way of a mask',
        '<clipPath id="c"><rect mask="url(#m)"/></clipPath><mask id="m"><rect clip-path="url(#c)"/></mask>',
      ],
      ['gradients in a circle', '<linearGradient id="a" href="#b"/><radialGradient id="b" href="#a"/>'],
    ])('refuses %s', (_name, inner) => {
      expect(inspectSvg(svg(inner))).toEqual([
        expect.objectContaining({ rule: 'asset.unsafe-svg', message: 'The picture refers to itself in a circle.' }),
      ]);
    });

    it.each([
      ['a variable', '<g style="--m: url(#m)"><g mask="var(--m)"/></g><mask id="m"/>'],
      ["the parent's mask", '<g mask="url(#m)"><g mask="inherit"/></g><mask id="m"/>'],
      ['all of the parent', '<g mask="url(#m)"><g style="all: inherit"/></g><mask id="m"/>'],
      ['a comment', '<g style="mask/**/: url(#m)"/><mask id="m"/>'],
      ['an encoded id', '<g mask="url(#%6d)"/><mask id="m"/>'],
      ['an unclosed address', '<g mask="url(#m"/><mask id="m"/>'],
    ])('refuses a reference that is hidden by %s', (_name, inner) => {
      expect(rules(svg(inner))).toContain('asset.unsafe-svg');
    });

    it('accepts thousands of references that stay small, missing ones, and ids that are there twice', () => {
      const inner = `<defs><g id="a"><rect/><rect/></g></defs>${'<use href="#a"/>'.repeat(4_000)}<use href="#none"/><g id="a"/>`;
      expect(inspectSvg(svg(inner))).toEqual([]);
      expect(inspectSvg(svg('<g fill="inherit" stroke="none" style="fill:#fff;stroke:inherit"/>'))).toEqual([]);
    });

    it('takes time in proportion to the file', () => {
      const time = (length: number): number => {
        // The widest that is accepted: every element refers to one that is small.
        const text = svg(`<rect id="a"/>${'<use href="#a" mask="url(#b)" style="fill:url(#c)"/>'.repeat(length)}`);
        const times = Array.from({ length: 5 }, () => {
          const start = performance.now();
          inspectSvg(text);
          return performance.now() - start;
        });
        return Math.min(...times);
      };
      time(500);
      const attempts = Array.from({ length: 5 }, () => time(8_000) / time(1_000));
      expect(Math.min(...attempts)).toBeLessThan(24);
    });
  });
});
