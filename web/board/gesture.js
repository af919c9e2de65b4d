// Fingers and mice: a tap selects or moves, a drag from a marble pushes its line, a drag over marbles selects them.

import { along, dragged, handles, lineMove, movesOf, nearest } from "./choice.js";
import { cellAt, centre, DIRECTIONS, distance, OPPOSITE, PITCH, step, way } from "./geometry.js";
import { explain } from "./tap.js";

/** @typedef {import("./board.js").Board} Board */
/** @typedef {import("./geometry.js").Point} Point */
/** @typedef {import("./types.js").Move} Move */

/** How far a pointer may stray before a tap is a drag. */
const STRAY = 9;
/** How near a tap must be to an arrow: on its disc, or beside the cells. */
const DISC = 26;
const REACH = 40;
/** The part of a step from which a drag is a move. */
const ENOUGH = 0.45;
/** The part of a step from which a drag leaves the marble that it is on. */
const LEAVES = 0.2;

/**
 * @typedef {object} Press
 * @property {number} id the pointer
 * @property {Point} start
 * @property {string | null} cell where it began, if that is one's own marble that may be carried
 * @property {boolean} loose whether that is one's own marble that the finger does not carry, since it may scroll the page
 * @property {Point} anchor from where a push is measured
 * @property {boolean} group whether the marbles were selected before
 * @property {boolean} dragging
 * @property {boolean} strayed whether it went too far to be a tap
 * @property {{move: Move, part: number} | null} push
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
    const own = cell !== null && board.mine.includes(cell);
    const group = own && board.selection.length > 1 && board.selection.includes(cell);
    const carried = board.editing || (own && (event.pointerType !== "touch" || isHeld(board, cell)));
    press = { id: event.pointerId, start, cell: carried ? cell : null, loose: own && !carried, anchor: start, group, dragging: false, strayed: false, push: null };
    board.touched = event.pointerType === "touch";
    if (press.cell) svg.setPointerCapture(event.pointerId);
  });

  // A click does not bring the keyboard onto the board: the page's own keys go on working.
  svg.addEventListener("mousedown", (event) => {
    event.preventDefault();
    if (document.activeElement instanceof HTMLElement || document.activeElement instanceof SVGElement) document.activeElement.blur();
  });

  // A finger scrolls the page, over marbles too: it carries those alone that were selected before.
  svg.addEventListener(
    "touchstart",
    (event) => {
      // Two fingers mean the page, not a marble.
      if (press && event.touches.length > 1) press.loose = false;
      const cell = cellAt(board.point(event.touches[0]), board.flip);
      if (cell && (board.editing || (board.mine.includes(cell) && isHeld(board, cell)))) event.preventDefault();
    },
    { passive: false },
  );

  svg.addEventListener("pointermove", (event) => {
    if (!press || event.pointerId !== press.id) return;
    const at = board.point(event);
    if (!press.strayed && distance(at, press.start) < STRAY) return;
    press.strayed = true;
    if (!press.cell) return;
    press.dragging = true;
    if (board.editing) paint(board, press, at);
    else drag(board, press, at);
  });

  svg.addEventListener("pointerup", (event) => {
    if (!press || event.pointerId !== press.id) return;
    const done = press;
    press = null;
    if (board.editing) return;
    const at = board.point(event);
    if (done.dragging) release(board, done);
    // A finger that strayed on a marble and scrolled nothing has chosen it.
    else if (done.loose || (!done.strayed && distance(at, done.start) < STRAY)) click(board, at, done.start);
  });

  const cancel = () => {
    press = null;
    board.preview(null);
  };
  svg.addEventListener("pointercancel", (event) => {
    const loose = press?.loose && press.id === event.pointerId;
    cancel();
    // The browser took the finger for one that scrolls, and so it may be: the marble is not even chosen, or the next finger that scrolls there
    // would carry it. An event that drawings make says nothing.
    if (loose && event.isTrusted) board.tell({ cause: "scroll" });
  });
  // A press that leaves the picture without a marble ends elsewhere.
  svg.addEventListener("pointerleave", (event) => press && !press.cell && event.pointerId === press.id && cancel());
}

/** Whether a finger carries the marble of a cell: it was selected, or the page has nothing to scroll. @param {Board} board @param {string} cell */
function isHeld(board, cell) {
  const page = document.scrollingElement;
  return board.selection.includes(cell) || (page !== null && page.scrollHeight <= page.clientHeight + 1);
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
  const line = press.group || !press.cell ? null : select(board, press, press.cell, at);
  press.push = (line?.length ?? 0) > 1 ? beyond(board, press, at, line) : beyond(board, press, at, null);
  if (!press.push && press.cell && !press.group && (line?.length ?? 1) < 3) press.push = whole(board, press.cell, at);
  if (press.push) board.preview(press.push.move, press.push.part);
  else board.preview(null);
}

