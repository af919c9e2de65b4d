// Who sits where in a game that is being set up, and who of them is the person here.

import { seatOf } from "../lib/keys.js";
import { current } from "../lib/settings.js";

/** @typedef {import("../lib/keys.js").Setup} Setup */
/** @typedef {import("../lib/types.js").Color} Color */
/** @typedef {import("../lib/types.js").GameView} GameView */

/** @param {Setup} chosen */
export function agentOf(chosen) {
  return chosen.opponent === "level" ? `sumito:level=${chosen.level}` : chosen.spec;
}

/** @param {Setup} chosen @param {Color} color the person's */
export function seatsOf(chosen, color) {
  const human = { kind: "human" };
  if (chosen.opponent === "friend") return { friend: { color, name: current().name || undefined } };
  // Two people at one device do not both have its name.
  if (chosen.opponent === "human") return { black: human, white: human };
  const me = { ...human, name: current().name || undefined };
  const agent = { kind: "agent", spec: agentOf(chosen) };
  return color === "black" ? { black: me, white: agent } : { black: agent, white: me };
}

/** @param {Setup} chosen @returns {import("../lib/types.js").ClockView | null} */
export function clockOf(chosen) {
  if (chosen.clock === "move") return { kind: "move", ms: chosen.seconds * 1000 };
  if (chosen.clock === "game") return { kind: "game", base_ms: chosen.minutes * 60_000, increment_ms: chosen.increment * 1000 };
  return null;
}

/** Whether there is a program on the other side. @param {Setup} chosen */
export function isAlone({ opponent }) {
  return opponent === "level" || opponent === "agent";
}

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
