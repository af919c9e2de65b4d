// What a tap or a drag selects, and which moves the selection allows. Knows lines, not rules.

import { centre, distance, line, middle, PITCH, step, way } from "./geometry.js";
import { frontOf, isAlong, rearOf } from "./reason.js";

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

/** What is left of a selection when only these are one's own: nothing where a gap has come into it. @param {string[]} selection @param {string[]} own */
export function remaining(selection, own) {
  const rest = selection.filter((cell) => own.includes(cell));
  return rest.length === 2 && !isLine(rest) ? [] : rest;
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
 * The moves that these marbles can make together with others.
 * @param {Move[]} moves
 * @param {string[]} selection
 */
export function movesWith(moves, selection) {
  return moves.filter(({ marbles }) => marbles.length > selection.length && selection.every((cell) => marbles.includes(cell)));
}

/** Whether marbles go along their own line, and the hindmost of them was chosen: who pushes there pushes all. @param {Move} move @param {string[]} selection */
function isPushed({ marbles, direction }, selection) {
  return isAlong(marbles, direction) && selection.includes(rearOf(marbles, direction));
}

/**
 * The moves that are shown for a selection: its own; if it has none, those it leads to; and what it pushes only with those in front of it.
 * @param {Move[]} moves
 * @param {string[]} selection
 */
export function offered(moves, selection) {
  if (!selection.length) return [];
  const exact = movesOf(moves, selection);
  const more = movesWith(moves, selection);
  if (selection.length === 1) {
    const line = more.filter((move) => isPushed(move, selection));
    return exact.length ? [...exact, ...line.filter(({ pushed }) => pushed.length)] : line;
  }
  return exact.length ? [...exact, ...more.filter(({ pushed }) => pushed.length > 1)] : more;
}

/**
 * The lines in which marbles can join a selection that cannot move alone, or that can do more with them.
 * @param {Move[]} moves
 * @param {string[]} selection
 * @returns {string[][]}
 */
export function joinable(moves, selection) {
  if (!selection.length) return [];
  const dead = !movesOf(moves, selection).length;
  const more = (dead ? movesWith(moves, selection) : offered(moves, selection)).filter(({ marbles }) => marbles.length > selection.length);
  return [...new Map(more.map(({ marbles }) => [[...marbles].sort().join(), marbles])).values()];
}

/**
 * The moves by which a selection gets to a cell or pushes the marble on it, with those of its own line that stand in front of it.
 * @param {Move[]} moves
 * @param {string[]} selection
 * @param {string} target
 */
export function reaching(moves, selection, target) {
  const exact = movesOf(moves, selection).filter((move) => leadsTo(move, target));
  if (exact.length) return exact;
  const line = movesWith(moves, selection).filter((move) => isPushed(move, selection) && leadsTo(move, target));
  // An arrow that is shown there is meant.
  return line.length ? line : offered(moves, selection).filter((move) => isAlong(move.marbles, move.direction) && leadsTo(move, target));
}

/** @param {Move} move @param {string} target */
function leadsTo({ marbles, direction, pushed }, target) {
  if (!isAlong(marbles, direction)) return marbles.some((cell) => step(cell, direction) === target);
  return pushed.includes(target) || step(frontOf(marbles, direction), direction) === target;
}

/**
 * The move of one's whole line in a direction, for who pushes its hindmost marble.
 * @param {Move[]} moves
 * @param {string} rear
 * @param {import("./types.js").Direction} towards
 */
export function lineMove(moves, rear, towards) {
  return moves.find((move) => move.direction === towards && move.marbles.length > 1 && isPushed(move, [rear])) ?? null;
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
