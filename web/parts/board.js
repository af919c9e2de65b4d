// The board of a page: it speaks the language of the person and follows their settings.

import { Board } from "../board/board.js";
import { current, motion, watch } from "../lib/settings.js";
import { boardLabels } from "../lib/speak.js";

/**
 * A board, and how to let go of it.
 * @param {{player?: string, move?: (move: import("../lib/types.js").MoveView) => void, pick?: (cell: string) => void}} [options]
 */
export function pageBoard({ player = "", move, pick } = {}) {
  const board = new Board();
  Object.assign(board, { player, labels: boardLabels() });
  board.addEventListener("move", (event) => move?.(/** @type {CustomEvent} */ (event).detail));
  board.addEventListener("pick", (event) => pick?.(/** @type {CustomEvent} */ (event).detail));
  function follow() {
    const { coordinates, threats } = current();
    Object.assign(board, { coordinates, threats, motion: motion() });
  }
  follow();
  return { board, stopWatching: watch(follow) };
}
