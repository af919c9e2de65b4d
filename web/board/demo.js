// The demo: a board that is played on, with a few lines in the place of rules. A real page asks a server or an engine.

import { Board } from "./board.js";
import { DIRECTIONS, step } from "./geometry.js";
import { other, play } from "./replay.js";

/** @typedef {import("./types.js").Move} Move */
/** @typedef {import("./types.js").Position} Position */

const START = { black: ["d4", "e5", "c6"], white: ["f6", "e7", "g4"], score: { black: 0, white: 0 } };
/** @type {Move} */
const SUMITO = { move: "d4e5", marbles: ["d4", "e5"], direction: "north-east", pushed: ["f6"], ejected: null };

const board = /** @type {Board} */ (document.getElementById("game"));
const log = /** @type {HTMLElement} */ (document.getElementById("log"));

/**
 * Where one marble can step to.
 * @param {import("./types.js").Marbles} marbles
 * @param {import("./types.js").Color} turn
 * @returns {Move[]}
 */
function steps(marbles, turn) {
  const taken = [...marbles.black, ...marbles.white];
  return marbles[turn].flatMap((cell) =>
    DIRECTIONS.flatMap((direction) => {
      const to = step(cell, direction);
      return to && !taken.includes(to) ? [{ move: cell + to, marbles: [cell], direction, pushed: [], ejected: null }] : [];
    }),
  );
}

function begin() {
  log.replaceChildren();
  board.position = { ...START, turn: "black", moves: [SUMITO, ...steps(START, "black")] };
}

board.addEventListener("move", (event) => {
  const before = board.position;
  if (!before) return;
  /** @type {Move} */
  const move = /** @type {CustomEvent} */ (event).detail;
  const after = play(before, move);
  const turn = other(before.turn);
  board.position = { ...after, turn, last: move, moves: steps(after, turn) };
  log.append(Object.assign(document.createElement("li"), { textContent: `${before.turn}: ${move.move}` }));
});

for (const input of document.querySelectorAll("input")) {
  input.addEventListener("change", () => Object.assign(board, { [input.name]: input.checked }));
}
document.getElementById("again")?.addEventListener("click", begin);
begin();
