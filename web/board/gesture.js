// Fingers and mice: a tap selects or moves, a drag over one's own marbles selects a line, a drag beyond pushes it.

import { along, dragged, handles, movesOf, nearest } from "./choice.js";
import { cellAt, centre, distance } from "./geometry.js";

/** @typedef {import("./board.js").Board} Board */
/** @typedef {import("./geometry.js").Point} Point */

/** How far a pointer may stray before a tap is a drag. */
const STRAY = 9;
/** How near a tap must be to an arrow. */
const REACH = 40;
/** The part of a step from which a drag is a move. */
const ENOUGH = 0.45;

/**
 * @typedef {object} Press
 * @property {number} id the pointer
 * @property {Point} start
 * @property {string | null} cell where it began, if that is one's own marble
 * @property {Point} anchor from where a push is measured
 * @property {boolean} group whether the marbles were selected before
 * @property {boolean} dragging
 * @property {ReturnType<typeof along>} push
 */

/** @param {Board} board */
export function listen(board) {
  /** @type {Press | null} */
  let press = null;
  const { svg } = board;

  svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || press) return;
    const start = board.point(event);
    const cell = cellAt(start, board.flip);
    if (board.editing && cell) board.pick(cell);
    const own = cell !== null && board.own.includes(cell);
    const group = own && board.selection.length > 1 && board.selection.includes(cell);
    press = { id: event.pointerId, start, cell: own || board.editing ? cell : null, anchor: start, group, dragging: false, push: null };
    if (press.cell) svg.setPointerCapture(event.pointerId);
  });

  // A finger on one's own marble moves the marble, not the page; anywhere else it scrolls.
  svg.addEventListener(
    "touchstart",
    (event) => {
      const cell = cellAt(board.point(event.touches[0]), board.flip);
      if (cell && (board.editing || board.own.includes(cell))) event.preventDefault();
    },
    { passive: false },
  );

  svg.addEventListener("pointermove", (event) => {
    if (!press || event.pointerId !== press.id || !press.cell) return;
    const at = board.point(event);
    if (!press.dragging && distance(at, press.start) < STRAY) return;
    press.dragging = true;
    if (board.editing) paint(board, press, at);
    else drag(board, press, at);
  });

  svg.addEventListener("pointerup", (event) => {
    if (!press || event.pointerId !== press.id) return;
    const done = press;
    press = null;
    if (board.editing) return;
    if (done.dragging) release(board, done);
    else click(board, board.point(event), done.start);
  });

  svg.addEventListener("pointercancel", () => {
    press = null;
    board.preview(null);
  });
}

/** @param {Board} board @param {Press} press @param {Point} at */
function paint(board, press, at) {
  const cell = cellAt(at, board.flip);
  if (!cell || cell === press.cell) return;
  press.cell = cell;
  board.pick(cell);
}

/** @param {Board} board @param {Press} press @param {Point} at */
function drag(board, press, at) {
  const own = board.own;
  const over = cellAt(at, board.flip);
  if (!press.group && press.cell) {
    const line = over && own.includes(over) ? dragged(press.cell, over, own) : null;
    if (line) {
      press.anchor = centre(line[line.length - 1], board.flip);
      if (line.join() !== board.selection.join()) board.select(line);
    } else if (!board.selection.includes(press.cell)) {
      press.anchor = centre(press.cell, board.flip);
      board.select([press.cell]);
    }
  }
  const moves = movesOf(board.position?.moves ?? [], board.selection);
  const all = board.handles.length ? board.handles : handles(moves, board.flip);
  press.push = along(all, press.anchor, at, board.flip);
  if (press.push) board.preview(press.push.handle.move, press.push.part);
  else board.preview(null);
}

/** @param {Board} board @param {Press} press */
function release(board, press) {
  const { push } = press;
  if (push && push.part >= ENOUGH) {
    board.svg.classList.remove("dragging");
    board.choose(push.handle.move);
  } else {
    board.preview(null);
  }
}

/** @param {Board} board @param {Point} at @param {Point} start */
function click(board, at, start) {
  const cell = cellAt(start, board.flip);
  const own = cell !== null && board.own.includes(cell);
  const handle = own ? null : nearest(board.handles, at, REACH);
  if (handle) board.choose(handle.move);
  else if (cell) board.tap(cell);
  else board.select([]);
}
