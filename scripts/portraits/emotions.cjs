'use strict';
/*
 * What a face does for each emotion. Every emotion sets three things, and the turn of the head:
 *   brow   [inner, outer, arch] for the viewer's left, and a second triple when the two differ.
 *          Negative is up. `inner` is the end beside the nose.
 *   eye    open: lid height (1 relaxed, above 1 wide, below 1 narrow), lower: how far the lower lid
 *          rises, slant: outer end of the upper lid lower (positive) or higher, look: [x, y] gaze.
 *          Or shut: 'smile' | 'rest'.
 *   mouth  kind and its measures, see draw.cjs.
 *   tilt   degrees, positive to the viewer's right; drop: the head sinks by so much.
 *   blush  how much the cheeks show, 0 to 1.
 */
module.exports = {
  neutral: {
    brow: [[-1, 0, -4]],
    eye: { open: 1, lower: 0, slant: 0, look: [0, 0] },
    mouth: { kind: 'line', width: 14, bend: 2.5 },
    tilt: 0,
    blush: 0.5,
  },
  warm: {
    brow: [[-3, 1, -6]],
    eye: { open: 0.95, lower: 2.2, slant: 1, look: [0, 0] },
    mouth: { kind: 'line', width: 18, bend: 9 },
    tilt: 3,
    blush: 1,
  },
  happy: {
    brow: [[-6, -3, -7]],
    eye: { shut: 'smile' },
    mouth: { kind: 'grin', width: 21, depth: 17 },
    tilt: -2,
    blush: 1,
  },
  amused: {
    brow: [
      [0, 1, -4],
      [-8, -4, -7],
    ],
    eye: { open: 0.75, lower: 2.6, slant: 0, look: [2, 0] },
    mouth: { kind: 'smirk', width: 17, bend: 7, lift: 6 },
    tilt: 4,
    blush: 0.8,
  },
  curious: {
    brow: [
      [-2, 0, -5],
      [-10, -7, -7],
    ],
    eye: { open: 1.2, lower: 0, slant: 0, look: [1.5, -1] },
    mouth: { kind: 'line', width: 11, bend: 4 },
    tilt: 7,
    blush: 0.5,
  },
  surprised: {
    brow: [[-12, -9, -8]],
    eye: { open: 1.5, lower: -1.5, slant: 0, look: [0, 0] },
    mouth: { kind: 'oh', width: 8, depth: 11 },
    tilt: 0,
    blush: 0.4,
  },
  thoughtful: {
    brow: [
      [2, 0, -3],
      [-5, -3, -5],
    ],
    eye: { open: 1, lower: 0.6, slant: 0, look: [3.6, -3.2] },
    mouth: { kind: 'smirk', width: 11, bend: 0, lift: -2, shift: 4 },
    tilt: 5,
    blush: 0.3,
  },
  hesitant: {
    brow: [[-6, 2, -2]],
    eye: { open: 0.9, lower: 0, slant: 2, look: [-3.8, 2] },
    mouth: { kind: 'wave', width: 12, amp: 1.8, shift: -2 },
    tilt: -5,
    blush: 0.4,
  },
  anxious: {
    brow: [[-11, 1, -1]],
    eye: { open: 1.3, lower: -0.5, slant: 1, look: [0, 1] },
    mouth: { kind: 'wave', width: 16, amp: 3.2 },
    tilt: -2,
    blush: 0.3,
  },
  sad: {
    brow: [[-10, 4, 0]],
    eye: { open: 0.66, lower: 0.5, slant: 4, look: [0, 3] },
    mouth: { kind: 'line', width: 14, bend: -7 },
    tilt: -4,
    drop: 5,
    blush: 0.3,
  },
  hurt: {
    brow: [[-8, 3, 2]],
    eye: { open: 0.95, lower: 1.2, slant: 3, look: [3.2, 1.6], shine: true },
    mouth: { kind: 'pressed', width: 11, bend: -5 },
    tilt: 8,
    drop: 4,
    blush: 0.9,
  },
  frustrated: {
    brow: [[5, -2, -2]],
    eye: { open: 0.72, lower: 1.2, slant: -1, look: [-2.6, -2] },
    mouth: { kind: 'pressed', width: 15, bend: -2 },
    tilt: -4,
    blush: 0.6,
  },
  angry: {
    brow: [[8, -5, -1]],
    eye: { open: 0.8, lower: 1.6, slant: -4, look: [0, 0] },
    mouth: { kind: 'shout', width: 15, depth: 11 },
    tilt: 0,
    drop: 2,
    blush: 1,
  },
  defensive: {
    brow: [
      [5, 0, -2],
      [-2, -6, -6],
    ],
    eye: { open: 0.78, lower: 1, slant: -2, look: [-2.6, 0] },
    mouth: { kind: 'smirk', width: 14, bend: -3, lift: -4 },
    tilt: 6,
    drop: -3,
    blush: 0.4,
  },
  relieved: {
    brow: [[-7, -1, -5]],
    eye: { shut: 'rest' },
    mouth: { kind: 'sigh', width: 13, depth: 7 },
    tilt: -4,
    drop: 2,
    blush: 0.8,
  },
};
