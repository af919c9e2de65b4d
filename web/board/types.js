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
 * @property {boolean} [play] whether a tap on its head makes the move, while nothing is selected, e.g. `true`
 */

/**
 * Why a choice leads to no move:
 * `outnumbered` as many of theirs as of ours, `blocked` one's own marble behind theirs, `own` one's own marble in front,
 * `taken` no free cell around, `three` more than three in line, `narrow` not all cells beside the line are free,
 * `sideways` a push that is not in line, `far` more than one step, `gap` not side by side, `line` not in one line,
 * `which` two moves lead there, `scroll` the finger scrolled the page, `empty` and `theirs` nothing of one's own was chosen, `rules` forbidden for another reason.
 * @typedef {object} Reason
 * @property {"outnumbered" | "blocked" | "own" | "taken" | "three" | "narrow" | "sideways" | "far" | "gap" | "line" | "which" | "scroll" | "empty" | "theirs" | "rules" | "edge"} cause e.g. `"outnumbered"`
 * @property {number} [ours] marbles that push, e.g. `2`
 * @property {number} [theirs] marbles in their way, e.g. `2`
 * @property {boolean} [join] whether marbles are marked that can join, e.g. `true`
 * @property {boolean} [arrows] whether arrows are shown for moves with those, e.g. `true`
 */

/**
 * What the line below the board says while there is nothing to explain.
 * @typedef {object} Caption
 * @property {string} text e.g. `"Your move"`
 * @property {Color | null} turn whose marble stands before it, e.g. `"black"`
 * @property {boolean} [busy] whether somebody is thinking, e.g. `true`
 */

export {};
