// The parts of the board's picture, each as SVG elements. Colours come from the style sheet.

import { CELLS, centre, hexagon, MARBLE, middle, PITCH, tray, way } from "./geometry.js";
import { s } from "./svg.js";

/** @typedef {import("./types.js").Color} Color */
/** @typedef {import("./types.js").Move} Move */
/** @typedef {import("./geometry.js").Point} Point */

export const VIEW_BOX = "-326 -290 652 580";

/**
 * Gradients, named after the board so that two boards on a page do not share them.
 * @param {string} id
 */
export function definitions(id) {
  /** @param {string} name @param {number[]} offsets @param {Record<string, number>} shape */
  const glow = (name, offsets, shape) =>
    s(
      "radialGradient",
      { id: `${id}-${name}`, ...shape },
      offsets.map((offset, i) => s("stop", { class: `${name}-${i + 1}`, offset })),
    );
  const ball = { cx: 0.36, cy: 0.3, r: 0.78, fx: 0.3, fy: 0.22 };
  return s(
    "defs",
    {},
    glow("black", [0, 0.18, 0.6, 1], ball),
    glow("white", [0, 0.25, 0.7, 1], ball),
    glow("hole", [0.55, 0.85, 1], { cx: 0.5, cy: 0.56, r: 0.5 }),
    s(
      "linearGradient",
      { id: `${id}-wood`, x1: 0, y1: 0, x2: 0.25, y2: 1 },
      [0, 0.5, 1].map((offset, i) => s("stop", { class: `wood-${i + 1}`, offset })),
    ),
  );
}

/**
 * The wooden hexagon with its holes and both trays.
 * @param {string} id
 * @param {boolean} flip
 */
export function ground(id, flip) {
  const holes = CELLS.map((cell) => {
    const { x, y } = centre(cell, flip);
    return s("circle", { class: "hole", cx: x, cy: y, r: 24, fill: `url(#${id}-hole)` });
  });
  return s(
    "g",
    { class: "ground", "aria-hidden": "true" },
    s("polygon", { class: "rim", points: hexagon(312) }),
    s("polygon", { class: "wood", points: hexagon(309), fill: `url(#${id}-wood)` }),
    s("polygon", { class: "well", points: hexagon(277) }),
    holes,
    [true, false].flatMap((bottom) => tray(bottom).map(({ x, y }) => s("circle", { class: "slot", cx: x, cy: y, r: 18 }))),
  );
}

/** Letters left of the rows, numbers below the diagonals. @param {boolean} flip */
export function coordinates(flip) {
  /** @param {Point} at @param {string} text */
  const label = (at, text) => s("text", { x: at.x, y: at.y, dy: ".35em" }, text);
  const labels = [];
  for (let i = 1; i <= 9; i++) {
    const first = `${String.fromCharCode(96 + i)}${Math.max(1, i - 4)}`;
    const foot = `${String.fromCharCode(96 + Math.max(1, i - 4))}${i}`;
    const left = i === 5 ? { x: -54, y: 0 } : i > 5 ? { x: -46, y: -10 } : { x: -46, y: 10 };
    const below = i <= 5 ? { x: 0, y: 49 } : { x: 42, y: 25 };
    labels.push(label(moved(centre(first, flip), turned(left, flip)), first[0]));
    labels.push(label(moved(centre(foot, flip), turned(below, flip)), String(i)));
  }
  return s("g", { class: "coordinates", "aria-hidden": "true" }, labels);
}

/** @param {Point} at @param {boolean} flip */
function turned(at, flip) {
  return flip ? { x: -at.x, y: -at.y } : at;
}

/** @param {Point} a @param {Point} b */
function moved(a, b) {
  return { x: a.x + b.x, y: a.y + b.y };
}

/**
 * @param {string} id
 * @param {Color} color
 * @param {Point} at
 * @param {number} [size] 1 for the board, less for the tray
 */
export function marble(id, color, at, size = 1) {
  return s(
    "g",
    { class: `marble ${color}`, transform: place(at, size) },
    s("ellipse", { class: "shadow", cx: 3, cy: 6, rx: MARBLE, ry: MARBLE - 1 }),
    s("circle", { class: "ball", r: MARBLE, fill: `url(#${id}-${color})` }),
    s("path", { class: "shine", d: "M-17 -9a19 19 0 0 1 18 -12a24 14 0 0 0 -18 12z" }),
    s("circle", { class: "emblem", r: 8 }),
  );
}

