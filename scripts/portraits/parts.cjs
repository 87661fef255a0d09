'use strict';
/*
 * Part definitions of the portrait kit. A part is a function that returns SVG text built with
 * shapes.cjs. Two coordinate systems are in use:
 *   - body parts and backgrounds: the 320 x 320 canvas;
 *   - head, hair, face and head wear: the middle of the head is 0,0, the chin is near y = 65,
 *     the crown near y = -64 and the cheeks near x = -47 and 47. x grows to the viewer's right.
 * Only path, circle, ellipse, rect and g are used, with plain presentation attributes.
 */
const hair = require('./hair.cjs');
const { fill, line, circle, ring, ellipse, rect } = require('./shapes.cjs');

/* One background shape a character. */
const backgrounds = {
  circle: (c) => circle(160, 158, 132, c),
  arch: (c) => fill('M36 320 L36 146 C36 74 90 18 160 18 C230 18 284 74 284 146 L284 320 Z', c),
  leaf: (c) => fill('M34 46 L196 30 C252 30 290 72 290 130 L286 290 L120 292 C70 290 30 250 30 196 Z', c),
  pebble: (c) =>
    fill('M58 92 C92 26 196 12 250 62 C306 114 302 214 256 262 C206 312 100 306 54 254 C14 206 26 146 58 92 Z', c),
  tile: (c) => rect(32, 34, 256, 256, 36, c),
  hill: (c) => fill('M14 320 C14 236 26 128 92 74 C140 36 196 40 236 80 C290 134 306 232 306 320 Z', c),
  diamond: (c) =>
    fill(
      'M138 28 C151 15 169 15 182 28 L294 140 C307 153 307 171 294 184 L182 296 C169 309 151 309 138 296 L26 184 C13 171 13 153 26 140 Z',
      c,
    ),
  sun: (c) => {
    let out = circle(160, 160, 112, c);
    for (let i = 0; i < 12; i += 1) {
      const a = (i * Math.PI) / 6;
      out += circle(160 + 112 * Math.cos(a), 160 + 112 * Math.sin(a), 29, c);
    }
    return out;
  },
};

/* Head outlines. */
const heads = {
  oval: 'M-47 -10 C-47 -46 -27 -66 0 -66 C27 -66 47 -46 47 -10 C47 28 27 66 0 66 C-27 66 -47 28 -47 -10 Z',
  round: 'M-50 -6 C-50 -44 -28 -64 0 -64 C28 -64 50 -44 50 -6 C50 34 30 63 0 63 C-30 63 -50 34 -50 -6 Z',
  square: 'M-47 -12 C-47 -46 -28 -66 0 -66 C28 -66 47 -46 47 -12 L46 22 C44 46 24 66 0 66 C-24 66 -44 46 -46 22 Z',
  heart: 'M-49 -14 C-49 -48 -28 -66 0 -66 C28 -66 49 -48 49 -14 C49 20 22 67 0 67 C-22 67 -49 20 -49 -14 Z',
  long: 'M-44 -14 C-44 -50 -25 -68 0 -68 C25 -68 44 -50 44 -14 L43 18 C41 48 22 73 0 73 C-22 73 -41 48 -43 18 Z',
};

/* Noses: one quiet stroke. */
const noses = {
  soft: (c) => line('M-1 2 C-3 10 -8 17 -6 20 C-4 23 2 23 5 21', c, 3),
  button: (c) => line('M-6 18 C-3 23 3 23 6 18', c, 3),
  straight: (c) => line('M2 -2 C4 8 10 16 7 20 C5 23 0 23 -3 21', c, 3),
  broad: (c) => line('M-10 17 C-9 23 -3 21 0 23 C3 21 9 23 10 17', c, 3),
};

