// One's own invitations in the list of games. The server lists no game that waits for a second person, for whoever knows its id can join.

import { get } from "./api.js";
import { t } from "./i18n.js";
import { begun, seatOf } from "./keys.js";

/** @typedef {import("./types.js").GameView} GameView */
/** @typedef {import("./types.js").GameSummary} GameSummary */
/** @typedef {GameSummary & {waiting: true}} Invitation */

/** Those that were sent from this device and wait still. @returns {Promise<Invitation[]>} */
export async function invitations() {
  const mine = begun().filter((id) => seatOf(id));
  /** @type {(GameView | null)[]} */
  const games = await Promise.all(mine.map((id) => get(`/games/${id}`).catch(() => null)));
  return games.flatMap((game) => (game?.pair && [game.pair.black, game.pair.white].includes("free") ? summary(game) : []));
}

/** Whether a game in a list waits for a second person. @param {GameSummary} game */
export function isWaiting(game) {
  return "waiting" in game;
}

/** @param {GameView} game @returns {Invitation} */
function summary({ id, created, updated, source, layout, black, white, pair, position, review }) {
  const free = { kind: /** @type {const} */ ("human"), name: t("seat.free") };
  const seats = pair?.black === "free" ? { black: free, white } : { black, white: free };
  const { fen, score } = position;
  return { id, created, updated, source, layout, ...seats, fen, score, review, plies: 0, ply: null, result: null, reason: null, damaged: false, waiting: true };
}
