// Where a note is put for its few seconds: over no board and over nothing that is pressed.

/** @typedef {{left: number, top: number, right: number, bottom: number}} Box */
/** A place to try, and its column: where it begins and how wide it is. @typedef {{left: number, width: number, top: number, box: Box}} Place */

/** From the screen's edge, and from what must not be covered. */
const GAP = 12;
const NEAR = 2;
const BOARD = "svg.board";
const CONTROLS = "a[href], button, input, select, textarea, summary, .moves, .tree, .graph";
/** A board that is covered is worse than buttons that are. */
const WORSE = 10;

/** Places a note as low as it can be without covering anything; where there is no such place, where it covers least. @param {HTMLElement} note */
export function place(note) {
  const [boards, controls] = [inSight(BOARD, note), inSight(CONTROLS, note)];
  const places = columns().flatMap((column) => within(note, column, [...boards, ...controls]));
  let best = { over: Infinity, at: places[0] };
  for (const at of places.sort((a, b) => b.top - a.top)) {
    const over = WORSE * covered(at.box, boards) + covered(at.box, controls);
    if (over < best.over) best = { over, at };
    if (over === 0) break;
  }
  const { left, width, top } = best.at;
  note.style.cssText = `left: ${left}px; width: ${width}px; top: ${top}px`;
}

/** The whole screen, and the panel beside a board. @returns {[left: number, width: number][]} */
function columns() {
  const wide = innerWidth - 2 * GAP;
  const side = document.querySelector(".side")?.getBoundingClientRect();
  return side && side.width < wide ? [[GAP, wide], [side.left, side.width]] : [[GAP, wide]];
}

/** The places in a column: at its end, and above and below everything that is in sight. @param {HTMLElement} note @param {[number, number]} column @param {Box[]} kept @returns {Place[]} */
function within(note, [left, width], kept) {
  note.style.cssText = `left: ${left}px; width: ${width}px; top: 0`;
  const inner = /** @type {Element} */ (note.firstElementChild).getBoundingClientRect();
  const lowest = innerHeight - GAP - inner.height;
  const tops = [lowest, ...kept.flatMap(({ top, bottom }) => [top - NEAR - inner.height, bottom + NEAR])].filter((top) => top >= NEAR && top <= lowest);
  return [...new Set(tops)].map((top) => ({ left, width, top, box: { left: inner.left, right: inner.right, top, bottom: top + inner.height } }));
}

/** What a person sees of these. @param {string} what @param {HTMLElement} note @returns {Box[]} */
function inSight(what, note) {
  const all = [...document.querySelectorAll(what)].filter((each) => !note.contains(each) && each.checkVisibility({ visibilityProperty: true }));
  return all.map((each) => each.getBoundingClientRect()).filter(({ top, bottom, width }) => width > 1 && bottom > 0 && top < innerHeight);
}

/** How much of others a box covers. @param {Box} box @param {Box[]} others */
function covered(box, others) {
  return others.reduce((sum, other) => sum + common(box, other), 0);
}

/** The area that two boxes share. @param {Box} a @param {Box} b */
function common(a, b) {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return Math.max(0, width) * Math.max(0, height);
}
