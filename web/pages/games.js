// Games: all that was played here or imported, found by who, what, how long, how it began or by a position; and those that are mine.

import { ApiError, get, meta, remove, upload } from "../lib/api.js";
import { toast } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { keepKey, keyOf } from "../lib/keys.js";
import { keepNote, noteOf } from "../lib/shelf.js";
import { gamesView } from "./games-view.js";

/** @typedef {import("../lib/types.js").GameSummary} GameSummary */
/** @typedef {import("../lib/types.js").ImportState} ImportState */

/**
 * @typedef {object} State
 * @property {import("../lib/types.js").Meta} meta
 * @property {Record<string, string>} query
 * @property {GameSummary[]} games
 * @property {number} total
 * @property {string | null} next
 * @property {boolean} busy
 * @property {ImportState | null} importing how far all files together are
 * @property {number | null} exporting games that are in the file so far
 */

/** What the server looks for. */
const ASKED = ["player", "agent", "layout", "result", "source", "min_plies", "max_plies", "opening", "fen", "sort"];
/** What only this device knows. */
const OWN = ["mine", "tag"];
export const FIELDS = [...ASKED, ...OWN];

const PAGE = 30;
/** Games that are looked through at a time for those that only this device knows. */
const LARGE_PAGE = 100;
const LARGE_PAGES = 10;
/** The most games in one file. */
const EXPORTED = 1000;

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
    exporting: null,
  };
  let closed = false;
  let asked = 0;
  const view = gamesView(root, state, { search, more, load, forget, note, save });
  await search(state.query);
  return {
    close() {
      closed = true;
      view.close();
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
      const found = await page(wanted, null);
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
    const mine = asked;
    const found = await page(state.query, state.next);
    if (mine !== asked || closed) return;
    state.games = [...state.games, ...found.games];
    state.next = found.next;
    if (isOwn(state.query)) state.total = state.games.length;
    view.update(state);
  }

  /** Deletes a game. @param {string} id */
  async function forget(id) {
    await remove(`/games/${id}`, keyOf(id));
    keepNote(id, {});
    state.games = state.games.filter((game) => game.id !== id);
    state.total -= 1;
    view.update(state);
  }

  /** Names and tags a game. @param {string} id @param {import("../lib/shelf.js").Note} given */
  function note(id, given) {
    keepNote(id, given);
    view.update(state);
  }

  /** Imports files, one after the other, and tells how far they are together. @param {Blob[]} files */
  async function load(files) {
    if (!files.length || state.importing?.state === "running") return;
    const whole = files.reduce((sum, file) => sum + file.size, 0);
    /** @type {ImportState} */
    let before = { id: "", state: "running", done: 0, whole, imported: 0, plies: 0, duplicates: 0, refused: [], refused_count: 0, error: null };
    tell(before);
    for (const file of files) {
      try {
        const { key, ...begun } = await upload(file);
        keepKey(begun.id, key);
        /** @type {ImportState} */
        let now = begun;
        while (!closed && now.state === "running") {
          tell(together(before, now));
          await pause(250);
          now = await get(`/imports/${begun.id}`);
        }
        before = together(before, now);
      } catch (error) {
        const { name } = /** @type {File} */ (file);
        before = { ...before, error: [before.error, `${name ?? ""}: ${/** @type {Error} */ (error).message}`].filter(Boolean).join(" ") };
      }
      if (closed) return;
    }
    tell({ ...before, state: before.error ? "failed" : "done" });
    await search(state.query);
  }

  /** @param {ImportState} importing */
  function tell(importing) {
    state.importing = importing;
    view.update(state);
  }

  /** All games that were looked for, in one file. */
  async function save() {
    if (state.exporting !== null) return;
    const wanted = state.query;
    /** @type {string[]} */
    const records = [];
    let { games, next } = state;
    try {
      for (;;) {
        for (const { id, damaged } of games) {
          state.exporting = records.length;
          view.update(state);
          if (!damaged) records.push(await patiently(() => get(`/games/${id}/apgn`)));
          if (closed || records.length >= EXPORTED) break;
        }
        if (closed || !next || records.length >= EXPORTED) break;
        ({ games, next } = await patiently(() => page(wanted, next)));
      }
      if (closed) return;
      view.save(records.map((text) => text.trim()).join("\n\n") + "\n");
      toast(t("games.saved", { n: records.length }), "note");
    } finally {
      state.exporting = null;
      if (!closed) view.update(state);
    }
  }
}

/** Whether something is looked for that only this device knows. @param {Record<string, string>} query */
function isOwn({ mine, tag }) {
  return Boolean(mine || tag);
}

/**
 * A page of games. The server does not know whose they are: a device looks for its own among all.
 * @param {Record<string, string>} wanted
 * @param {string | null} cursor
 * @returns {Promise<{games: GameSummary[], total: number, next: string | null}>}
 */
async function page(wanted, cursor) {
  const query = Object.fromEntries(ASKED.map((name) => [name, wanted[name]]));
  if (!isOwn(wanted)) return get("/games", { ...query, limit: PAGE, cursor });
  /** @type {GameSummary[]} */
  const games = [];
  let next = cursor;
  for (let i = 0; i < LARGE_PAGES && games.length < PAGE; i++) {
    const found = await get("/games", { ...query, limit: LARGE_PAGE, cursor: next });
    games.push(...found.games.filter((/** @type {GameSummary} */ game) => fits(game, wanted)));
    next = found.next;
    if (!next) break;
  }
  return { games, total: games.length, next };
}

/** Who imports a game has its key, too, but has not played it. @param {GameSummary} game @param {Record<string, string>} wanted */
function fits({ id, source }, { mine, tag }) {
  return (!mine || (keyOf(id) !== null && source !== "import")) && (!tag || (noteOf(id).tags ?? []).includes(tag));
}

/** An import after those before it. @param {ImportState} before @param {ImportState} now @returns {ImportState} */
function together(before, now) {
  return {
    ...before,
    done: before.done + now.done,
    imported: before.imported + now.imported,
    plies: before.plies + now.plies,
    duplicates: before.duplicates + now.duplicates,
    refused: [...before.refused, ...now.refused],
    refused_count: before.refused_count + now.refused_count,
    error: [before.error, now.error].filter(Boolean).join(" ") || null,
  };
}

/** Asks again when the server says that it was too fast. @template T @param {() => Promise<T>} ask @returns {Promise<T>} */
async function patiently(ask) {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429) throw error;
      await pause(1000);
    }
  }
}

/** @param {number} ms */
function pause(ms) {
  return new Promise((done) => setTimeout(done, ms));
}