/** @param {Point} at @param {number} [size] */
export function place(at, size = 1) {
  return `translate(${at.x.toFixed(2)} ${at.y.toFixed(2)})${size === 1 ? "" : ` scale(${size})`}`;
}

/**
 * Marks where the last move came from and went to.
 * @param {Move} move
 * @param {boolean} flip
 */
export function lastMove(move, flip) {
  const { x, y } = way(move.direction, flip);
  const cells = [...move.marbles, ...move.pushed].filter((cell) => cell !== move.ejected);
  return s(
    "g",
    { class: "last", "aria-hidden": "true" },
    cells.map((cell) => {
      const from = centre(cell, flip);
      return s("line", { x1: from.x, y1: from.y, x2: from.x + x * 0.96, y2: from.y + y * 0.96 });
    }),
  );
}

/**
 * An arrow that explains a move: an idea of the engine, a hint, a solution.
 * @param {Move} move
 * @param {boolean} flip
 * @param {string} kind a class, such as `best`
 */
export function arrow(move, flip, kind) {
  const { x, y } = way(move.direction, flip);
  const points = move.marbles.map((cell) => centre(cell, flip));
  const from = middle(points);
  const reach = Math.max(...points.map((p) => ((p.x - from.x) * x + (p.y - from.y) * y) / PITCH));
  const inLine = Math.abs(reach - ((points.length - 1) * PITCH) / 2) < 1;
  const unit = { x: x / PITCH, y: y / PITCH };
  const tail = { x: from.x - unit.x * (inLine ? reach : 0), y: from.y - unit.y * (inLine ? reach : 0) };
  const length = (inLine ? 2 * reach : 0) + PITCH * 0.92;
  const angle = (Math.atan2(y, x) * 180) / Math.PI;
  const band = inLine
    ? null
    : s("polyline", { class: "band", points: points.map((p) => `${p.x},${p.y}`).join(" ") });
  return s(
    "g",
    { class: `arrow ${kind}`, "aria-hidden": "true" },
    band,
    s(
      "g",
      { transform: `translate(${tail.x} ${tail.y}) rotate(${angle})` },
      s("path", { d: `M0 -5.5H${length - 20}V-16L${length + 4} 0L${length - 20} 16V5.5H0A5.5 5.5 0 0 1 0 -5.5z` }),
    ),
  );
}

/**
 * A button on the board that makes a move.
 * @param {import("./choice.js").Handle} handle
 * @param {boolean} flip
 * @param {string} label
 */
export function handle({ move, towards, at }, flip, label) {
  const { x, y } = way(towards, flip);
  const kind = move.ejected ? "eject" : move.pushed.length ? "push" : "";
  return s(
    "g",
    { class: `handle ${kind}`, role: "button", tabindex: 0, transform: place(at), "aria-label": label, data: { move: move.move, direction: towards } },
    s("circle", { class: "reach", r: 30 }),
    s("circle", { class: "disc", r: 23 }),
    s("g", { transform: `rotate(${(Math.atan2(y, x) * 180) / Math.PI})` }, s("path", { d: "M-9 -10H1V-17L17 0L1 17V10H-9z" })),
  );
}

/** The ground below a line of marbles that could move together. @param {string[]} cells @param {boolean} flip */
export function band(cells, flip) {
  const points = cells.map((cell) => centre(cell, flip));
  return s("polyline", { points: points.map(({ x, y }) => `${x},${y}`).join(" ") });
}

/**
 * A small picture of marbles, without anything to click.
 * @param {{black: string[], white: string[]}} marbles
 * @param {string} [title]
 */
export function mini(marbles, title) {
  return s(
    "svg",
    { class: "mini", viewBox: "-292 -256 584 512", role: title ? "img" : null, "aria-label": title, "aria-hidden": title ? null : "true" },
    s("polygon", { class: "mini-wood", points: hexagon(290) }),
    CELLS.map((cell) => {
      const { x, y } = centre(cell, false);
      const color = marbles.black.includes(cell) ? "black" : marbles.white.includes(cell) ? "white" : "none";
      return s("circle", { class: `mini-${color}`, cx: x, cy: y.toFixed(1), r: color === "none" ? 10 : 26 });
    }),
  );
}
