// Openings: what was played from a position in all stored games, and how it went.

import { play } from "../board/replay.js";
import { get, post } from "../lib/api.js";
import { moveSound } from "../lib/sound.js";
import { openingsView } from "./openings-view.js";

/** @typedef {import("../lib/types.js").MoveView} MoveView */
/** @typedef {import("../lib/types.js").TriedView} Choice */

/**
 * @typedef {object} State
 * @property {{move: MoveView | null, fen: string}[]} path the positions walked through; the last one is shown
 * @property {import("../lib/types.js").OpeningsView | null} found
 * @property {Record<string, string>} filter
 * @property {boolean} flip
 */

/** @type {import("../app.js").Open} */
export async function open(root, _id, query) {
  const { position } = await post("/positions", query.get("fen") ? { fen: query.get("fen") } : { layout: query.get("layout") ?? "belgian-daisy" });
  /** @type {State} */
  const state = { path: [{ move: null, fen: position.fen }], found: null, filter: {}, flip: false };
  /** What was undone, for the way forward. @type {State["path"]} */
  let ahead = [];
  let asked = 0;
  const view = openingsView(root, { move, to, flip, filter, back });
  await ask();
  return { close: () => view.close() };

  async function ask() {
    const mine = ++asked;
    const { fen } = state.path[state.path.length - 1];
    const found = await get("/openings", { fen, ...state.filter });
    if (mine !== asked) return;
    state.found = found;
    view.update(state);
  }

  /** @param {MoveView} move @param {string} [after] */
  async function move(move, after) {
    moveSound(move);
    if (state.found) {
      const { position: at } = state.found;
      state.found = { ...state.found, position: { ...at, ...play(at, move), last: move, moves: [], threatened: [] } };
      view.moved(state);
    }
    const { fen } = state.path[state.path.length - 1];
    const next = after ?? (await post("/positions", { fen, moves: [move.move] })).position.fen;
    state.path.push({ move, fen: next });
    ahead = [];
    await ask();
  }

  /** @param {"first" | "back" | "next" | "last"} where */
  async function to(where) {
    if (where === "first") ahead.unshift(...state.path.splice(1));
    else if (where === "back" && state.path.length > 1) ahead.unshift(...state.path.splice(-1));
    else if (where === "next" && ahead.length) state.path.push(...ahead.splice(0, 1));
    else if (where === "last") state.path.push(...ahead.splice(0));
    await ask();
  }

  /** @param {number} length of the path to keep */
  async function back(length) {
    ahead.unshift(...state.path.splice(length));
    await ask();
  }

  function flip() {
    state.flip = !state.flip;
    view.update(state);
  }

  /** @param {Record<string, string>} wanted */
  async function filter(wanted) {
    state.filter = wanted;
    await ask();
  }
}