/* Clothing, drawn on the canvas. `c` main, `s` shade, `a` the layer beneath. `skin` fills a neckline. */
const TORSO = 'M38 320 C40 268 72 246 128 232 C146 242 174 242 192 232 C248 246 280 268 282 320 Z';
const clothes = {
  blazer: ({ c, s, a }) =>
    fill(TORSO, c) +
    fill('M126 231 C140 246 180 246 194 231 L176 320 L144 320 Z', a) +
    fill('M128 229 L112 242 L104 268 L120 272 L114 282 L146 320 L154 320 C142 292 132 258 128 229 Z', s) +
    fill('M192 229 L208 242 L216 268 L200 272 L206 282 L174 320 L166 320 C178 292 188 258 192 229 Z', s) +
    line('M66 320 C67 304 70 294 74 286', s, 3) +
    line('M254 320 C253 304 250 294 246 286', s, 3),
  crew: ({ c, s }) =>
    fill(TORSO, c) +
    line('M124 236 C140 256 180 256 196 236', s, 9) +
    line('M72 320 C73 304 76 294 80 286', s, 3) +
    line('M248 320 C247 304 244 294 240 286', s, 3),
  stripes: ({ c, s, a }) =>
    fill(TORSO, c) +
    line('M75 268 C120 284 200 284 245 268', a, 9) +
    line('M60 289 C115 306 205 306 260 289', a, 9) +
    line('M54 312 C110 328 210 328 266 312', a, 9) +
    line('M124 235 C140 253 180 253 196 235', s, 8),
  dungarees: ({ c, s, a, b }) =>
    fill(TORSO, a) +
    line('M62 283 C112 299 208 299 258 283', b, 8) +
    line('M80 263 C124 277 196 277 240 263', b, 8) +
    line('M124 235 C140 253 180 253 196 235', b, 7) +
    fill('M94 246 L116 236 L124 290 L196 290 L204 236 L226 246 L222 320 L98 320 Z', c) +
    line('M120 290 L200 290', s, 4) +
    circle(113, 286, 6, s) +
    circle(207, 286, 6, s),
  shirt: ({ c, s, a }) =>
    fill(TORSO, c) +
    fill('M132 230 L160 262 L188 230 C176 240 144 240 132 230 Z', a) +
    fill('M128 224 L118 238 L138 268 L160 256 Z', s) +
    fill('M192 224 L202 238 L182 268 L160 256 Z', s) +
    line('M160 262 L160 320', s, 3) +
    circle(168, 286, 3, s) +
    circle(168, 308, 3, s),
  cardigan: ({ c, s, a }) =>
    fill(TORSO, c) +
    fill('M124 233 C138 250 182 250 196 233 L170 320 L150 320 Z', a) +
    line('M124 233 C128 264 140 294 150 320', s, 8) +
    line('M196 233 C192 264 180 294 170 320', s, 8),
  hoodie: ({ c, s }) =>
    fill(TORSO, c) +
    fill(
      'M104 242 C112 216 126 216 132 224 C144 242 176 242 188 224 C194 216 208 216 216 242 C196 272 124 272 104 242 Z',
      s,
    ) +
    fill('M130 230 C142 244 178 244 190 230 C180 256 140 256 130 230 Z', c) +
    line('M144 262 L143 292', '#FAF7F2', 3.4) +
    line('M176 262 L177 288', '#FAF7F2', 3.4),
  polo: ({ c, s }) =>
    fill(TORSO, c) +
    fill('M130 226 L116 240 L142 258 L160 246 L178 258 L204 240 L190 226 C176 240 144 240 130 226 Z', s) +
    line('M160 248 L160 286', s, 3) +
    circle(166, 266, 2.6, s),
  vneck: ({ c, s, skin }) =>
    fill(TORSO, c) +
    fill('M128 230 L160 276 L192 230 C176 240 144 240 128 230 Z', skin) +
    line('M126 231 L160 278 L194 231', s, 6),
};

