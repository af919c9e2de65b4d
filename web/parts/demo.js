// Shows once on the board how a move is made: a fingertip touches the last marble of a line, then the hole in front of it, and the line goes there.
// The first touch of anything ends it, and the board is as it was. Where nothing is to move by itself, an arrow shows the same.

import { arrow } from "../board/draw.js";
import { step } from "../board/geometry.js";
import { play } from "../board/replay.js";
import { h } from "../lib/dom.js";
import { motion } from "../lib/settings.js";

/** @typedef {import("../board/types.js").Move} Move */

const FIRST_PAUSE = 1200;
const ENDS = ["pointerdown", "keydown", "wheel", "touchstart"];

/**
 * @param {any} board
 * @param {string} text the move, such as `a1b2`
 */
export function demonstrate(board, text) {
  const tip = h("div", { class: "fingertip", "aria-hidden": "true" });
  let over = false;
  /** What the board shows while the demo moves its marbles. @type {any} */
  let before = null;
  for (const name of ENDS) window.addEventListener(name, end, { capture: true, passive: true });
  run().finally(end);
  return end;

  async function run() {
    await pause(FIRST_PAUSE);
    const at = board.position;
    const move = at?.moves.find((/** @type {Move} */ each) => each.move === text);
    if (over || !move || !motion() || !board.isConnected) return;
    const line = [...move.marbles].sort((a, b) => (ahead(a, b, move) ? -1 : 1));
    const front = step(line[line.length - 1], move.direction) ?? "";
    document.body.append(tip);
    await touch(line[0], 0);
    await touch(front, 650);
    if (over || board.position !== at) return;
    before = at;
    board.position = { ...at, ...play(at, move), last: move, moves: [] };
    tip.classList.add("away");
    await pause(1800);
  }

  /** @param {string} cell @param {number} travel in milliseconds */
  async function touch(cell, travel) {
    const hit = board.querySelector(`[data-cell="${cell}"] .hit`) ?? board.shadowRoot?.querySelector(`[data-cell="${cell}"] .hit`);
    if (over || !hit) return end();
    const box = hit.getBoundingClientRect();
    tip.style.transitionDuration = `${travel}ms`;
    tip.style.translate = `${box.x + box.width / 2}px ${box.y + box.height / 2}px`;
    await pause(travel + 150);
    tip.classList.add("down");
    await pause(350);
    tip.classList.remove("down");
  }

  function end() {
    if (over) return;
    over = true;
    for (const name of ENDS) window.removeEventListener(name, end, { capture: true });
    tip.remove();
    if (before && board.isConnected) board.position = before;
  }
}

/**
 * The same without motion: an arrow on the board, until the first touch of anything or a choice.
 * @param {any} board
 * @param {string} text the move, such as `a1b2`
 */
export function pointOut(board, text) {
  const move = board.position?.moves.find((/** @type {Move} */ each) => each.move === text);
  if (!move) return () => {};
  const shown = arrow(move, board.flip, "hint");
  const ended = new AbortController();
  const end = () => {
    ended.abort();
    shown.remove();
  };
  board.querySelector("svg").append(shown);
  for (const name of ENDS) window.addEventListener(name, end, { capture: true, passive: true, signal: ended.signal });
  board.addEventListener("select", end, { signal: ended.signal });
  return end;
}

/** Whether one marble is somewhere behind another on the way of a move. @param {string} a @param {string} b @param {Move} move */
function ahead(a, b, { direction }) {
  for (let cell = step(a, direction); cell; cell = step(cell, direction)) if (cell === b) return true;
  return false;
}

/** @param {number} ms */
function pause(ms) {
  return new Promise((done) => setTimeout(done, ms));
}
