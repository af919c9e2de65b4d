// What a tap or a drag selects, and which moves the selection allows. Knows lines, not rules.

import { centre, distance, line, middle, PITCH, way } from "./geometry.js";

/** @typedef {import("./types.js").Move} Move */
/** @typedef {import("./geometry.js").Point} Point */
/** @typedef {{move: Move, at: Point, towards: import("./types.js").Direction}} Handle */

/**
 * The selection after a tap on one's own marble.
 * @param {string[]} selection
 * @param {string} cell
 * @param {string[]} own
 * @returns {string[]}
 */
export function tapped(selection, cell, own) {
  if (selection.includes(cell)) {
    const rest = selection.filter((other) => other !== cell);
    return rest.length === 2 && !isLine(rest) ? [cell] : rest;
  }
  return joined(selection, cell, own) ?? [cell];
}

/**
 * The line that a selection and one more marble make; a gap of one marble between them is filled.
 * @param {string[]} selection
 * @param {string} cell
 * @param {string[]} own
 * @returns {string[] | null}
 */
function joined(selection, cell, own) {
  const lines = selection.map((other) => line(other, cell));
  const longest = lines.reduce((a, b) => (b && b.length > (a?.length ?? 0) ? b : a), null);
  if (!longest || !longest.every((at) => own.includes(at))) return null;
  return selection.every((at) => longest.includes(at)) ? longest : null;
}

/** @param {string[]} pair */
function isLine([a, b]) {
  return line(a, b)?.length === 2;
}

/**
 * The marbles from one to another if all of them are one's own.
 * @param {string} from
 * @param {string} to
 * @param {string[]} own
 */
export function dragged(from, to, own) {
  const cells = line(from, to);
  return cells?.every((cell) => own.includes(cell)) ? cells : null;
}

/**
 * The moves that exactly these marbles can make.
 * @param {Move[]} moves
 * @param {string[]} selection
 */
export function movesOf(moves, selection) {
  return moves.filter(
    ({ marbles }) => marbles.length === selection.length && marbles.every((cell) => selection.includes(cell)),
  );
}

/**
 * Where the arrows for a selection's moves stand: before the leading marble in line, between the target cells
 * broadside.
 * @param {Move[]} moves those of the selection
 * @param {boolean} flip
 * @returns {Handle[]}
 */
export function handles(moves, flip) {
  return moves.map((move) => {
    const towards = move.direction;
    const { x, y } = way(towards, flip);
    const points = move.marbles.map((cell) => centre(cell, flip));
    const from = middle(points);
    const ahead = Math.max(...points.map((p) => ((p.x - from.x) * x + (p.y - from.y) * y) / PITCH));
    const inLine = Math.abs(ahead - ((points.length - 1) * PITCH) / 2) < 1;
    const reach = (inLine ? ahead + PITCH : PITCH) / PITCH;
    return { move, towards, at: { x: from.x + x * reach, y: from.y + y * reach } };
  });
}

/**
 * The arrow nearest to a point, if one is within reach of a finger.
 * @param {Handle[]} all
 * @param {Point} point
 * @param {number} reach
 */
export function nearest(all, point, reach) {
  const [best] = [...all].sort((a, b) => distance(a.at, point) - distance(b.at, point));
  return best && distance(best.at, point) <= reach ? best : null;
}

/**
 * The move whose direction a drag has, if it is within 35 degrees, and how far it went: 1 is a whole step.
 * @param {Handle[]} all
 * @param {Point} from
 * @param {Point} to
 * @param {boolean} flip
 * @returns {{handle: Handle, part: number} | null}
 */
export function along(all, from, to, flip) {
  const length = distance(from, to);
  if (length < 8) return null;
  let best = null;
  for (const handle of all) {
    const { x, y } = way(handle.towards, flip);
    const projection = ((to.x - from.x) * x + (to.y - from.y) * y) / PITCH;
    const cosine = projection / length;
    if (cosine > 0.82 && (!best || cosine > best.cosine)) {
      best = { cosine, handle, part: Math.min(1, projection / PITCH) };
    }
  }
  return best && { handle: best.handle, part: best.part };
}
