// What the board says to screen readers, in English. The property `labels` takes others.

/** @typedef {import("./types.js").Color} Color */
/** @typedef {import("./types.js").Move} Move */

/**
 * @typedef {object} Labels
 * @property {string} board the name of the board, e.g. `"Board"`
 * @property {(cell: string, marble: Color | null, threatened: boolean) => string} cell e.g. `"a1, black marble, in danger"`
 * @property {(move: Move) => string} move e.g. `"c3 d4 up right, pushes 1 marble"`
 */

const DIRECTIONS = {
  east: "to the right",
  "north-east": "up right",
  "north-west": "up left",
  west: "to the left",
  "south-west": "down left",
  "south-east": "down right",
};

/** @type {Labels} */
export const ENGLISH = {
  board: "Board",
  cell: (cell, marble, threatened) => `${cell}, ${marble ? `${marble} marble` : "empty"}${threatened ? ", in danger" : ""}`,
  move({ marbles, direction, pushed, ejected }) {
    const push = pushed.length ? `, pushes ${pushed.length} marble${pushed.length === 1 ? "" : "s"}` : "";
    return `${marbles.join(" ")} ${DIRECTIONS[direction]}${push}${ejected ? ", pushes one off the board" : ""}`;
  },
};
