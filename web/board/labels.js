// What the board says to screen readers, in English. The property `labels` takes others.

/** @typedef {import("./types.js").Color} Color */
/** @typedef {import("./types.js").Move} Move */
/** @typedef {import("./types.js").Reason} Reason */

/**
 * @typedef {object} Labels
 * @property {string} board the name of the board, e.g. `"Board"`
 * @property {(cell: string, marble: Color | null, threatened: boolean) => string} cell e.g. `"a1, black marble, in danger"`
 * @property {(move: Move) => string} move e.g. `"c3 d4 up right, pushes 1 marble"`
 * @property {(reason: Reason) => string} [reason] e.g. `"2 against 2: no push."`
 */

const DIRECTIONS = {
  east: "to the right",
  "north-east": "up right",
  "north-west": "up left",
  west: "to the left",
  "south-west": "down left",
  "south-east": "down right",
};

/** @type {Record<Reason["cause"], string>} */
const REASONS = {
  outnumbered: "",
  blocked: "Your own marble is behind theirs: no push.",
  own: "Your own marbles are in the way.",
  taken: "No free cell next to it.",
  three: "Only three in line can move.",
  narrow: "Sideways, every cell must be free.",
  sideways: "Only a line pushes, straight ahead.",
  far: "Too far: marbles move one step.",
  gap: "Not side by side.",
  line: "Not in one line.",
  which: "Two moves lead there: choose an arrow.",
  empty: "Choose one of your marbles first.",
  theirs: "Not your marble.",
  rules: "The rules forbid it.",
  scroll: "The finger scrolled: tap the marble first, then drag it.",
  edge: "That is the rim.",
};

/** @type {Required<Labels>} */
export const ENGLISH = {
  board: "Board",
  cell: (cell, marble, threatened) => `${cell}, ${marble ? `${marble} marble` : "empty"}${threatened ? ", in danger" : ""}`,
  move({ marbles, direction, pushed, ejected }) {
    const push = pushed.length ? `, pushes ${pushed.length} marble${pushed.length === 1 ? "" : "s"}` : "";
    return `${marbles.join(" ")} ${DIRECTIONS[direction]}${push}${ejected ? ", pushes one off the board" : ""}`;
  },
  reason({ cause, ours, theirs, join, arrows }) {
    const text = cause === "outnumbered" ? `${ours} against ${theirs}: no push.` : REASONS[cause];
    return join ? `${text} Add a marked marble${arrows ? " or tap an arrow" : ""}.` : text;
  },
};
