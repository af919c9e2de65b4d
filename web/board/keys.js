// The keyboard on the board: arrows walk, space selects, the six keys around S (or the keypad) move.
//
//      W E        7 9
//     A   D      4   6
//      Z X        1 3

import { lineMove } from "./choice.js";
import { CELLS, OPPOSITE, step } from "./geometry.js";
import { explainTowards } from "./tap.js";

/** @typedef {import("./types.js").Direction} Direction */

/** Places of keys, not letters, so that they lie the same on every keyboard. @type {Record<string, Direction>} */
const MOVES = {
  KeyW: "north-west",
  KeyE: "north-east",
  KeyA: "west",
  KeyD: "east",
  KeyZ: "south-west",
  KeyX: "south-east",
  Numpad7: "north-west",
  Numpad9: "north-east",
  Numpad4: "west",
  Numpad6: "east",
  Numpad1: "south-west",
  Numpad3: "south-east",
};

/** @type {Record<string, Direction[]>} the second is tried where the first leads off the board */
const WALKS = {
  ArrowLeft: ["west"],
  ArrowRight: ["east"],
  ArrowUp: ["north-west", "north-east"],
  ArrowDown: ["south-east", "south-west"],
  PageUp: ["north-east", "north-west"],
  PageDown: ["south-west", "south-east"],
};

/**
 * @param {import("./board.js").Board} board
 * @param {KeyboardEvent} event
 */
export function onKey(board, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const target = /** @type {Element} */ (event.target);
  if (handled(board, event, target)) {
    event.preventDefault();
    event.stopPropagation();
  }
}

/**
 * @param {import("./board.js").Board} board
 * @param {KeyboardEvent} event
 * @param {Element} target
 */
function handled(board, event, target) {
  const press = event.key === "Enter" || event.key === " ";
  const handle = board.handles.find(({ move }) => move.move === target.getAttribute("data-move"));
  if (press && handle) return then(board, () => board.choose(handle.move));
  if (press) return activate(board);
  if (event.key === "Escape") {
    if (!board.selection.length) return false;
    return then(board, () => board.select([]));
  }
  if (event.key in WALKS) return walk(board, WALKS[event.key]);
  if (event.code in MOVES) return move(board, MOVES[event.code]);
  return false;
}

/** Does it and leaves the keyboard on its cell. @param {import("./board.js").Board} board @param {() => void} action */
function then(board, action) {
  action();
  board.focusOn(board.focusCell);
  return true;
}

/** @param {import("./board.js").Board} board @param {Direction[]} ways */
function walk(board, ways) {
  for (const towards of ways) {
    const next = step(board.focusCell, turned(board, towards));
    if (next) {
      board.focusOn(next);
      return true;
    }
  }
  return CELLS.includes(board.focusCell);
}

/** @param {import("./board.js").Board} board @param {Direction} towards */
function move(board, towards) {
  if (!board.selection.length && board.mine.includes(board.focusCell)) board.select([board.focusCell]);
  const wanted = turned(board, towards);
  const rear = board.selection.length === 1 ? board.selection[0] : "";
  const found = board.handles.find((each) => each.towards === wanted)?.move ?? lineMove(board.position?.moves ?? [], rear, wanted);
  if (!found) {
    explainTowards(board, wanted);
    return board.selection.length > 0;
  }
  const next = step(board.focusCell, wanted);
  board.choose(found);
  board.focusOn(next ?? board.focusCell);
  return true;
}

/** Selects one's own marble, or moves to the cell that the keyboard is on. @param {import("./board.js").Board} board */
function activate(board) {
  board.tap(board.focusCell);
  return true;
}

/** @param {import("./board.js").Board} board @param {Direction} towards */
function turned(board, towards) {
  return board.flip ? OPPOSITE[towards] : towards;
}
