'use strict';
/*
 * Draws the portraits of every character in characters.json.
 *
 *   node scripts/portraits/draw.cjs           write the files
 *   node scripts/portraits/draw.cjs --check   exit 1 when a committed file differs from what would be drawn
 *
 * No dependencies, no time, no chance: the same parts give the same bytes on every machine.
 */
const fs = require('node:fs');
const path = require('node:path');
const parts = require('./parts.cjs');
const emotions = require('./emotions.cjs');

const { n, fill, line, circle, ellipse } = require('./shapes.cjs');
const INK = '#2A211D';
const EYE_WHITE = '#FFFCF6';
const MOUTH = '#6E2F2C';
const TEETH = '#FFFCF6';
const TONGUE = '#C4665B';

const pick = (set, name, what, who) => {
  if (!Object.hasOwn(set, name)) {
    throw new Error(`${who}: no ${what} "${name}" (known: ${Object.keys(set).join(', ')})`);
  }
  return set[name];
};

/* A flat colour between two, so that no opacity is needed. */
function mix(from, to, share) {
  const at = (hex, i) => parseInt(hex.slice(i, i + 2), 16);
  const one = (i) =>
    Math.round(at(from, i) + (at(to, i) - at(from, i)) * share)
      .toString(16)
      .padStart(2, '0');
  return `#${one(1)}${one(3)}${one(5)}`.toUpperCase();
}

/* Written for the viewer's right eye; the left one is its mirror image, with the gaze kept. */
function eye(side, e, c) {
  const place = (inner) => `<g transform="translate(${n(side * 21)} 4)${side < 0 ? ' scale(-1 1)' : ''}">${inner}</g>`;
  if (e.shut === 'smile') return place(line('M-10 2 C-6 -7 6 -7 10 2', INK, 3.6));
  if (e.shut === 'rest') return place(line('M-10 -1 C-6 6 6 6 10 -1', INK, 3.6) + line('M8 2 L11.5 4', INK, 2.6));
  const lookX = e.look[0] * side;
  const lookY = e.look[1];
  const h = 7.2 * e.open;
  const inner = -1 - (e.slant < 0 ? e.slant * 0.9 : 0);
  const outer = -0.5 + (e.slant > 0 ? e.slant * 0.7 : 0) + (e.slant < 0 ? e.slant * 0.5 : 0);
  const top = -2 * h + 1;
  const low = 6.4 - e.lower;
  let out = ellipse(0, 0, 10.4, Math.max(h, 6) + 0.6, EYE_WHITE);
  out += circle(lookX, lookY - 0.3, 5.1, c.iris);
  out += circle(lookX, lookY - 0.3, 2.7, INK);
  out += circle(lookX * 1 + 1.8 * side, lookY - 2.4, e.shine ? 2 : 1.4, EYE_WHITE);
  if (e.shine) out += circle(lookX - 2 * side, lookY + 1.8, 1, EYE_WHITE);
  out += fill(`M-14 -15 L14 -15 L12 ${n(outer)} C7 ${n(top * 0.62)} -7 ${n(top * 0.62)} -12 ${n(inner)} Z`, c.skin);
  out += fill(`M-14 15 L14 15 L12 ${n(outer)} C8 ${n(low * 1.32)} -8 ${n(low * 1.32)} -12 ${n(inner)} Z`, c.skin);
  out += line(`M11.4 ${n(outer)} C7 ${n(top * 0.62)} -7 ${n(top * 0.62)} -11 ${n(inner)}`, INK, 3.2);
  if (c.lashes) out += line(`M11.4 ${n(outer)} L14 ${n(outer - 2.6)}`, INK, 2.6);
  if (e.lower > 1.4)
    out += line(`M-7 ${n(low + 1.6)} C-3 ${n(low + 3.2)} 3 ${n(low + 3.2)} 7 ${n(low + 1.4)}`, c.shade, 1.8);
  return place(out);
}

function brow(side, [inner, outer, arch], c) {
  const y = -15;
  const p = (x) => n(side * x);
  return line(
    `M${p(9)} ${n(y + inner)} C${p(17)} ${n(y + (inner + outer) / 2 + arch)} ${p(25)} ${n(y + outer + arch)} ${p(35)} ${n(y + outer + 2)}`,
    c.brow,
    c.browWidth,
  );
}

