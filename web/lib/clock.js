// What is left on a clock that was told a while ago.

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
