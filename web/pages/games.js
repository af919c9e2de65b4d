// Games: all that was played here or imported, found by who, what, how long, how it began or by a position; and those that are mine.

import { ApiError, get, meta, remove, told, upload } from "../lib/api.js";
import { toast } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { invitations, isWaiting } from "../lib/invitations.js";
import { keepKey, keyed, keyOf } from "../lib/keys.js";
import { labelled, unlabelled } from "../lib/labels.js";
import { keepNote, noted, noteOf } from "../lib/shelf.js";
import { agentName, levelName } from "../lib/speak.js";
import { gamesView } from "./games-view.js";

/** @typedef {import("../lib/types.js").GameSummary} GameSummary */
/** @typedef {import("../lib/types.js").ImportState} ImportState */

/** What failed is in the reader's words. @typedef {Omit<ImportState, "error"> & {error: string | null}} Importing */
/**
 * @typedef {object} State
 * @property {import("../lib/types.js").Meta} meta
 * @property {Record<string, string>} query
 * @property {GameSummary[]} games
 * @property {number} total
 * @property {string | null} next
 * @property {boolean} busy
 * @property {Importing | null} importing how far all files together are
 * @property {number | null} exporting games that are in the file so far
 */

/** What the server looks for. */
const ASKED = ["player", "agent", "layout", "result", "source", "min_plies", "max_plies", "opening", "fen", "sort"];
/** What only this device knows. */
const OWN = ["mine", "tag"];
export const FIELDS = [...ASKED, ...OWN];

