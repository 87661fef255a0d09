'use strict';
/* SVG shapes as text: plain presentation attributes, no more than one digit after the point. */

const n = (v) => {
  const r = Math.round(v * 10) / 10;
  return String(Object.is(r, -0) ? 0 : r);
};

const attrs = (o) =>
  Object.entries(o)
    .filter(([, v]) => v !== undefined && v !== null)
    .map(([k, v]) => ` ${k}="${typeof v === 'number' ? n(v) : v}"`)
    .join('');

const fill = (d, color) => `<path${attrs({ d, fill: color })}/>`;
const line = (d, color, width) =>
  `<path${attrs({ d, fill: 'none', stroke: color, 'stroke-width': width, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' })}/>`;
const circle = (cx, cy, r, color) => `<circle${attrs({ cx, cy, r, fill: color })}/>`;
const ring = (cx, cy, r, color, width) =>
  `<circle${attrs({ cx, cy, r, fill: 'none', stroke: color, 'stroke-width': width })}/>`;
const ellipse = (cx, cy, rx, ry, color) => `<ellipse${attrs({ cx, cy, rx, ry, fill: color })}/>`;
const rect = (x, y, width, height, rx, color) => `<rect${attrs({ x, y, width, height, rx, fill: color })}/>`;

module.exports = { n, fill, line, circle, ring, ellipse, rect };
