// Moves seen as they happen: the hindmost marble is pushed, each one starts when the one behind it touches it and rolls
// on into its hole, and a marble that is pushed off rolls over the rim into its tray.

import * as draw from "./draw.js";
import { centre, MARBLE, PITCH, step, tray, way } from "./geometry.js";
import { moverOf } from "./replay.js";

/** @typedef {import("./types.js").Move} Move */
/** @typedef {import("./geometry.js").Point} Point */
/** @typedef {{board: import("./board.js").Board, id: string, flip: boolean, layer: SVGGElement}} View */

/** So long the hand pushes, and so long a marble rolls on for each marble behind it. */
const STEP = 200;
const SETTLE = 25;
const ROLL = 620;
/** What lies free between two marbles. */
const GAP = PITCH - 2 * MARBLE - 0.5;
const SMALL = 18 / MARBLE;

/** @param {Point} at @param {number} [size] */
function css({ x, y }, size = 1) {
  return `translate(${x}px, ${y}px) scale(${size})`;
}

/** How far the hand has come, of one, after a part of its time: slow at both ends. @param {number} part */
function pushed(part) {
  return part * part * (3 - 2 * part);
}

/** When a marble is touched that lies behind so many gaps. @param {number} rank */
function touched(rank) {
  let part = 0;
  while (part < 1 && pushed(part) * PITCH < rank * GAP) part += 0.02;
  return part * STEP;
}

/**
 * How many marbles of a move touch each other up to each one; those of a broadside move start at once.
 * @param {string[]} order
 * @param {import("./types.js").Direction} towards
 */
function ranks(order, towards) {
  /** @type {number[]} */
  const found = [];
  order.forEach((cell, i) => found.push(i && step(order[i - 1], towards) === cell ? found[i - 1] + 1 : 0));
  return found;
}

/**
 * The marbles of a move, the hindmost first.
 * @param {Move} move
 * @param {boolean} flip
 */
function inOrder(move, flip) {
  const d = way(move.direction, flip);
  /** @param {string} cell */
  const along = (cell) => {
    const { x, y } = centre(cell, flip);
    return x * d.x + y * d.y;
  };
  return [...move.marbles, ...move.pushed].sort((a, b) => along(a) - along(b));
}

/**
 * Carries a move out on what is shown. Gives back when a marble that was pushed off lies in its tray.
 * @param {View} view
 * @param {Move} move
 * @param {import("./types.js").Marbles} before
 * @returns {Promise<unknown> | null}
 */
export function rollOn(view, move, before) {
  const { board, flip } = view;
  const towards = move.direction;
  const order = inOrder(move, flip);
  const rank = ranks(order, towards);
  /** @type {Promise<unknown> | null} */
  let rolling = null;
  /** @type {[string, SVGGElement][]} */
  const arrived = [];
  order.forEach((cell, i) => {
    const element = board.marbles.get(cell);
    if (!element) return;
    board.marbles.delete(cell);
    const target = step(cell, towards);
    // The list of what is pushed names the marble that leaves as well.
    if (target === null || cell === move.ejected) {
      rolling = leave(view, element, cell, move, before, rank[i]);
      return;
    }
    arrived.push([target, element]);
    glide(board.motion, element, shownAt(element) ?? centre(cell, flip), centre(target, flip), rank[i]);
  });
  for (const [cell, element] of arrived) board.marbles.set(cell, element);
  return rolling;
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
 * @param {number} rank how many marbles push it
 */
function glide(motion, element, from, to, rank) {
  element.setAttribute("transform", draw.place(to));
  const whole = Math.hypot(to.x - from.x, to.y - from.y);
  if (!motion || whole < 1) return;
  const duration = STEP + rank * SETTLE;
  const lag = Math.min(whole, rank * GAP);
  const frames = [];
  for (let i = 0; i <= 12; i++) {
    const at = Math.max(0, pushed(i / 12) * whole - lag) / whole;
    frames.push({ transform: css({ x: from.x + (to.x - from.x) * at, y: from.y + (to.y - from.y) * at }), offset: ((i / 12) * STEP) / duration });
  }
  if (lag) frames.push({ transform: css(to), offset: 1 });
  element.animate(frames, { duration });
}

/**
 * Rolls a marble over the rim and into the tray of the side that pushed it off.
 * @param {View} view
 * @param {SVGGElement} element
 * @param {string} cell
 * @param {Move} move
 * @param {import("./types.js").Marbles} before
 * @param {number} rank how many marbles push it
 */
function leave({ board, flip }, element, cell, move, before, rank) {
  if (!board.motion) {
    element.remove();
    return null;
  }
  const mover = moverOf(before, move);
  const place = tray((mover === "black") !== flip)[Math.min(5, before.score[mover])];
  const from = shownAt(element) ?? centre(cell, flip);
  const d = way(move.direction, flip);
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
    { duration: ROLL + way_ * 40, delay: touched(rank), fill: "both" },
  );
  return rolling.finished.then(
    () => element.remove(),
    () => element.remove(),
  );
}

/**
 * Takes a move back on what is shown.
 * @param {View} view
 * @param {Move} move
 * @param {import("./types.js").Marbles} after what is shown when it is taken back
 */
export function rollBack({ board, id, flip, layer }, move, after) {
  const towards = move.direction;
  /** @type {[string, SVGGElement][]} */
  const arrived = [];
  inOrder(move, flip)
    .reverse()
    .forEach((cell) => {
      const from = step(cell, towards);
      let element = from === null || cell === move.ejected ? null : board.marbles.get(from);
      if (element && from) {
        board.marbles.delete(from);
        // All at once: what comes back is not pushed.
        glide(board.motion, element, centre(from, flip), centre(cell, flip), 0);
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
