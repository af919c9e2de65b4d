// What the board is given and gives back, as types. Nothing here runs.

/** @typedef {"black" | "white"} Color */
/** @typedef {"east" | "north-east" | "north-west" | "west" | "south-west" | "south-east"} Direction */

/**
 * A move with all that a picture of it needs.
 * @typedef {object} Move
 * @property {string} move its name, e.g. `"a1b2"`
 * @property {string[]} marbles the mover's cells that move, e.g. `["a1", "b2"]`
 * @property {Direction} direction where all of them go by one step, e.g. `"north-east"`
 * @property {string[]} pushed the other side's cells that move, e.g. `["c3"]`
 * @property {string | null} ejected the one of them whose marble leaves the board, e.g. `null`
 */

/**
 * @typedef {object} Marbles
 * @property {string[]} black cells, e.g. `["a1", "b2"]`
 * @property {string[]} white cells, e.g. `["i9"]`
 * @property {{black: number, white: number}} score marbles that each side has pushed off, e.g. `{black: 0, white: 2}`
 */

/**
 * A position; only the marbles and the turn are needed to show it.
 * @typedef {object} Position
 * @property {string[]} black cells, e.g. `["a1", "b2"]`
 * @property {string[]} white cells, e.g. `["i9"]`
 * @property {Color} turn who moves next, e.g. `"black"`
 * @property {{black: number, white: number}} [score] marbles that each side has pushed off, e.g. `{black: 0, white: 2}`
 * @property {Move[]} [moves] the legal moves; without any, nothing can be chosen
 * @property {Move | null} [last] the move that led here; it is marked, and seen as it happens
 * @property {string[]} [threatened] cells of marbles in danger, e.g. `["a5"]`
 */

/**
 * A move to explain.
 * @typedef {object} Arrow
 * @property {Move} move
 * @property {string} kind its colour, e.g. `"best"`, `"second"` to `"sixth"`, `"hint"`, `"bad"`
 */

export {};
