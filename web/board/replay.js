// Carries a move out on a list of marbles. No rule is looked at: the move says what goes where.

import { step } from "./geometry.js";

/** @typedef {import("./types.js").Move} Move */
/** @typedef {import("./types.js").Color} Color */
/** @typedef {import("./types.js").Marbles} Marbles */

/** @param {Color} color @returns {Color} */
export function other(color) {
  return color === "black" ? "white" : "black";
}

/**
 * The marbles after a move.
 * @param {Marbles} marbles
 * @param {Move} move
 * @returns {Marbles}
 */
export function play(marbles, move) {
  const mover = moverOf(marbles, move);
  const foe = other(mover);
  const score = { ...marbles.score };
  if (move.ejected) score[mover] += 1;
  return /** @type {Marbles} */ ({
    [mover]: shifted(marbles[mover], move.marbles, move.direction),
    [foe]: shifted(marbles[foe], move.pushed, move.direction),
    score,
  });
}

/** Whether a move leads from one board to another. @param {Marbles} from @param {Move} move @param {Pick<Marbles, Color>} to */
export function leads(from, move, to) {
  return same(play(from, move), to);
}

/** Whose marbles a move moves. @param {Marbles} marbles @param {Move} move @returns {Color} */
export function moverOf(marbles, move) {
  return marbles.black.includes(move.marbles[0]) ? "black" : "white";
}

/**
 * @param {string[]} cells
 * @param {string[]} moving
 * @param {import("./types.js").Direction} towards
 */
function shifted(cells, moving, towards) {
  const there = moving.map((cell) => step(cell, towards));
  const stay = cells.filter((cell) => !moving.includes(cell));
  return [...stay, .../** @type {string[]} */ (there.filter((cell) => cell !== null))];
}

/**
 * Whether both show the same marbles.
 * @param {Pick<Marbles, Color>} a
 * @param {Pick<Marbles, Color>} b
 */
export function same(a, b) {
  /** @param {string[]} cells */
  const text = (cells) => [...cells].sort().join();
  return text(a.black) === text(b.black) && text(a.white) === text(b.white);
}

/**
 * The marbles of a FEN, for small pictures: its first field is rows I to A, digits are gaps.
 * @param {string} fen
 * @returns {Marbles}
 */
export function fromFen(fen) {
  const [board, black = "0", white = "0"] = fen.trim().split(/\s+/);
  /** @type {Marbles} */
  const marbles = { black: [], white: [], score: { black: Number(black) || 0, white: Number(white) || 0 } };
  board.split("/").forEach((text, i) => {
    const row = 9 - i;
    let number = Math.max(1, row - 4);
    for (const letter of text) {
      const cell = String.fromCharCode(96 + row) + number;
      if (letter === "S" || letter === "b") marbles.black.push(cell);
      else if (letter === "s" || letter === "w") marbles.white.push(cell);
      number += Number(letter) || 1;
    }
  });
  return marbles;
}

/** Who moves next in a FEN. @param {string} fen @returns {Color} */
export function turnOf(fen) {
  return fen.trim().split(/\s+/)[3] === "w" ? "white" : "black";
}

/**
 * A FEN of these marbles, for the editor.
 * @param {Marbles} marbles
 * @param {Color} turn
 */
export function toFen(marbles, turn) {
  const rows = [];
  for (let row = 9; row >= 1; row--) {
    let text = "";
    let gap = 0;
    for (let number = Math.max(1, row - 4); number <= Math.min(9, row + 4); number++) {
      const cell = String.fromCharCode(96 + row) + number;
      const letter = marbles.black.includes(cell) ? "S" : marbles.white.includes(cell) ? "s" : "";
      if (!letter) gap += 1;
      else {
        text += (gap || "") + letter;
        gap = 0;
      }
    }
    rows.push(text + (gap || ""));
  }
  return `${rows.join("/")} ${marbles.score.black} ${marbles.score.white} ${turn[0]} 0 1`;
}
