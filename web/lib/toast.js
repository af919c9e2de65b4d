// Where a note is put for its few seconds: never over a board.

/** @typedef {{left: number, top: number, right: number, bottom: number}} Box */

const GAP = 12;

/**
 * Places a note at the first of these where it covers no board: at the bottom, at the bottom of the panel beside the board, over the bar on top. If each covers
 * something, at the one that covers least.
 * @param {HTMLElement} note
 */
export function place(note) {
  const boards = [...document.querySelectorAll("svg.board")].map((board) => board.getBoundingClientRect());
  const side = document.querySelector(".side")?.getBoundingClientRect();
  const wide = innerWidth - 2 * GAP;
  /** @type {[number, number, "top" | "bottom"][]} */
  const places = [[GAP, wide, "bottom"]];
  if (side && side.width < wide) places.push([side.left, side.width, "bottom"]);
  places.push([GAP, wide, "top"]);
  let best = Infinity;
  for (const [left, width, edge] of places) {
    const before = note.style.cssText;
    note.style.cssText = `left: ${left}px; width: ${width}px; ${edge}: ${edge === "top" ? 4 : GAP}px`;
    const inner = /** @type {Element} */ (note.firstElementChild).getBoundingClientRect();
    const over = Math.max(0, ...boards.map((board) => common(inner, board)));
    if (over >= best) note.style.cssText = before;
    best = Math.min(best, over);
    if (best === 0) return;
  }
}

/** The area that two boxes share. @param {Box} a @param {Box} b */
function common(a, b) {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return Math.max(0, width) * Math.max(0, height);
}
