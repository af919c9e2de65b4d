// Who is logged in, on a server that has accounts.

import { get, meta } from "./api.js";
import { keepSeat, keyOf } from "./keys.js";

/** @typedef {import("./types.js").PersonView} PersonView */

/** @type {Promise<PersonView | null> | null} */
let known = null;

/** The person who is logged in, asked for once; nobody on a server without accounts. */
export function who() {
  known ??= meta()
    .then(({ arena }) => (arena ? get("/account") : { person: null }))
    .then(({ person }) => person)
    .catch((error) => {
      known = null;
      throw error;
    });
  return known;
}

/** Somebody has logged in or out. @param {PersonView | null} person */
export function isNow(person) {
  known = Promise.resolve(person);
}

/**
 * What gives the person here the right to play in a game: its key, or an empty one if it is their account that has a seat; none if they watch.
 * The key of an import deletes its games; nobody plays on in them.
 * @param {import("./types.js").GameView} game
 * @returns {Promise<string | null>}
 */
export async function rightTo(game) {
  if (game.source === "import") return null;
  const key = keyOf(game.id);
  if (key !== null || !(await who())) return key;
  const { plays, color } = await get(`/games/${game.id}/seat`);
  if (plays && color) keepSeat(game.id, color);
  return plays ? "" : null;
}
