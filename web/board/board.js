// `<sumito-board>`: shows a position of Abalone and gives back the move that a person chooses, as an event `move`.
//
// It holds no rules: whoever uses it sets `position`, with the legal moves in it.

import { rollBack, rollOn } from "./animate.js";
import { ATTRIBUTES } from "./attributes.js";
import { handles, joinable, offered, remaining } from "./choice.js";
import * as draw from "./draw.js";
import { Drawings } from "./drawings.js";
import { CELLS, centre, MARBLE, tray, way } from "./geometry.js";
import { listen } from "./gesture.js";
import { onKey } from "./keys.js";
import { ENGLISH } from "./labels.js";
import { wordLine } from "./line.js";
import { leads, moverOf, other, same } from "./replay.js";
import { assign, fill, s } from "./svg.js";
import { tap } from "./tap.js";

/** @typedef {import("./types.js").Position} Position */
/** @typedef {import("./types.js").Move} Move */
/** @typedef {import("./types.js").Color} Color */
/** @typedef {import("./types.js").Arrow} Arrow */
/** @typedef {Required<Position>} Shown */

/** What a position has that does not say more. */
const STILL = { score: { black: 0, white: 0 }, moves: [], last: null, threatened: [] };

let boards = 0;

export class Board extends HTMLElement {
  static observedAttributes = Object.keys(ATTRIBUTES);

  /** Whether moves are seen as they happen. E.g. `false` */
  motion = true;
  /** What a person draws on the board. E.g. `board.drawings.on = true` */
  drawings = new Drawings(this);
  /** Whether it is not the player's turn yet, and a move is chosen ahead. E.g. `true` */
  ahead = false;

  #player = "";
  /** @type {Shown | null} */
  #position = null;
  #flip = false;
  #coordinates = true;
  #threats = false;
  #editing = false;
  /** @type {Arrow[]} */
  #arrows = [];
  /** @type {import("./labels.js").Labels} */
  #labels = ENGLISH;
  #line = wordLine();

  // What follows is for the modules of this folder.

  /** The cells of the marbles that are chosen. @type {string[]} */
  selection = [];
  /** Whether the last press was a finger's. */
  touched = false;
  /** The cell that the keyboard is on. */
  focusCell = "e5";
  /** @type {Map<string, SVGGElement>} */
  marbles = new Map();
  /** @type {import("./choice.js").Handle[]} */
  handles = [];

