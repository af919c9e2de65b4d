// The part of the lobby about bots: those that are here, the house's own among them, and a game with one of them.

import { ApiError, get, post } from "../lib/api.js";
import { fill, h, select, toast } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { CLOCKS } from "./lobby-view.js";

/** @typedef {import("../lib/types.js").AccountView} AccountView */

/** So often it is looked whether a bot has accepted, after so many milliseconds. */
const LOOKS = 40;
const LOOK = 250;
/** The clock that is chosen at first. */
const USUAL = "5+3";

/**
 * @param {() => {rated: boolean, layout: string}} terms those of the lobby
 * @param {(id: string) => void} begin
 */
export function lobbyBots(terms, begin) {
  const list = h("ul", { class: "list seeks" });
  const clocks = /** @type {[string, string][]} */ (CLOCKS.map(([minutes, seconds]) => [`${minutes}+${seconds}`, `${minutes}\u00a0+\u00a0${seconds}`]));
  const clock = select({ name: "bot-clock" }, clocks, USUAL);
  const section = h("section", { hidden: true }, h("h2", {}, t("lobby.bots")), h("label", { class: "field" }, h("span", {}, t("lobby.bots-clock")), clock), list);
  let open = true;
  show();
  return { section, close: () => (open = false) };

  async function show() {
    const text = await get("/api/bot/online");
    /** @type {AccountView[]} */
    const bots = text.split("\n").filter(Boolean).map((/** @type {string} */ line) => JSON.parse(line));
    bots.sort((a, b) => rating(b) - rating(a));
    section.hidden = !bots.length;
    fill(list, bots.map(row));
  }

  /** @param {AccountView} bot */
  function rating(bot) {
    return bot.perfs.blitz?.rating ?? 1500;
  }

  /** @param {AccountView} bot */
  function row(bot) {
    const button = h("button", { data: { bot: bot.username }, onclick: () => challenge(bot.username, button) }, t("lobby.play"));
    return h("li", { class: "row spread" }, h("span", {}, h("a", { href: `/people/${bot.username}` }, bot.username), " ", h("span", { class: "soft" }, String(rating(bot)))), button);
  }

  /** Asks for a game, and goes to it when the bot has accepted. @param {string} name @param {HTMLElement} button */
  async function challenge(name, button) {
    const [limit, increment] = clock.value.split("+").map(Number);
    const { rated, layout } = terms();
    /** @type {HTMLButtonElement} */ (button).disabled = true;
    try {
      const { id } = await post(`/api/challenge/${name}`, { "clock.limit": limit * 60, "clock.increment": increment, rated, variant: layout });
      for (let look = 0; open && look < LOOKS; look++) {
        if (await isThere(id)) return begin(id);
        await new Promise((done) => setTimeout(done, LOOK));
      }
      if (open) toast(t("lobby.bots-silent", { name }));
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    } finally {
      /** @type {HTMLButtonElement} */ (button).disabled = false;
    }
  }

  /** @param {string} id */
  async function isThere(id) {
    try {
      return Boolean(await get(`/games/${id}`));
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return false;
      throw error;
    }
  }
}
