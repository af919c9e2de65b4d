// Arrows and circles that a person draws on the board: by a drag with the right button, after a long press of a finger, or with Shift
// and Enter on one cell and then another. The page keeps them: every shape is an event `draw`, and `shapes` shows what there is.

import { cellAt, centre, distance, PITCH } from "./geometry.js";
import { s } from "./svg.js";

/** @typedef {import("./board.js").Board} Board */

/** Colours, by the key that is held: none, Shift, Alt. Arrows of the engine are green, so people begin with blue. @typedef {"blue" | "red" | "green"} Ink */

/**
 * A circle around a cell, or an arrow to another one.
 * @typedef {object} Shape
 * @property {string} from a cell, e.g. `"e5"`
 * @property {string} to the same for a circle, e.g. `"f6"`
 * @property {Ink} ink e.g. `"blue"`
 */

/** How long a finger rests before it draws, in milliseconds: as long as phones wait for their own menu. */
export const LONG_PRESS = 500;
/** How far it may stray meanwhile, in pixels of the screen. */
const STRAY = 10;

export class Drawings {
  /** Whether a person may draw. E.g. `true` */
  on = false;
  /** @type {Shape[]} */
  #shapes = [];
  /** The one under way. @type {{pointer: number, from: string, to: string | null, ink: Ink} | null} */
  #pen = null;
  /** Where Shift and Enter were pressed first. @type {string | null} */
  #anchor = null;
  #layer = s("g", { class: "drawings", "aria-hidden": "true" });
  #timer = 0;
  #rest = { x: 0, y: 0 };

  /** @param {Board} board */
  constructor(board) {
    this.board = board;
  }

  get shapes() {
    return this.#shapes;
  }

  /** What is drawn. E.g. `[{from: "e5", to: "f6", ink: "blue"}]` */
  set shapes(shapes) {
    this.#shapes = shapes;
    this.draw();
  }

  /** Begins to listen; the board calls it once. */
  connect() {
    const { svg } = this.board;
    svg.append(this.#layer);
    svg.addEventListener("contextmenu", (event) => this.on && event.preventDefault());
    svg.addEventListener("pointerdown", (event) => this.#down(event));
    svg.addEventListener("pointermove", (event) => this.#move(event));
    svg.addEventListener("pointerup", (event) => this.#up(event));
    svg.addEventListener("pointercancel", (event) => event.isTrusted && this.#drop());
    // Once a finger draws, the page must not scroll under it.
    svg.addEventListener("touchmove", (event) => this.#pen && event.cancelable && event.preventDefault(), { passive: false });
    svg.addEventListener("keydown", (event) => this.#key(event), { capture: true });
  }

  /** Shows all shapes, and the one under way. */
  draw() {
    const { flip } = this.board;
    const pen = this.#pen?.to ? [{ from: this.#pen.from, to: this.#pen.to, ink: this.#pen.ink }] : [];
    const anchor = this.#anchor ? [circle({ from: this.#anchor, to: this.#anchor, ink: "blue" }, flip, "begun")] : [];
    this.#layer.replaceChildren(...[...this.#shapes, ...pen].map((each) => (each.from === each.to ? circle(each, flip) : arrow(each, flip))), ...anchor);
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (!this.on || this.board.editing) return;
    const from = this.#cell(event);
    clearTimeout(this.#timer);
    if (!from) return;
    const ink = event.shiftKey ? "red" : event.altKey ? "green" : "blue";
    if (event.button === 2) return this.#begin(event.pointerId, from, ink);
    if (event.pointerType !== "touch") return;
    this.#rest = { x: event.clientX, y: event.clientY };
    this.#timer = setTimeout(() => this.#begin(event.pointerId, from, ink), LONG_PRESS);
  }

  /** @param {number} pointer @param {string} from @param {Ink} ink */
  #begin(pointer, from, ink) {
    // The finger no longer carries a marble.
    this.board.svg.dispatchEvent(new PointerEvent("pointercancel", { pointerId: pointer }));
    this.#pen = { pointer, from, to: from, ink };
    this.board.svg.setPointerCapture(pointer);
    this.draw();
  }

  /** @param {PointerEvent} event */
  #move(event) {
    if (distance({ x: event.clientX, y: event.clientY }, this.#rest) > STRAY) clearTimeout(this.#timer);
    if (this.#pen?.pointer !== event.pointerId) return;
    this.#pen.to = this.#cell(event);
    this.draw();
  }

  /** @param {PointerEvent} event */
  #up(event) {
    clearTimeout(this.#timer);
    const pen = this.#pen;
    if (pen?.pointer !== event.pointerId) return;
    this.#drop();
    if (pen.to) this.#give({ from: pen.from, to: pen.to, ink: pen.ink });
  }

  #drop() {
    clearTimeout(this.#timer);
    this.#pen = null;
    this.draw();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (!this.on || this.board.editing) return;
    const press = event.shiftKey && (event.key === "Enter" || event.key === " ");
    if (!press && !(this.#anchor && event.key === "Escape")) return;
    event.preventDefault();
    event.stopPropagation();
    const from = this.#anchor;
    this.#anchor = press && !from ? this.board.focusCell : null;
    this.draw();
    if (press && from) this.#give({ from, to: this.board.focusCell, ink: "blue" });
  }

  /** @param {Shape} shape */
  #give(shape) {
    this.board.dispatchEvent(new CustomEvent("draw", { detail: shape }));
  }

  /** @param {PointerEvent} event */
  #cell(event) {
    return cellAt(this.board.point(event), this.board.flip);
  }
}

/** A shape more, or one less if it was there in the same colour. @param {Shape[]} shapes @param {Shape} shape @returns {Shape[]} */
export function toggled(shapes, shape) {
  const others = shapes.filter(({ from, to }) => from !== shape.from || to !== shape.to);
  const known = shapes.some(({ from, to, ink }) => from === shape.from && to === shape.to && ink === shape.ink);
  return known ? others : [...others, shape];
}

/** @param {Shape} shape @param {boolean} flip @param {string} [more] a class */
function circle({ from, ink }, flip, more = "") {
  const { x, y } = centre(from, flip);
  return s("circle", { class: `drawn ${ink} ${more}`, cx: x, cy: y, r: PITCH / 2 - 3 });
}

/** @param {Shape} shape @param {boolean} flip */
function arrow({ from, to, ink }, flip) {
  const a = centre(from, flip);
  const b = centre(to, flip);
  const length = distance(a, b);
  const angle = (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI;
  return s(
    "g",
    { class: `drawn ${ink}`, transform: `translate(${a.x} ${a.y}) rotate(${angle})` },
    s("path", { d: `M8 -4.5H${length - 24}V-14L${length} 0L${length - 24} 14V4.5H8A4.5 4.5 0 0 1 8 -4.5z` }),
  );
}
