// What one does in a game with a friend besides moving: come, call it off, answer offers, go on to the next game.

import { other } from "../board/replay.js";
import { ApiError, get, post } from "../lib/api.js";
import { toast } from "../lib/dom.js";
import { History } from "../lib/history.js";
import { t } from "../lib/i18n.js";
import { forget } from "../lib/keys.js";
import { current } from "../lib/settings.js";
import { nameOf } from "./play-words.js";

/** @typedef {import("./play.js").State} State */
/** @typedef {import("../lib/types.js").GameView} GameView */
/** @typedef {import("../lib/types.js").NewGame} NewGame */
/** @typedef {import("../lib/types.js").Color} Color */

/**
 * @typedef {object} Page
 * @property {() => Color | null} mine
 * @property {(answer: NewGame) => void} begin takes a game and the key to it
 * @property {(what: string, body?: object) => Promise<GameView | undefined>} act
 * @property {() => Promise<void>} reload
 * @property {() => Promise<void>} leave back to the start
 */

/** @param {State} state @param {Page} page */
export function friendOf(state, page) {
  /** The game that is being gone to. */
  let next = "";
  let leaving = false;
  return { join, abort, agree, decline, rematch, follow, gone };

  async function join() {
    const { game } = state;
    if (!game) return;
    try {
      page.begin(await post(`/games/${game.id}/join`, { name: current().name || null }));
    } catch (error) {
      // Somebody was quicker: what is left is to watch.
      await page.reload();
      throw error;
    }
  }

  async function abort() {
    const { game } = state;
    if (!game) return;
    leaving = true;
    try {
      await post(`/games/${game.id}/abort`, {}, state.key);
    } finally {
      leaving = false;
    }
    forget(game.id);
    await page.leave();
  }

  /** The game was called off. */
  async function gone() {
    if (leaving || !state.game) return;
    forget(state.game.id);
    await page.leave();
    toast(t("friend.gone"), "note");
  }

  /** @param {"draw" | "takeback"} kind */
  async function agree(kind) {
    await page.act(kind);
  }

  /** @param {"draw" | "takeback" | "rematch"} kind */
  async function decline(kind) {
    await page.act("decline", { offer: kind });
  }

  /** Offers another game, or takes the other side's offer. */
  async function rematch() {
    const { game } = state;
    if (!game) return;
    if (game.next) return follow(game);
    /** @type {any} */
    const answer = await page.act("rematch").catch(spent);
    // Who accepts may have heard of the game already, as the one who offered it does.
    if (answer?.game && state.game?.id === game.id) await follow({ ...game, next: answer.game.id });
  }

  /** A side offers another game once: after that it is the other's to offer. @param {unknown} error */
  function spent(error) {
    const mine = page.mine();
    if (!mine || !(error instanceof ApiError) || error.code !== "offer.declined") throw error;
    toast(t("rematch.spent", { name: nameOf(state, other(mine)) }), "note");
  }

  /** Goes on to the game after this one: the same key opens the other seat there. @param {GameView} game */
  async function follow(game) {
    const mine = page.mine();
    const { key } = state;
    if (!game.next || !game.pair || !mine || key === null || next === game.next) return;
    next = game.next;
    try {
      const fresh = await get(`/games/${next}`);
      state.history = await History.of(next, fresh.start_fen);
      state.ply = state.history.length;
      page.begin({ key, color: other(mine), game: fresh });
    } finally {
      next = "";
    }
  }
}
