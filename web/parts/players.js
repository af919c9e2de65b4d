// The bars above and below a board: who plays, how many marbles they pushed off, and their clock.

import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { clockText } from "../lib/speak.js";

/** @typedef {import("../lib/types.js").Color} Color */

/**
 * @typedef {object} Shown
 * @property {string} name
 * @property {number} count marbles pushed off
 * @property {boolean} turn
 * @property {boolean} thinking
 * @property {number | null} ms what is left on the clock
 * @property {"here" | "away" | null} [there] whether who sits there follows the game, where that is known
 */

/** A board between the bars of both players; White's is above unless it is turned. @param {Element} board */
export function betweenPlayers(board) {
  const bars = { black: playerBar("black"), white: playerBar("white") };
  const above = h("div");
  const below = h("div");
  return {
    element: h("div", { class: "frame" }, above, board, below),
    bars,
    /** @param {boolean} flip */
    place(flip) {
      const [top, bottom] = flip ? [bars.black, bars.white] : [bars.white, bars.black];
      if (top.element.parentNode !== above) above.append(top.element);
      if (bottom.element.parentNode !== below) below.append(bottom.element);
    },
  };
}

/** A bar for one side. @param {Color} color */
function playerBar(color) {
  const who = h("span", { class: "who" });
  const count = h("span", { class: "count" });
  const presence = h("span", { class: "presence", hidden: true });
  const clock = h("span", { class: "clock", role: "timer", hidden: true });
  const element = h("div", { class: "player", data: { color } }, h("span", { class: `dot ${color}` }), who, presence, count, clock);
  return {
    element,
    /** @param {Shown} shown */
    update({ name, count: n, turn, thinking, ms, there = null }) {
      who.textContent = name;
      who.classList.toggle("thinking", thinking);
      count.textContent = n ? `+${n}` : "";
      count.title = t("player.count", { n });
      presence.hidden = !there;
      if (there && presence.dataset.there !== there) {
        presence.dataset.there = there;
        presence.textContent = t(`presence.${there}`);
      }
      element.classList.toggle("turn", turn);
      clock.hidden = ms === null;
      if (ms === null) return;
      clock.textContent = clockText(ms);
      clock.classList.toggle("running", turn);
      clock.classList.toggle("short", turn && ms < 10_000);
    },
  };
}
