// The games that were begun here: which one can be gone on with, and the level that suits the person, up after a win against it and down after a
// loss.

import { get } from "./api.js";
import { begun, keepTimed, keyOf, lastGame, settled, suited, suits, timed } from "./keys.js";

/** @typedef {import("./types.js").GameView} GameView */

const HIGHEST = 12;

/** Looks at the games that were begun here and are over since; the answer is the level after them. */
export async function adapt() {
  for (const id of begun()) {
    const game = await known(id);
    // One that nobody has moved in is forgotten when another is begun.
    if (game && (goesOn(game) || (!game.position.outcome && id === lastGame()))) continue;
    if (game !== undefined) settled(id);
    if (game) suits(after(suited(), game));
  }
  return suited();
}

/**
 * What somebody comes back to.
 * @typedef {object} Left
 * @property {GameView | null} open a game to go on with
 * @property {GameView | null} lapsed one whose clock has run out since they left it
 * @property {number} told when
 */

/** @returns {Promise<Left>} */
export async function leftHere() {
  const [open, lapsed] = await Promise.all([unfinished(), outOfTime()]);
  return { open, lapsed, told: performance.now() };
}

/** The last game that a clock has ended unseen. */
async function outOfTime() {
  for (const id of timed().reverse()) {
    const game = await known(id);
    const outcome = game?.position.outcome;
    if (outcome?.reason === "time") return game ?? null;
    if (game === null || outcome) keepTimed(id, false);
  }
  return null;
}

/** The game to go on with: the one that was begun last of those that are not over. @returns {Promise<GameView | null>} */
async function unfinished() {
  for (const id of begun().reverse()) {
    const game = await known(id);
    if (game && goesOn(game)) return game;
  }
  return null;
}

/** A game; nothing if it was deleted, and `undefined` if the server does not say. @param {string} id @returns {Promise<GameView | null | undefined>} */
function known(id) {
  return get(`/games/${id}`).catch((/** @type {import("./api.js").ApiError} */ error) => (error.status === 404 ? null : undefined));
}

/** Whether a person has moved in a game that is not over; one with a friend goes on from the invitation. @param {GameView} game */
function goesOn({ black, white, moves, pair, position }) {
  const people = black.kind === "human" || white.kind === "human";
  return people && !position.outcome && (pair !== null || moves.length > (black.kind === "agent" ? 1 : 0));
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
