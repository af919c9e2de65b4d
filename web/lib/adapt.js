// The level that suits the person at this device: up after a win against it, down after a loss.

import { get } from "./api.js";
import { begun, keyOf, settled, suited, suits } from "./keys.js";

/** @typedef {import("./types.js").GameView} GameView */

const HIGHEST = 12;

/** Looks at the games that were begun here and are over since; the answer is the level after them. */
export async function adapt() {
  for (const id of begun()) {
    const game = await get(`/games/${id}`).catch(() => null);
    const running = game && game.black.kind !== game.white.kind && !game.position.outcome;
    if (running) continue;
    settled(id);
    if (game) suits(after(suited(), game));
  }
  return suited();
}

/**
 * The level after a game. Beating a lower level, or losing to a higher one, is no news.
 * @param {number} level
 * @param {Pick<GameView, "id" | "black" | "white" | "position">} game
 */
export function after(level, { id, black, white, position: { outcome } }) {
  const agent = black.kind === "agent" ? "black" : "white";
  const seat = agent === "black" ? black : white;
  const played = seat.kind === "agent" ? seat.level : null;
  const alone = black.kind !== white.kind && keyOf(id) !== null;
  if (!alone || !played || !outcome?.winner) return level;
  if (outcome.winner !== agent) return Math.min(HIGHEST, Math.max(level, played + 1));
  return Math.max(1, Math.min(level, played - 1));
}
