// What a game against a level does to the person's own rating.

import { meta } from "../lib/api.js";
import { count } from "../lib/rating.js";
import { levelIn, mineIn } from "../lib/seat.js";

/**
 * Counts a game that has ended; one without a move of each side says nothing.
 * @param {import("./play.js").State} state
 * @param {boolean} [news] whether it is a game that may not be counted yet
 */
export async function rate(state, news = true) {
  const { game, position: at } = state;
  const mine = mineIn(game, state.key);
  const level = game && mine && levelIn(game, mine);
  if (!game || !at?.outcome || !level || (state.history?.length ?? 0) < 2) return;
  const { winner } = at.outcome;
  const elo = (await meta()).levels.find((each) => each.level === level)?.elo;
  if (!elo || state.game?.id !== game.id) return;
  Object.assign(state, count({ id: game.id, level, elo, score: winner === null ? 0.5 : winner === mine ? 1 : 0 }, news));
}