function mouth(m, c) {
  const y = 38;
  const w = m.width;
  const x = m.shift || 0;
  switch (m.kind) {
    case 'line':
      return line(
        `M${n(x - w)} ${n(y - m.bend * 0.45)} C${n(x - w * 0.5)} ${n(y + m.bend * 0.75)} ${n(x + w * 0.5)} ${n(y + m.bend * 0.75)} ${n(x + w)} ${n(y - m.bend * 0.45)}`,
        c.lip,
        4,
      );
    case 'smirk':
      return line(
        `M${n(x - w)} ${n(y + m.lift * 0.2)} C${n(x - w * 0.4)} ${n(y + m.bend)} ${n(x + w * 0.5)} ${n(y + m.bend)} ${n(x + w)} ${n(y - m.lift)}`,
        c.lip,
        4,
      );
    case 'wave':
      return line(
        `M${n(x - w)} ${n(y + m.amp * 0.6)} C${n(x - w * 0.7)} ${n(y - m.amp * 2)} ${n(x - w * 0.3)} ${n(y - m.amp * 1.4)} ${n(x)} ${n(y)} C${n(x + w * 0.3)} ${n(y + m.amp * 1.4)} ${n(x + w * 0.7)} ${n(y + m.amp * 1.4)} ${n(x + w)} ${n(y - m.amp * 0.4)}`,
        c.lip,
        4,
      );
    case 'pressed':
      return (
        line(
          `M${n(-w)} ${n(y - m.bend * 0.6)} C${n(-w * 0.5)} ${n(y + m.bend * 0.5)} ${n(w * 0.5)} ${n(y + m.bend * 0.5)} ${n(w)} ${n(y - m.bend * 0.6)}`,
          c.lip,
          5,
        ) + line(`M-6 ${n(y + 9)} C-3 ${n(y + 7.6)} 3 ${n(y + 7.6)} 6 ${n(y + 9)}`, c.shade, 2.4)
      );
    case 'grin':
      return (
        fill(
          `M${n(-w)} ${n(y - 6)} C${n(-w * 0.4)} ${n(y - 3)} ${n(w * 0.4)} ${n(y - 3)} ${n(w)} ${n(y - 6)} C${n(w)} ${n(y + m.depth * 0.6)} ${n(w * 0.5)} ${n(y + m.depth * 0.82)} 0 ${n(y + m.depth * 0.82)} C${n(-w * 0.5)} ${n(y + m.depth * 0.82)} ${n(-w)} ${n(y + m.depth * 0.6)} ${n(-w)} ${n(y - 6)} Z`,
          MOUTH,
        ) +
        fill(
          `M${n(-w + 2)} ${n(y - 5)} C${n(-w * 0.4)} ${n(y - 2.6)} ${n(w * 0.4)} ${n(y - 2.6)} ${n(w - 2)} ${n(y - 5)} L${n(w - 3.4)} ${n(y)} C${n(w * 0.4)} ${n(y + 2.6)} ${n(-w * 0.4)} ${n(y + 2.6)} ${n(-w + 3.4)} ${n(y)} Z`,
          TEETH,
        ) +
        ellipse(0, y + m.depth * 0.62, w * 0.42, 2.8, TONGUE)
      );
    case 'oh':
      return ellipse(0, y + 3, w, m.depth, c.lip) + ellipse(0, y + 3, w - 3, m.depth - 3.4, MOUTH);
    case 'shout':
      return (
        fill(
          `M${n(-w)} ${n(y + m.depth * 0.7)} C${n(-w * 0.9)} ${n(y - m.depth * 0.5)} ${n(-w * 0.4)} ${n(y - m.depth * 0.62)} 0 ${n(y - m.depth * 0.55)} C${n(w * 0.4)} ${n(y - m.depth * 0.62)} ${n(w * 0.9)} ${n(y - m.depth * 0.5)} ${n(w)} ${n(y + m.depth * 0.7)} C${n(w * 0.4)} ${n(y + m.depth * 0.5)} ${n(-w * 0.4)} ${n(y + m.depth * 0.5)} ${n(-w)} ${n(y + m.depth * 0.7)} Z`,
          MOUTH,
        ) +
        fill(
          `M${n(-w * 0.74)} ${n(y - m.depth * 0.18)} C${n(-w * 0.4)} ${n(y - m.depth * 0.5)} ${n(w * 0.4)} ${n(y - m.depth * 0.5)} ${n(w * 0.74)} ${n(y - m.depth * 0.18)} C${n(w * 0.4)} ${n(y - m.depth * 0.06)} ${n(-w * 0.4)} ${n(y - m.depth * 0.06)} ${n(-w * 0.74)} ${n(y - m.depth * 0.18)} Z`,
          TEETH,
        )
      );
    case 'sigh':
      return fill(
        `M${n(-w)} ${n(y - 3)} C${n(-w * 0.4)} ${n(y)} ${n(w * 0.4)} ${n(y)} ${n(w)} ${n(y - 3)} C${n(w * 0.7)} ${n(y + m.depth)} ${n(-w * 0.7)} ${n(y + m.depth)} ${n(-w)} ${n(y - 3)} Z`,
        MOUTH,
      );
    default:
      throw new Error(`no mouth of kind "${m.kind}"`);
  }
}

