// The end of a game: how it went, what it did to the person's rating, and what to do next.

import { fill, h, icon, s } from "../lib/dom.js";
import { number, t } from "../lib/i18n.js";
import { rematchButtons } from "./rematch.js";

/**
 * @typedef {object} Ending
 * @property {string} title e.g. "You won, 6 to 4"
 * @property {string} why
 * @property {boolean} won
 * @property {{rating: number, change: number, curve: number[]} | null} rated
 * @property {boolean} helped whether it does not count because of hints or moves taken back
 * @property {string | null} review the path of its review
 * @property {number | null} next the level to go on with
 * @property {import("./rematch.js").Wish | null} rematch
 */

/** @param {{rematch: () => void, decline: () => void, nextLevel: (level: number) => void, share: () => void}} act */
export function endingCard(act) {
  const element = h("section", { class: "result", hidden: true, "aria-label": t("end.label") });
  let drawn = "";
  return {
    element,
    hide() {
      element.hidden = true;
      drawn = "";
    },
    /** @param {Ending} ending */
    show(ending) {
      const key = JSON.stringify(ending);
      if (key === drawn) return;
      drawn = key;
      element.classList.toggle("won", ending.won);
      // On a phone it lies over the moves, and can be put away.
      const away = h("button", { class: "quiet away", "aria-label": t("close"), onclick: () => (element.hidden = true) }, icon("close"));
      fill(element, away, h("strong", {}, ending.title), h("p", { class: "why" }, ending.why), rating(ending), buttons(ending));
      element.hidden = false;
    },
  };

  /** @param {Ending} ending */
  function buttons({ review, next, rematch }) {
    const again = rematch ? rematchButtons(rematch, act) : [];
    const look = review ? h("a", { class: "button", data: { act: "review" }, href: review }, icon("chart"), t("game.review")) : null;
    const harder = next ? h("button", { data: { act: "next-level" }, onclick: () => act.nextLevel(next) }, icon("next"), t("end.next", { n: next })) : null;
    const share = h("button", { data: { act: "share" }, onclick: act.share }, icon("share"), t("end.share"));
    return h("div", { class: "after" }, ...again, look, harder, share);
  }
}

/** @param {Ending} ending */
function rating({ rated, helped }) {
  if (!rated) return helped ? h("p", { class: "small soft" }, t("end.helped")) : null;
  const change = number(rated.change, { signDisplay: "exceptZero" });
  return h(
    "div",
    { class: "rating" },
    h("span", {}, t("end.rating", { rating: number(rated.rating, { useGrouping: false }), change })),
    rated.curve.length > 1 ? curve(rated.curve) : null,
  );
}

/** A line through the ratings, the newest on the right. @param {number[]} values */
export function curve(values) {
  const shown = values.slice(-30);
  const [low, high] = [Math.min(...shown), Math.max(...shown)];
  const points = shown.map((value, i) => {
    const x = 4 + (i / (shown.length - 1)) * 112;
    const y = 28 - ((value - low) / Math.max(1, high - low)) * 24;
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  const [x, y] = points[points.length - 1].split(",");
  return s(
    "svg",
    { class: "curve", viewBox: "0 0 120 32", role: "img", "aria-label": t("end.curve", { low, high }) },
    s("polyline", { points: points.join(" ") }),
    s("circle", { cx: x, cy: y, r: 3 }),
  );
}