/* Things on the head, over the face. */
const accessories = {
  studs: (c) => circle(-50, 20, 4, c) + circle(50, 20, 4, c),
  hoops: (c) => ring(-51, 27, 8, c, 3) + ring(51, 27, 8, c, 3),
  ear_ring_left: (c) => ring(-51, 19, 5, c, 2.6),
  glasses_round: (c) =>
    ring(-21, 4, 16.5, c, 3.4) +
    ring(21, 4, 16.5, c, 3.4) +
    line('M-5 2 C-2 -1 2 -1 5 2', c, 3.4) +
    line('M-37 1 L-47 -3', c, 3) +
    line('M37 1 L47 -3', c, 3),
  glasses_square: (c) =>
    line('M-38 -7 L-7 -7 L-8 11 C-9 17 -34 17 -36 11 Z', c, 3.4) +
    line('M38 -7 L7 -7 L8 11 C9 17 34 17 36 11 Z', c, 3.4) +
    line('M-7 -3 C-3 -6 3 -6 7 -3', c, 3.4) +
    line('M-38 -5 L-46 -7', c, 3) +
    line('M38 -5 L46 -7', c, 3),
  freckles: (c) =>
    [
      [-30, 17],
      [-23, 21],
      [-33, 24],
      [30, 17],
      [23, 21],
      [33, 24],
      [-16, 17],
      [16, 17],
    ]
      .map(([x, y]) => circle(x, y, 1.5, c))
      .join(''),
  beard: (c) =>
    fill(
      'M-46 12 C-46 46 -26 72 0 72 C26 72 46 46 46 12 C42 24 36 28 28 28 C18 26 8 25 0 27 C-8 25 -18 26 -28 28 C-36 28 -42 24 -46 12 Z',
      c,
    ),
  moustache: (c) => fill('M-22 32 C-16 24 -6 24 0 27 C6 24 16 24 22 32 C14 33 6 32 0 31 C-6 32 -14 33 -22 32 Z', c),
  age_lines: (c) => line('M-36 14 C-33 17 -28 18 -24 18', c, 1.8) + line('M36 14 C33 17 28 18 24 18', c, 1.8),
  crow_lines: (c) =>
    line('M-37 9 L-40.5 10.5', c, 1.5) +
    line('M-36 13 L-39 15.5', c, 1.5) +
    line('M37 9 L40.5 10.5', c, 1.5) +
    line('M36 13 L39 15.5', c, 1.5),
  hair_clip: (c) => line('M-40 -38 L-26 -52', c, 6),
};

/* Head wear hides the hair: {back, front}. */
const headwear = {
  head_scarf: (c, s) => ({
    back: fill(
      'M-62 -4 C-66 -60 -40 -88 0 -88 C40 -88 66 -60 62 -4 C62 30 66 62 78 100 L-78 100 C-66 62 -62 30 -62 -4 Z',
      s,
    ),
    front:
      fill(
        'M0 -88 C-42 -88 -66 -58 -62 -4 C-60 40 -70 76 -78 104 C-52 132 52 132 78 104 C70 76 60 40 62 -4 C66 -58 42 -88 0 -88 Z M0 -58 C26 -58 44 -38 44 -6 C44 34 24 64 0 64 C-24 64 -44 34 -44 -6 C-44 -38 -26 -58 0 -58 Z',
        c,
      ).replace('/>', ' fill-rule="evenodd"/>') +
      line('M-54 66 C-30 92 20 94 58 74', s, 4) +
      line('M-60 92 C-30 112 20 112 66 94', s, 4),
  }),
  head_wrap: (c, s, a) => ({
    back: ellipse(4, -86, 40, 30, s),
    front:
      fill('M-52 -16 C-66 -52 -50 -92 -6 -98 C46 -102 66 -56 52 -16 C40 -40 -38 -42 -52 -16 Z', c) +
      line('M-52 -26 C-24 -56 20 -62 50 -46', s, 4) +
      line('M-54 -46 C-28 -76 14 -84 46 -70', s, 4) +
      fill('M-12 -84 C-30 -112 4 -122 12 -96 C28 -120 56 -104 32 -82 C20 -74 0 -74 -12 -84 Z', a || s),
  }),
  cap: (c, s) => ({
    back: '',
    front:
      fill('M-52 -22 C-54 -66 -32 -86 0 -86 C32 -86 54 -66 52 -22 C30 -32 -30 -32 -52 -22 Z', c) +
      fill('M-56 -18 C-40 -38 40 -38 56 -18 C30 -26 -30 -26 -56 -18 Z', s),
  }),
};

module.exports = { backgrounds, heads, noses, hair, clothes, accessories, headwear };