/** Selects the marbles from the first to the one below the pointer. @param {Board} board @param {Press} press @param {string} from @param {Point} at */
function select(board, press, from, at) {
  const own = board.mine;
  const over = cellAt(at, board.flip);
  const line = over && own.includes(over) ? dragged(from, over, own) : null;
  if (line) {
    press.anchor = centre(line[line.length - 1], board.flip);
    if (line.join() !== board.selection.join()) board.select(line);
  } else if (!board.selection.includes(from)) {
    press.anchor = centre(from, board.flip);
    board.select([from]);
  }
  return line;
}

/**
 * The move of exactly the selected marbles, by how far the pointer is beyond the last of them. While it comes over them it is not on its way back.
 * @param {Board} board @param {Press} press @param {Point} at @param {string[] | null} line
 */
function beyond(board, press, at, line) {
  if (line && distance(at, press.anchor) < LEAVES * PITCH) return null;
  const back = line && DIRECTIONS.find((towards) => step(line[0], towards) === line[1]);
  const moves = movesOf(board.position?.moves ?? [], board.selection).filter(({ direction }) => !back || direction !== OPPOSITE[back]);
  const found = along(handles(moves, board.flip), press.anchor, at, board.flip);
  return found && { move: found.handle.move, part: found.part };
}

/** The move of the whole line in front of a marble that is pushed from behind. @param {Board} board @param {string} rear @param {Point} at */
function whole(board, rear, at) {
  const from = centre(rear, board.flip);
  for (const towards of DIRECTIONS) {
    const { x, y } = way(towards, board.flip);
    const along = ((at.x - from.x) * x + (at.y - from.y) * y) / PITCH;
    if (along < 8 || along / distance(at, from) < 0.9) continue;
    const move = lineMove(board.position?.moves ?? [], rear, towards);
    if (move) return { move, part: Math.min(1, along / PITCH) };
  }
  return null;
}

/** @param {Board} board @param {Press} press */
function release(board, press) {
  const { push } = press;
  // The other side may have moved while the finger did.
  const move = push && board.position?.moves.find((each) => each.move === push.move.move);
  if (move && push.part >= ENOUGH) {
    board.svg.classList.remove("dragging");
    board.choose(move);
  } else {
    board.preview(null);
    explain(board);
  }
}

/** Where the arrows are that make their move; the last one is drawn on top. @param {Board} board */
function heads({ arrows, own, flip }) {
  const moves = own.length ? arrows.flatMap(({ move, play }) => (play ? [move] : [])) : [];
  return handles(moves.reverse(), flip);
}

/** @param {Board} board @param {Point} at @param {Point} start */
function click(board, at, start) {
  const cell = cellAt(start, board.flip);
  const own = cell !== null && board.mine.includes(cell);
  const handle = own ? null : nearest(board.selection.length ? board.handles : heads(board), at, cell ? DISC : REACH);
  if (handle) board.choose(handle.move);
  else if (cell) board.tap(cell);
  else board.select([]);
}