function portrait(ch, emotion) {
  const who = ch.id;
  const f = pick(emotions, emotion, 'emotion', who);
  const c = {
    skin: ch.skin.base,
    shade: ch.skin.shade,
    blush: ch.skin.blush,
    lip: ch.skin.lip,
    iris: ch.iris,
    brow: ch.brow.color,
    browWidth: ch.brow.width,
    lashes: ch.lashes,
  };
  const bg = pick(parts.backgrounds, ch.background.shape, 'background', who)(ch.background.color);
  const body = pick(
    parts.clothes,
    ch.clothes.style,
    'clothes',
    who,
  )({ c: ch.clothes.color, s: ch.clothes.shade, a: ch.clothes.accent, b: ch.clothes.second, skin: c.skin });
  const hair = ch.headwear
    ? pick(
        parts.headwear,
        ch.headwear.style,
        'head wear',
        who,
      )(ch.headwear.color, ch.headwear.shade, ch.headwear.accent)
    : pick(parts.hair, ch.hair.style, 'hair', who)(ch.hair.color, ch.hair.shade, ch.hair.accent);
  const extra = (at) =>
    (ch.accessories || [])
      .filter((a) => (a.at || 'face') === at)
      .map((a) => pick(parts.accessories, a.part, 'accessory', who)(a.color))
      .join('');
  const left = f.brow[0];
  const right = f.brow[1] || left;
  const tilt = `translate(160 ${n(137 + (f.drop || 0))}) rotate(${n(f.tilt)} 0 92) scale(1.14)`;
  const ears =
    ch.ears === false || ch.headwear?.style === 'head_scarf'
      ? ''
      : [-1, 1]
          .map(
            (s) =>
              ellipse(s * 47, 8, 8, 12, c.skin) +
              line(`M${n(s * 48)} 3 C${n(s * 52)} 6 ${n(s * 50)} 12 ${n(s * 47)} 13`, c.shade, 2),
          )
          .join('');
  const cheeks =
    f.blush > 0 ? [-1, 1].map((s) => ellipse(s * 30, 24, 10, 6.4, mix(c.skin, c.blush, f.blush * 0.8))).join('') : '';
  const rows = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 320" width="320" height="320">`,
    `<title>${ch.name}, ${emotion}</title>`,
    `<g>${bg}</g>`,
    hair.back && `<g transform="${tilt}">${hair.back}</g>`,
    `<g>${fill('M138 176 L182 176 L184 226 C190 232 200 234 206 236 L160 262 L114 236 C120 234 130 232 136 226 Z', c.skin)}${fill('M137 196 C148 222 172 222 183 196 L183.4 216 C172 234 148 234 136.6 216 Z', c.shade)}</g>`,
    `<g>${body}</g>`,
    `<g transform="${tilt}">`,
    ears,
    extra('ears'),
    fill(pick(parts.heads, ch.head, 'head', who), c.skin),
    eye(-1, f.eye, c),
    eye(1, f.eye, c),
    cheeks,
    extra('skin'),
    pick(parts.noses, ch.nose, 'nose', who)(c.shade),
    mouth(f.mouth, c),
    hair.front,
    brow(-1, left, c),
    brow(1, right, c),
    extra('face'),
    `</g>`,
    `</svg>`,
  ];
  return rows.filter(Boolean).join('\n') + '\n';
}

function all(characters, root) {
  const files = [];
  for (const ch of characters) {
    for (const emotion of ch.emotions || Object.keys(emotions)) {
      files.push({ file: path.join(root, ch.out, `${emotion}.svg`), text: portrait(ch, emotion) });
    }
  }
  return files;
}

function main(argv) {
  const unknown = argv.find((a) => a !== '--check');
  if (unknown) {
    process.stderr.write(`unknown option ${unknown}; usage: node scripts/portraits/draw.cjs [--check]\n`);
    return 2;
  }
  const root = path.join(__dirname, '..', '..', 'packs');
  const { characters } = JSON.parse(fs.readFileSync(path.join(__dirname, 'characters.json'), 'utf8'));
  const files = all(characters, root);
  if (argv.includes('--check')) {
    const stale = files.filter(
      ({ file, text }) => !fs.existsSync(file) || fs.readFileSync(file, 'utf8').replaceAll('\r\n', '\n') !== text,
    );
    for (const { file } of stale) process.stderr.write(`differs: ${path.relative(process.cwd(), file)}\n`);
    if (stale.length > 0) return 1;
    process.stdout.write(`${files.length} portraits are up to date\n`);
    return 0;
  }
  for (const { file, text } of files) {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  }
  process.stdout.write(`${files.length} portraits drawn\n`);
  return 0;
}

process.exitCode = main(process.argv.slice(2));
