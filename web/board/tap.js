// What a tap on a cell does: selects, moves, or is told why it does neither.

import { joinable, movesOf, reaching, tapped } from "./choice.js";
import { other } from "./replay.js";
import { obstacle, whyNotJoined, whyNotThere, whyStill } from "./reason.js";

/** @typedef {import("./board.js").Board} Board */
/** @typedef {import("./types.js").Reason} Reason */

/** @param {Board} board @param {string} cell */
export function tap(board, cell) {
  if (!board.mine.length) return board.select([]);
  if (board.mine.includes(cell)) tapOwn(board, cell);
  else tapTarget(board, cell);
}

/** @param {Board} board @param {string} cell */
function tapOwn(board, cell) {
  const before = board.selection;
  const next = tapped(before, cell, board.mine);
  board.select(next);
  const alone = before.length && !before.includes(cell) && next.length === 1;
  explain(board, alone ? whyNotJoined(before, cell, board.mine) : null);
}

/** Says why the selection cannot move, or else what is given. @param {Board} board @param {Reason | null} [otherwise] */
export function explain(board, otherwise = null) {
  const { selection } = board;
  const moves = board.position?.moves ?? [];
  if (!moves.length) return board.tell(otherwise);
  const still = selection.length > 0 && !movesOf(moves, selection).length;
  if (still) board.tell({ ...whyStill(selection, around(board)), join: joinable(moves, selection).length > 0, arrows: board.handles.length > 0 });
  else board.tell(otherwise);
}

/** Says why the selection cannot go in a direction. @param {Board} board @param {import("./types.js").Direction} towards */
export function explainTowards(board, towards) {
  if (board.selection.length && board.choosable.length) board.tell(obstacle(board.selection, towards, around(board)) ?? { cause: "rules" });
}

/** @param {Board} board @param {string} cell */
function tapTarget(board, cell) {
  const { selection } = board;
  if (!selection.length) board.select([]);
  if (!selection.length) return board.tell({ cause: around(board).foe.includes(cell) ? "theirs" : "empty" });
  // Nobody has said yet how they can move.
  if (!board.choosable.length) return;
  const found = reaching(board.position?.moves ?? [], selection, cell);
  if (found.length === 1) return board.choose(found[0]);
  const reason = found.length ? /** @type {Reason} */ ({ cause: "which" }) : whyNotThere(selection, cell, around(board));
  // Far from the marbles a tap means: not these.
  if (reason.cause === "far") board.select([]);
  board.tell(reason);
}

/** @param {Board} board */
function around({ position }) {
  return { own: position?.[position.turn] ?? [], foe: position?.[other(position.turn)] ?? [] };
}
