// The wish for another game: one's own with a way back, the other side's with two answers, and what became of it.

import { h, icon, say } from "../lib/dom.js";
import { t } from "../lib/i18n.js";

/** @typedef {import("../lib/types.js").Color} Color */
/** @typedef {import("../lib/types.js").GameView} GameView */

/**
 * @typedef {object} Wish
 * @property {"ask" | "asked" | "offered" | "declined" | "withdrawn"} state what I may do, have done or am offered; an offer that came to nothing is my only one
 * @property {Color | null} seat mine in the next game, if I have one in this
 * @property {string} name of the other side
 */

/** Follows the wishes of both sides. */
export function rematchWishes() {
  let of = "";
  let stands = false;
  let withdrawn = false;
  /** @type {"declined" | "withdrawn" | null} */
  let end = null;
  return {
    /** I take my own offer back. */
    withdraw() {
      withdrawn = true;
    },
    /** @param {GameView} game @param {Color | null} mine @returns {Wish["state"]} */
    state({ id, pair, next }, mine) {
      if (id !== of) [of, stands, end] = [id, false, null];
      const by = pair?.rematch ?? null;
      if (stands && by === null && !next) end = withdrawn ? "withdrawn" : "declined";
      stands = by !== null && by === mine;
      withdrawn &&= stands;
      if (by) return stands ? "asked" : "offered";
      return next ? "ask" : (end ?? "ask");
    },
  };
}

/** What is said of it, and what there is to press. @param {Wish} wish @param {{rematch: () => void, decline: () => void}} act */
export function rematchButtons({ state, seat, name }, act) {
  if (state === "declined" || state === "withdrawn") {
    const told = t(`rematch.${state}`, { name });
    say(told);
    return [h("p", { class: "small", data: { rematch: state } }, told)];
  }
  const words = { ask: seat ? `rematch.as.${seat}` : "game.rematch", asked: "rematch.asked", offered: "rematch.offered" };
  const picture = seat ? h("span", { class: `dot ${seat}` }) : icon("again");
  const main = h(
    "button",
    { class: "main", data: { act: "rematch", rematch: state }, title: seat && t(`rematch.you.${seat}`), disabled: state === "asked", onclick: act.rematch },
    picture,
    t(words[state]),
  );
  if (state === "ask") return [main];
  return [main, h("button", { data: { act: "decline-rematch" }, onclick: act.decline }, icon("close"), t(state === "asked" ? "offer.back" : "offer.no"))];
}
