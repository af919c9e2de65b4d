// Who is logged in, on a server that has accounts.

import { get, meta } from "./api.js";

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
