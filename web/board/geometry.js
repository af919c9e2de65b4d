// Where things are on the picture of the board: E5 is the origin, y grows downwards, neighbours are 60 apart.
//
//     I          5 6 7 8 9          a cell is a row (letter) and a diagonal (number, 1 to 9 from the lower left)
//     E      1 2 3 4 5 6 7 8 9
//     A          1 2 3 4 5

/** @typedef {import("./types.js").Direction} Direction */
/** @typedef {{x: number, y: number}} Point */

export const PITCH = 60;
export const MARBLE = 27.5;
const ROW = (PITCH * Math.sqrt(3)) / 2;

/** All 61 cells, row I first, as one reads. @type {string[]} */
export const CELLS = [];
for (let row = 9; row >= 1; row--) {
  for (let number = 1; number <= 9; number++) {
    if (Math.abs(row - number) <= 4) CELLS.push(name(row, number));
  }
}
const KNOWN = new Set(CELLS);

/** A step as [rows, numbers]. @type {Record<Direction, [number, number]>} */
const STEPS = {
  east: [0, 1],
  "north-east": [1, 1],
  "north-west": [1, 0],
  west: [0, -1],
  "south-west": [-1, -1],
  "south-east": [-1, 0],
};

/** @type {Direction[]} */
export const DIRECTIONS = /** @type {Direction[]} */ (Object.keys(STEPS));

/** @type {Record<Direction, Direction>} */
export const OPPOSITE = {
  east: "west",
  "north-east": "south-west",
  "north-west": "south-east",
  west: "east",
  "south-west": "north-east",
  "south-east": "north-west",
};

/** @param {number} row @param {number} number */
function name(row, number) {
  return String.fromCharCode(96 + row) + number;
}

/** @param {string} cell @returns {[number, number]} */
export function rowAndNumber(cell) {
  return [cell.charCodeAt(0) - 96, Number(cell[1])];
}

/**
 * The cell one step on, or `null` beyond the rim.
 * @param {string} cell
 * @param {Direction} towards
 * @returns {string | null}
 */
export function step(cell, towards) {
  const [row, number] = rowAndNumber(cell);
  const next = name(row + STEPS[towards][0], number + STEPS[towards][1]);
  return KNOWN.has(next) ? next : null;
}

/**
 * The middle of a cell; a flipped board is turned by half a turn.
 * @param {string} cell
 * @param {boolean} flip
 * @returns {Point}
 */
export function centre(cell, flip) {
  const [row, number] = rowAndNumber(cell);
  const x = (number - 5) * PITCH - ((row - 5) * PITCH) / 2;
  const y = (5 - row) * ROW;
  return flip ? { x: 0 - x, y: 0 - y } : { x, y };
}

/**
 * The way of one step, 60 long.
 * @param {Direction} towards
 * @param {boolean} flip
 * @returns {Point}
 */
export function way(towards, flip) {
  const [rows, numbers] = STEPS[towards];
  const x = numbers * PITCH - (rows * PITCH) / 2;
  const y = -rows * ROW;
  return flip ? { x: -x, y: -y } : { x, y };
}

/**
 * The cell nearest to a point, if one is near.
 * @param {Point} point
 * @param {boolean} flip
 */
export function cellAt(point, flip) {
  return CELLS.find((cell) => distance(centre(cell, flip), point) <= PITCH / 2 + 1) ?? null;
}

/** @param {Point} a @param {Point} b */
export function distance(a, b) {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

/** @param {Point[]} points @returns {Point} */
export function middle(points) {
  const sum = points.reduce((a, b) => ({ x: a.x + b.x, y: a.y + b.y }), { x: 0, y: 0 });
  return { x: sum.x / points.length, y: sum.y / points.length };
}

/**
 * The cells from one to another in a straight line, both included; `null` if they are not in line or further than
 * three apart.
 * @param {string} from
 * @param {string} to
 * @returns {string[] | null}
 */
export function line(from, to) {
  if (from === to) return [from];
  for (const towards of DIRECTIONS) {
    const second = step(from, towards);
    const third = second && step(second, towards);
    if (second === to) return [from, to];
    if (second && third === to) return [from, second, to];
  }
  return null;
}

/** The corners of a hexagon as an SVG list; its corners point left and right. @param {number} radius */
export function hexagon(radius) {
  const corners = [0, 1, 2, 3, 4, 5].map((i) => {
    const angle = (i * Math.PI) / 3;
    return `${(radius * Math.cos(angle)).toFixed(1)},${(radius * Math.sin(angle)).toFixed(1)}`;
  });
  return corners.join(" ");
}

/**
 * The places of a tray for six marbles, in the corner of the picture that the hexagon leaves free.
 * @param {boolean} bottom right below, or left above
 * @returns {Point[]}
 */
export function tray(bottom) {
  const places = [];
  for (let row = 0; row < 3; row++) {
    for (let i = 0; i < 3 - row; i++) {
      places.push({ x: 296 - i * 43 - row * 21.5, y: 262 - row * 37.2 });
    }
  }
  return bottom ? places : places.map(({ x, y }) => ({ x: -x, y: -y }));
}