const PAGE = 30;
/** Games that can be asked for by their ids at a time. */
const TOGETHER = 100;
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
  /** The games that only this device knows, and what was looked for. @type {{of: string, all: GameSummary[]}} */
  let own = { of: "", all: [] };
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
    /** @type {Importing} */
    let before = { id: "", state: "running", done: 0, whole, imported: 0, plies: 0, duplicates: 0, refused: [], refused_count: 0, error: null };
    tell(before);
    for (const file of files) {
      try {
        const { file: bare, labels } = await unlabelled(file);
        const { key, ...begun } = await upload(bare);
        keepKey(begun.id, key);
        /** @type {ImportState} */
        let now = begun;
        while (!closed && now.state === "running") {
          tell(together(before, now));
          await pause(250);
          now = await get(`/imports/${begun.id}`);
        }
        await giveBack(begun.id, labels);
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

  /** @param {Importing} importing */
  function tell(importing) {
    state.importing = importing;
    view.update(state);
  }

  /**
   * A page of games. Which are this device's own the server does not know: it is given their ids.
   * @param {Record<string, string>} wanted
   * @param {string | null} cursor
   * @returns {Promise<{games: GameSummary[], total: number, next: string | null}>}
   */
  async function page(wanted, cursor) {
    if (!isOwn(wanted)) return get("/games", { ...asking(wanted, state.meta), limit: PAGE, cursor });
    const of = JSON.stringify(wanted);
    if (cursor === null || own.of !== of) own = { of, all: await ownGames(wanted, state.meta) };
    const from = Number(cursor ?? 0);
    const end = from + PAGE;
    return { games: own.all.slice(from, end), total: own.all.length, next: end < own.all.length ? String(end) : null };
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
        // An invitation is for one, and a file may be for many.
        for (const { id, damaged } of games.filter((each) => !isWaiting(each))) {
          state.exporting = records.length;
          view.update(state);
          if (!damaged) records.push(labelled(await patiently(() => get(`/games/${id}/apgn`)), id, noteOf(id)));
          if (closed || records.length >= EXPORTED) break;
        }
        if (closed || !next || records.length >= EXPORTED) break;
        ({ games, next } = await patiently(() => page(wanted, next)));
      }
      if (closed) return;
      view.save(records.map((text) => text.trim()).join("\n\n") + "\n");
      const left = records.length >= EXPORTED && state.total > records.length;
      toast(t(left ? "games.saved.first" : "games.saved", { n: records.length }), "note");
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

/** What is asked of the server. Names that only the pages have are given as what they stand for. @param {Record<string, string>} wanted @param {import("../lib/types.js").Meta} meta */
function asking(wanted, meta) {
  const query = Object.fromEntries(ASKED.map((name) => [name, wanted[name]]));
  const part = (wanted.player ?? "").toLocaleLowerCase();
  if (!part) return query;
  const fits = (/** @type {string} */ name) => name.toLocaleLowerCase().includes(part);
  const levels = meta.levels.filter(({ level, name }) => fits(levelName(level, name))).map(({ spec }) => spec);
  const agents = meta.agents.map(({ name }) => name).filter((name) => fits(agentName(name)));
  const ids = noted(({ name = "" }) => fits(name)).slice(0, TOGETHER);
  return { ...query, player_agents: [...levels, ...agents].join(";"), player_ids: ids.join(",") };
}

/** All games that only this device knows. @param {Record<string, string>} wanted @param {import("../lib/types.js").Meta} meta @returns {Promise<GameSummary[]>} */
async function ownGames(wanted, meta) {
  const tagged = wanted.tag ? new Set(noted(({ tags = [] }) => tags.includes(wanted.tag))) : null;
  // Who imports a game has its import's key, but has not played it.
  const ids = wanted.mine ? keyed().filter((id) => !tagged || tagged.has(id)) : [...(tagged ?? [])];
  /** @type {GameSummary[]} */
  const games = [];
  for (let i = 0; i < ids.length; i += TOGETHER) {
    const some = ids.slice(i, i + TOGETHER).join(",");
    games.push(...(await patiently(() => get("/games", { ...asking(wanted, meta), ids: some, limit: TOGETHER }))).games);
  }
  // An invitation has neither moves nor an opponent that could be looked for.
  if (!tagged && ASKED.every((name) => name === "sort" || !wanted[name])) games.push(...(await invitations()));
  return games.sort(ORDERS[wanted.sort] ?? ORDERS.newest);
}

/**
 * Gives the games of an import the names and tags of its file. A game that was here already has its own id, and keeps what it is called here.
 * @param {string} imported
 * @param {import("../lib/labels.js").Label[]} labels
 */
async function giveBack(imported, labels) {
  for (let i = 0; i < labels.length; i += TOGETHER / 2) {
    const some = labels.slice(i, i + TOGETHER / 2).map(({ number, id, note }) => ({ note, ids: [`${imported}${number}`, id].filter(Boolean) }));
    const ids = some.flatMap(({ ids }) => ids).join(",");
    const { games } = await patiently(() => get("/games", { ids, limit: TOGETHER }));
    const here = new Set(games.map((/** @type {GameSummary} */ { id }) => id));
    for (const { note, ids } of some) {
      const game = ids.find((id) => here.has(id));
      if (game && !noteOf(game).name && !noteOf(game).tags?.length) keepNote(game, note);
    }
  }
}

/** Games that come in several answers are put in order here. @type {Record<string, (a: GameSummary, b: GameSummary) => number>} */
const ORDERS = {
  newest: (a, b) => b.created - a.created,
  oldest: (a, b) => a.created - b.created,
  longest: (a, b) => b.plies - a.plies,
  shortest: (a, b) => a.plies - b.plies,
};

/** An import after those before it. @param {Importing} before @param {ImportState} now @returns {Importing} */
function together(before, now) {
  return {
    ...before,
    done: before.done + now.done,
    imported: before.imported + now.imported,
    plies: before.plies + now.plies,
    duplicates: before.duplicates + now.duplicates,
    refused: [...before.refused, ...now.refused],
    refused_count: before.refused_count + now.refused_count,
    error: [before.error, now.error && told(now.error)].filter(Boolean).join(" ") || null,
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
