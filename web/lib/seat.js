// Who of those in a game is the person here.

import { seatOf } from "./keys.js";

/** @typedef {import("./types.js").Color} Color */
/** @typedef {import("./types.js").GameView} GameView */

/** The person's colour if there is one: against an agent, or in a game in which each side has a key. @param {GameView | null} game @param {string | null} key @returns {Color | null} */
export function mineIn(game, key) {
  if (game?.pair) return key === null ? null : seatOf(game.id);
  if (!game || key === null || game.black.kind === game.white.kind) return null;
  return game.black.kind === "human" ? "black" : "white";
}

/** The level that a person plays against. @param {GameView} game @param {Color} mine @returns {number | null} */
export function levelIn(game, mine) {
  const seat = mine === "black" ? game.white : game.black;
  return seat.kind === "agent" && seat.level ? seat.level : null;
}