  /** Marbles on their way into the trays: those that Black has pushed off, and White. */
  #rolling = { black: 0, white: 0 };
  /** When every marble lies still. @type {Promise<unknown>} */
  settled = Promise.resolve();
  #id = `board${++boards}`;
  /** @type {AbortController | null} */
  #elsewhere = null;
  #layers = {
    ground: s("g"),
    coordinates: s("g"),
    last: s("g"),
    lines: s("g", { class: "lines", "aria-hidden": "true" }),
    trays: s("g"),
    marbles: s("g", { "aria-hidden": "true" }),
    marks: s("g", { class: "marks", "aria-hidden": "true" }),
    arrows: s("g"),
    cells: s("g", { class: "cells", role: "grid" }),
    handles: s("g", { class: "handles" }),
  };
  svg = s("svg", { viewBox: draw.VIEW_BOX, class: "board" });

  connectedCallback() {
    if (this.svg.isConnected) return;
    this.svg.append(draw.definitions(this.#id), ...Object.values(this.#layers));
    this.append(this.svg, ...this.#line.elements);
    listen(this);
    this.drawings.connect();
    this.svg.addEventListener("keydown", (event) => onKey(this, event));
    this.#drawCells();
    this.#drawAll();
    this.#cancelElsewhere();
  }

  disconnectedCallback() {
    this.#elsewhere?.abort();
  }

  /** Escape and a tap beside the board drop the selection, wherever the keyboard is. */
  #cancelElsewhere() {
    this.#elsewhere = new AbortController();
    const { signal } = this.#elsewhere;
    const drop = () => this.selection.length && this.select([]);
    document.addEventListener("keydown", (event) => event.key === "Escape" && drop(), { signal });
    document.addEventListener("pointerdown", (event) => !this.contains(/** @type {Node} */ (event.target)) && drop(), { signal });
  }

  /** @param {string} name @param {string | null} _before @param {string | null} value */
  attributeChangedCallback(name, _before, value) {
    ATTRIBUTES[name](this, value);
  }

  /** @returns {Shown | null} */
  get position() {
    return this.#position;
  }

  /**
   * What is shown; a move that leads here from what was shown before is seen as it happens.
   *
   * E.g. `{black: ["a1"], white: ["i9"], turn: "black", moves: [{move: "a1a2", marbles: ["a1"], direction: "east", pushed: [], ejected: null}]}`
   * @param {Position | null} position
   */
  set position(position) {
    const before = this.#position;
    const next = position && { ...STILL, ...position };
    this.#position = next;
    // The same board again, under other rules perhaps: what is being chosen stays chosen.
    if (!before || !next || before.turn !== next.turn || !same(before, next)) {
      this.selection = this.#chosenStill(before, next);
      this.#line.tell("");
    }
    if (!this.svg.isConnected) return;
    if (!next || !before) this.#drawMarbles();
    else if (same(before, next)) this.#putBack();
    else if (!this.#animate(before, next)) this.#drawMarbles();
    this.#drawMarks();
  }

  get player() {
    return this.#player;
  }

  /** Whose marbles a person may move here. E.g. `"black"`, `"white"`, `"both"`, or `""` for nobody */
  set player(player) {
    if (player === this.#player) return;
    this.#player = player;
    this.selection = [];
    this.#line.tell("");
    if (this.svg.isConnected) this.#drawMarks();
  }

  get flip() {
    return this.#flip;
  }

  /** Whether White sits below. E.g. `true` */
  set flip(flip) {
    if (flip === this.#flip) return;
    this.#flip = flip;
    if (this.svg.isConnected) this.#drawAll();
  }

  get coordinates() {
    return this.#coordinates;
  }

  /** Whether letters and numbers are on the rim. E.g. `false` */
  set coordinates(coordinates) {
    this.#coordinates = coordinates;
    if (this.svg.isConnected) this.#drawGround();
  }

  get threats() {
    return this.#threats;
  }

  /** Whether marbles in danger are marked. E.g. `true` */
  set threats(threats) {
    this.#threats = threats;
    if (this.svg.isConnected) this.#drawMarks();
  }

  get editing() {
    return this.#editing;
  }

  /** Whether every cell that is touched is an event `pick`, for an editor. E.g. `true` */
  set editing(editing) {
    if (editing === this.#editing) return;
    this.#editing = editing;
    this.selection = [];
    if (this.svg.isConnected) this.#drawMarks();
  }

  get arrows() {
    return this.#arrows;
  }

  /** Moves to explain. E.g. `[{move: position.moves[0], kind: "best"}]` */
  set arrows(arrows) {
    this.#arrows = arrows;
    this.#drawArrows();
  }

  get labels() {
    return this.#labels;
  }

  /** What screen readers are told. E.g. `{board: "Plateau", cell: (cell) => cell, move: ({move}) => move}` */
  set labels(labels) {
    this.#labels = labels;
    if (this.svg.isConnected) this.#drawMarks();
  }

  get caption() {
    return this.#line.caption;
  }

  /** What the line below the board says while nothing has to be explained. E.g. `{text: "Your move", turn: "black"}` */
  set caption(caption) {
    this.#line.caption = caption;
    this.#line.show(this.#player !== "");
  }

  /** What stays chosen on another board: after the other side's move, the marbles that it has left. @param {Shown | null} before @param {Shown | null} next @returns {string[]} */
  #chosenStill(before, next) {
    const player = this.#player;
    if (!before || !next?.last || (player !== "black" && player !== "white")) return [];
    const answered = leads(before, next.last, next) && moverOf(before, next.last) !== player;
    return answered ? remaining(this.selection, next[player]) : [];
  }

  /** A move that was dragged and is not made. */
  #putBack() {
    this.preview(null);
    this.#drawTrays();
  }

  /** The cells of the marbles that may be moved now. @returns {string[]} */
  get own() {
    return this.ahead ? [] : this.choosable;
  }

  /** The cells of the marbles that may be chosen and have their moves, for now or ahead of one's turn. @returns {string[]} */
  get choosable() {
    return this.#position?.moves.length ? this.mine : [];
  }

  /** The cells of the marbles that a tap chooses. Ahead of one's turn that is before anybody has said how they can move. @returns {string[]} */
  get mine() {
    const at = this.#position;
    if (!at || this.#editing || !(at.moves.length || this.ahead)) return [];
    return this.#player === "both" || this.#player === at.turn ? at[at.turn] : [];
  }

  /** @param {string[]} cells */
  select(cells) {
    this.selection = cells;
    this.#line.tell("");
    this.#drawMarks();
    this.dispatchEvent(new CustomEvent("select", { detail: cells }));
  }

  /** Says below the board why a choice leads nowhere, and as an event `reason`. @param {import("./types.js").Reason | null} reason */
  tell(reason) {
    this.#line.tell(reason ? (this.#labels.reason ?? ENGLISH.reason)(reason) : "");
    if (reason) this.dispatchEvent(new CustomEvent("reason", { detail: reason }));
  }

  /** What a tap on a cell does: select, move or cancel. @param {string} cell */
  tap(cell) {
    if (this.#editing) this.pick(cell);
    else tap(this, cell);
  }

  /** @param {string} cell */
  pick(cell) {
    this.dispatchEvent(new CustomEvent("pick", { detail: cell }));
  }

  /** Gives the chosen move to the page. @param {Move} move */
  choose(move) {
    this.select([]);
    this.dispatchEvent(new CustomEvent("move", { detail: move }));
  }

  /** Moves the keyboard to a cell. @param {string} cell */
  focusOn(cell) {
    this.#cell(this.focusCell)?.setAttribute("tabindex", "-1");
    this.focusCell = cell;
    const element = this.#cell(cell);
    element?.setAttribute("tabindex", "0");
    element?.focus();
  }

  /**
   * Shows a move that a finger has carried a part of the way; `null` puts all back.
   * @param {Move | null} move
   * @param {number} part
   */
  preview(move, part = 0) {
    for (const [cell, element] of this.marbles) {
      const { x, y } = centre(cell, this.#flip);
      const moves = move && (move.marbles.includes(cell) || move.pushed.includes(cell));
      const d = moves ? way(move.direction, this.#flip) : null;
      element.setAttribute("transform", draw.place(d ? { x: x + d.x * part, y: y + d.y * part } : { x, y }));
    }
    this.svg.classList.toggle("dragging", move !== null);
  }

  /** A point of the screen in the picture's measure. @param {{clientX: number, clientY: number}} event */
  point({ clientX, clientY }) {
    const matrix = this.svg.getScreenCTM();
    if (!matrix) return { x: 0, y: 0 };
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
    return { x, y };
  }

  /** @param {string} cell @returns {SVGGElement | null} */
  #cell(cell) {
    return this.#layers.cells.querySelector(`[data-cell="${cell}"]`);
  }

  /** @param {Shown} before @param {Shown} next */
  #animate(before, next) {
    const view = { board: this, id: this.#id, flip: this.#flip, layer: this.#layers.marbles };
    if (next.last && before.black.length && leads(before, next.last, next)) {
      const mover = moverOf(before, next.last);
      const rolling = rollOn(view, next.last, before);
      if (rolling) {
        this.#rolling[mover] += 1;
        this.settled = rolling;
        rolling.finally(() => {
          this.#rolling[mover] -= 1;
          this.#drawTrays();
        });
      }
    } else if (before.last && leads(next, before.last, before)) {
      rollBack(view, before.last, next);
    } else {
      return false;
    }
    this.#drawTrays();
    return true;
  }

  #drawAll() {
    this.#drawGround();
    this.#drawMarbles();
    this.#placeCells();
    this.#drawMarks();
    this.#drawArrows();
    this.drawings.draw();
  }

  #drawGround() {
    fill(this.#layers.ground, draw.ground(this.#id, this.#flip));
    fill(this.#layers.coordinates, this.#coordinates ? draw.coordinates(this.#flip) : null);
  }

  #drawMarbles() {
    this.marbles.clear();
    this.#layers.marbles.replaceChildren();
    this.#drawTrays();
    const at = this.#position;
    if (!at) return;
    for (const color of /** @type {Color[]} */ (["black", "white"])) {
      for (const cell of at[color]) {
        const element = draw.marble(this.#id, color, centre(cell, this.#flip));
        this.marbles.set(cell, element);
        this.#layers.marbles.append(element);
      }
    }
  }

  /** Black's prey lies below on the right, White's above on the left; turned on a flipped board. */
  #drawTrays() {
    const trays = this.#layers.trays;
    trays.replaceChildren();
    const at = this.#position;
    if (!at) return;
    for (const color of /** @type {Color[]} */ (["black", "white"])) {
      const places = tray((color === "black") !== this.#flip);
      places.slice(0, Math.max(0, at.score[color] - this.#rolling[color])).forEach((place) => {
        trays.append(draw.marble(this.#id, other(color), place, 18 / MARBLE));
      });
    }
  }

  #drawCells() {
    const rows = new Map();
    for (const cell of CELLS) {
      const row = rows.get(cell[0]) ?? s("g", { role: "row" });
      rows.set(cell[0], row);
      row.append(
        s(
          "g",
          { role: "gridcell", data: { cell }, tabindex: cell === this.focusCell ? 0 : -1, onfocus: () => this.#focused(cell) },
          s("circle", { class: "hit", r: 30 }),
          s("circle", { class: "focus", r: 29 }),
        ),
      );
    }
    this.#layers.cells.append(...rows.values());
  }

  /** @param {string} cell */
  #focused(cell) {
    if (cell === this.focusCell) return;
    this.#cell(this.focusCell)?.setAttribute("tabindex", "-1");
    this.focusCell = cell;
    this.#cell(cell)?.setAttribute("tabindex", "0");
  }

  #placeCells() {
    for (const cell of CELLS) this.#cell(cell)?.setAttribute("transform", draw.place(centre(cell, this.#flip)));
  }

  /** All that depends on position and selection but is no marble. */
  #drawMarks() {
    const at = this.#position;
    const own = this.mine;
    fill(this.#layers.last, at?.last ? draw.lastMove(at.last, this.#flip) : null);
    /** @param {string} cell @param {string} kind @param {number} r */
    const ring = (cell, kind, r) => {
      const { x, y } = centre(cell, this.#flip);
      return s("circle", { class: kind, cx: x, cy: y, r });
    };
    const lines = at ? joinable(at.moves, this.selection) : [];
    const joining = new Set(lines.flat().filter((cell) => !this.selection.includes(cell)));
    fill(this.#layers.lines, lines.map((cells) => draw.band(cells, this.#flip)));
    fill(
      this.#layers.marks,
      [...joining].map((cell) => ring(cell, "joining", MARBLE - 2)),
      this.#threats ? at?.threatened.map((cell) => ring(cell, "threat", MARBLE - 1)) : null,
      this.selection.map((cell) => ring(cell, "chosen", MARBLE - 1)),
    );
    assign(this.#layers.cells, { "aria-label": this.#labels.board });
    for (const cell of CELLS) {
      const element = this.#cell(cell);
      if (!element) continue;
      const marble = at?.black.includes(cell) ? "black" : at?.white.includes(cell) ? "white" : null;
      assign(element, {
        "aria-label": this.#labels.cell(cell, marble, Boolean(at?.threatened.includes(cell))),
        "aria-selected": this.selection.includes(cell) ? "true" : "false",
        class: own.includes(cell) ? "own" : this.#editing ? "edit" : null,
      });
    }
    this.#line.show(this.#player !== "");
    this.handles = handles(offered(at?.moves ?? [], this.selection), this.#flip);
    fill(this.#layers.handles, this.handles.map((handle) => draw.handle(handle, this.#flip, this.#labels.move(handle.move))));
  }

  #drawArrows() {
    fill(
      this.#layers.arrows,
      this.#arrows.map(({ move, kind }) => draw.arrow(move, this.#flip, kind)),
    );
  }
}

customElements.define("sumito-board", Board);
