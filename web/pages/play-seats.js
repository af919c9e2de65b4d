// Who sits where in a game that is being set up.

import { current } from "../lib/settings.js";

/** @typedef {import("../lib/keys.js").Setup} Setup */
/** @typedef {import("../lib/types.js").Color} Color */

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
