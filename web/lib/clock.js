// What is left on a clock that was told a while ago, and how much there is for a move.

import { t } from "./i18n.js";

const DAY = 86_400_000;

/** @typedef {import("./types.js").Color} Color */

/**
 * @param {import("./types.js").ClocksView | null} clocks
 * @param {number} told when, in the page's own time
 * @param {Color} color
 * @returns {number | null} milliseconds; none in a game without clocks
 */
export function rest(clocks, told, color) {
  if (!clocks) return null;
  const left = clocks[`${color}_ms`];
  return clocks.running === color ? left - (performance.now() - told) : left;
}

/** "30 s a move", "3 days a move" @param {number} ms */
export function moveTime(ms) {
  return ms >= DAY ? t("clock.days-move", { n: Math.round(ms / DAY) }) : t("clock.move", { n: ms / 1000 });
}
