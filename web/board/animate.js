// Moves seen as they happen: each marble a little after the one behind it, and a marble that is pushed off rolls
// over the rim into its tray.

import * as draw from "./draw.js";
import { centre, direction, MARBLE, PITCH, step, tray, way } from "./geometry.js";
import { moverOf } from "./replay.js";

/** @typedef {import("../lib/types.js").MoveView} MoveView */
/** @typedef {import("./geometry.js").Point} Point */
/** @typedef {{board: import("./board.js").Board, id: string, flip: boolean, layer: SVGGElement}} View */

const STEP = 190;
const STAGGER = 45;
const ROLL = 620;
const SMALL = 18 / MARBLE;

/** @param {Point} at @param {number} [size] */
function css({ x, y }, size = 1) {
  return `translate(${x}px, ${y}px) scale(${size})`;
}

/**
 * The marbles of a move, the hindmost first.
 * @param {MoveView} move
 * @param {boolean} flip
 */
function inOrder(move, flip) {
  const d = way(direction(move.direction), flip);
  /** @param {string} cell */
  const along = (cell) => {
    const { x, y } = centre(cell, flip);
    return x * d.x + y * d.y;
  };
  return [...move.marbles, ...move.pushed].sort((a, b) => along(a) - along(b));
}

/**
 * Carries a move out on what is shown.
 * @param {View} view
 * @param {MoveView} move
 * @param {import("./replay.js").Marbles} before
 */
export function rollOn(view, move, before) {
  const { board, flip } = view;
  const towards = direction(move.direction);
  const order = inOrder(move, flip);
  /** @type {[string, SVGGElement][]} */
  const arrived = [];
  order.forEach((cell, i) => {
    const element = board.marbles.get(cell);
    if (!element) return;
    board.marbles.delete(cell);
    const target = step(cell, towards);
    // The list of what is pushed names the marble that leaves as well.
    if (target === null || cell === move.ejected) return leave(view, element, cell, move, before, i);
    arrived.push([target, element]);
    glide(board.motion, element, shownAt(element) ?? centre(cell, flip), centre(target, flip), i);
  });
  for (const [cell, element] of arrived) board.marbles.set(cell, element);
}

/**
 * Where a marble is shown, which a drag may have changed already.
 * @param {SVGGElement} element
 * @returns {Point | null}
 */
function shownAt(element) {
  const found = /translate\(([-\d.]+) ([-\d.]+)\)/.exec(element.getAttribute("transform") ?? "");
  return found && { x: Number(found[1]), y: Number(found[2]) };
}

/**
 * @param {boolean} motion
 * @param {SVGGElement} element
 * @param {Point} from
 * @param {Point} to
 * @param {number} rank how many marbles start before it
 */
function glide(motion, element, from, to, rank) {
  element.setAttribute("transform", draw.place(to));
  if (!motion || Math.hypot(to.x - from.x, to.y - from.y) < 1) return;
  element.animate(
    { transform: [css(from), css(to)] },
    { duration: STEP, delay: rank * STAGGER, easing: "cubic-bezier(.3,.1,.2,1)", fill: "backwards" },
  );
}

/**
 * Rolls a marble over the rim and into the tray of the side that pushed it off.
 * @param {View} view
 * @param {SVGGElement} element
 * @param {string} cell
 * @param {MoveView} move
 * @param {import("./replay.js").Marbles} before
 * @param {number} rank
 */
function leave({ board, flip }, element, cell, move, before, rank) {
  if (!board.motion) return element.remove();
  const mover = moverOf(before, move);
  const place = tray((mover === "black") !== flip)[Math.min(5, before.score[mover])];
  const from = shownAt(element) ?? centre(cell, flip);
  const d = way(direction(move.direction), flip);
  const over = { x: from.x + d.x * 1.15, y: from.y + d.y * 1.15 };
  const corner = { x: (over.x * 1.1 + place.x) / 2, y: (over.y * 1.1 + place.y) / 2 };
  const way_ = Math.hypot(place.x - from.x, place.y - from.y) / PITCH;
  element.parentNode?.append(element);
  const rolling = element.animate(
    [
      { transform: css(from), offset: 0 },
      { transform: css(over, 0.95), offset: 0.25, easing: "ease-in" },
      { transform: css(corner, 0.8), offset: 0.6 },
      { transform: css(place, SMALL), offset: 1, easing: "ease-out" },
    ],
    { duration: ROLL + way_ * 40, delay: rank * STAGGER, fill: "both" },
  );
  rolling.finished.then(
    () => element.remove(),
    () => element.remove(),
  );
}

/**
 * Takes a move back on what is shown.
 * @param {View} view
 * @param {MoveView} move
 * @param {import("./replay.js").Marbles} after what is shown when it is taken back
 */
export function rollBack({ board, id, flip, layer }, move, after) {
  const towards = direction(move.direction);
  /** @type {[string, SVGGElement][]} */
  const arrived = [];
  inOrder(move, flip)
    .reverse()
    .forEach((cell, i) => {
      const from = step(cell, towards);
      let element = from === null || cell === move.ejected ? null : board.marbles.get(from);
      if (element && from) {
        board.marbles.delete(from);
        glide(board.motion, element, centre(from, flip), centre(cell, flip), i);
      } else {
        const color = after.black.includes(cell) ? "black" : "white";
        element = draw.marble(id, color, centre(cell, flip));
        layer.append(element);
        if (board.motion) element.animate({ opacity: [0, 1] }, { duration: STEP });
      }
      arrived.push([cell, element]);
    });
  for (const [cell, element] of arrived) board.marbles.set(cell, element);
}
