// Games: all that was played here or imported, found by who, what, how long, how it began or by a position.

import { get, meta, remove, upload } from "../lib/api.js";
import { keepKey, keyOf } from "../lib/keys.js";
import { gamesView } from "./games-view.js";

/**
 * @typedef {object} State
 * @property {import("../lib/types.js").Meta} meta
 * @property {Record<string, string>} query
 * @property {import("../lib/types.js").GameSummary[]} games
 * @property {number} total
 * @property {string | null} next
 * @property {boolean} busy
 * @property {import("../lib/types.js").ImportState | null} importing how far an import is
 */

export const FIELDS = ["player", "agent", "layout", "result", "source", "min_plies", "max_plies", "opening", "fen", "sort"];

/** @type {import("../app.js").Open} */
export async function open(root, _id, query) {
  /** @type {State} */
  const state = {
    meta: await meta(),
    query: Object.fromEntries(FIELDS.map((name) => [name, query.get(name) ?? ""])),
    games: [],
    total: 0,
    next: null,
    busy: false,
    importing: null,
  };
  let closed = false;
  let asked = 0;
  const view = gamesView(root, state, { search, more, load, forget });
  await search(state.query);
  return {
    close() {
      closed = true;
    },
  };

  /** @param {Record<string, string>} wanted */
  async function search(wanted) {
    state.query = wanted;
    const given = Object.entries(wanted).filter(([, value]) => value);
    const text = new URLSearchParams(given).toString();
    history.replaceState(null, "", text ? `/games?${text}` : "/games");
    const mine = ++asked;
    state.busy = true;
    view.update(state);
    try {
      const found = await get("/games", { ...wanted, limit: 30 });
      if (mine !== asked || closed) return;
      Object.assign(state, found);
      view.wrong("");
    } catch (error) {
      if (mine !== asked) return;
      Object.assign(state, { games: [], total: 0, next: null });
      view.wrong(/** @type {Error} */ (error).message);
    }
    state.busy = false;
    view.update(state);
  }

  async function more() {
    if (!state.next) return;
    const found = await get("/games", { ...state.query, limit: 30, cursor: state.next });
    state.games = [...state.games, ...found.games];
    state.next = found.next;
    view.update(state);
  }

  /** Deletes a game. @param {string} id */
  async function forget(id) {
    await remove(`/games/${id}`, keyOf(id));
    state.games = state.games.filter((game) => game.id !== id);
    state.total -= 1;
    view.update(state);
  }

  /** Imports a file and tells how far it is. @param {Blob} file */
  async function load(file) {
    const { key, ...begun } = await upload(file);
    keepKey(begun.id, key);
    state.importing = begun;
    view.update(state);
    while (!closed && state.importing?.state === "running") {
      await new Promise((done) => setTimeout(done, 250));
      state.importing = await get(`/imports/${begun.id}`);
      view.update(state);
    }
    if (!closed) await search(state.query);
  }
}
