// The lessons as data: where the marbles stand and what is to be done. Whether a move is legal, the server says.

/**
 * What a move must be or lead to; all that is given must hold.
 * @typedef {object} Goal
 * @property {number} [marbles] how many of one's own move
 * @property {boolean} [side] broadside, or in line
 * @property {number} [pushed] how many of the other side's move
 * @property {boolean} [ejected] whether one of them leaves the board
 * @property {number} [threatens] so many of White's marbles are in danger afterwards
 * @property {boolean} [safe] none of Black's is
 * @property {boolean} [wins]
 * @property {string} [reply] what White then plays
 */

/**
 * @typedef {object} Lesson
 * @property {string} name for the texts, as in `learn.move.title`
 * @property {string} black cells
 * @property {string} white cells
 * @property {number} [score] marbles that Black has pushed off before
 * @property {Goal[]} goals one after the other
 */

/** Eight steps of the rules, then three tactics. @type {Lesson[]} */
export const LESSONS = [
  { name: "move", black: "c3 d4 e5 d7", white: "i5 i6 h5", goals: [{ marbles: 1 }, { marbles: 3, side: false }] },
  { name: "side", black: "d3 d4 d5", white: "h6 h7 h8", goals: [{ marbles: 3, side: true }] },
  { name: "two-one", black: "d4 e5", white: "f6 h5", goals: [{ marbles: 2, pushed: 1 }] },
  { name: "three-one", black: "c3 d4 e5", white: "f6 h5", goals: [{ marbles: 3, pushed: 1 }] },
  { name: "three-two", black: "c3 d4 e5", white: "f6 g7 h5", goals: [{ marbles: 3, pushed: 2 }] },
  { name: "cannot", black: "g4 g5 e3 e4 e6 c3 c4", white: "g6 g7 e5 c5", goals: [{ pushed: 1 }] },
  { name: "eject", black: "e7 e8 d5", white: "e9 g6 f5", goals: [{ ejected: true }] },
  { name: "win", black: "g5 h5 d4 e6", white: "i5 f7 c4 d6", score: 5, goals: [{ wins: true }] },
  { name: "fork", black: "e7 f8 d7 c4", white: "e9 d8 h7 g5", goals: [{ threatens: 2 }] },
  { name: "rescue", black: "e1 c3 d5", white: "e2 e3 g6", goals: [{ safe: true }] },
  { name: "combine", black: "e3 d2 f3 g6", white: "e1 f2 c4 h8", score: 5, goals: [{ threatens: 2, reply: "e1d1" }, { wins: true }] },
];

export const RULES = 8;
