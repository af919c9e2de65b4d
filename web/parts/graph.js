// The graph of a game: what Black can expect after each move. It is dark below the curve and light above, as both sides share the chances.
//
// Any page can mount it: a review gives all values at once, a game that is being played one after the other.

import { assign, fill, h, s } from "../lib/dom.js";
import { number, t } from "../lib/i18n.js";
import { movesText } from "../lib/speak.js";
import { percent } from "./evaluation.js";

/**
 * @typedef {object} Chart
 * @property {(number | null | undefined)[]} shares what Black can expect after each ply, from 0 to 1, the start first; nothing where nobody knows
 * @property {string[]} moves their names
 * @property {number} ply the one that is shown
 * @property {boolean} [whiteFirst]
 * @property {{ply: number, kind: string, glyph: string}[]} [marks] mistakes, e.g. `{ply: 3, kind: "blunder", glyph: "??"}`
 */

/** Where the graph has lines, and words beside them. */
const LINES = [0.75, 0.5, 0.25];
/** So far a finger goes along the curve before it means that. */
const SLIDE = 8;
/** The most numbers of moves below it. */
const TICKS = 7;

/** @param {(ply: number) => void} go */
export function evaluationGraph(go) {
  const svg = s("svg", { preserveAspectRatio: "none", "aria-hidden": "true" });
  const now = h("div", { class: "graph-now", "aria-hidden": "true" });
  const over = h("div", { class: "graph-over", "aria-hidden": "true", hidden: true });
  const marks = h("div", { "aria-hidden": "true" });
  const plot = h("div", { class: "graph", role: "slider", tabindex: 0, "aria-label": t("graph.label"), "aria-orientation": "horizontal" }, svg, marks, over, now);
  const told = h("output", { class: "graph-told", "aria-hidden": "true" });
  // Outside of the curve, where they can be read whatever is dark or light in it.
  const shares = h("div", { class: "graph-shares", "aria-hidden": "true" }, LINES.map((share) => placed(h("span", {}, percent(share)), "top", 1 - share)));
  const numbers = h("div", { class: "graph-numbers", "aria-hidden": "true" });
  const element = h(
    "div",
    { class: "graph-box" },
    h("div", { class: "graph-words" }, h("span", {}, t("graph.black")), told),
    h("div", { class: "graph-axes" }, shares, plot, numbers),
    h("div", { class: "graph-words" }, h("span", {}, t("graph.white")), h("span", { class: "graph-last" })),
  );
  /** @type {Chart} */
  let chart = { shares: [], moves: [], ply: 0 };
  let whole = 1;
  let drawn = "";
  listen();
  return { element, update };

  /** @param {Chart} next */
  function update(next) {
    chart = next;
    whole = Math.max(1, chart.shares.length - 1);
    const key = `${chart.shares.map((share) => share?.toFixed(3)).join()}/${chart.marks?.map(({ ply, kind }) => ply + kind).join()}`;
    if (key !== drawn) draw();
    drawn = key;
    now.style.left = `${left(chart.ply)}%`;
    assign(plot, { "aria-valuemin": 0, "aria-valuemax": whole, "aria-valuenow": chart.ply, "aria-valuetext": words(chart.ply) });
    if (over.hidden) told.textContent = words(chart.ply);
  }

  /** @param {number} ply */
  function left(ply) {
    return (ply / whole) * 100;
  }

  /** "12. e5e6??: Black 64 %" @param {number} ply */
  function words(ply) {
    const share = chart.shares[ply];
    const at = ply - 1 + (chart.whiteFirst ? 1 : 0);
    const glyph = chart.marks?.find((mark) => mark.ply === ply)?.glyph ?? "";
    const move = ply > 0 ? `${Math.floor(at / 2) + 1}${at % 2 ? "…" : "."} ${chart.moves[ply - 1] ?? ""}${glyph}` : t("graph.start");
    if (typeof share !== "number") return t("graph.unknown", { move });
    return t("graph.value", { move, black: percent(share) });
  }

  function draw() {
    const { shares } = chart;
    const known = shares.flatMap((share, ply) => (typeof share === "number" ? [[ply, (1 - share) * 100]] : []));
    const points = known.map(([ply, y]) => `${ply},${y.toFixed(1)}`);
    const [first, last] = [known[0]?.[0] ?? 0, known[known.length - 1]?.[0] ?? 0];
    assign(svg, { viewBox: `0 0 ${whole} 100` });
    fill(
      svg,
      points.length ? s("polygon", { class: "area", points: `${first},100 ${points.join(" ")} ${last},100` }) : null,
      LINES.map((share) => s("line", { class: share === 0.5 ? "half" : "quarter", x1: 0, x2: whole, y1: (1 - share) * 100, y2: (1 - share) * 100 })),
      points.length > 1 ? s("polyline", { class: "curve", points: points.join(" ") }) : null,
    );
    fill(marks, (chart.marks ?? []).map(({ ply, kind, glyph }) => place(h("span", { class: `graph-mark ${kind}`, data: { ply } }, glyph), ply)));
    fill(numbers, ticks(whole, chart.whiteFirst).map(([no, ply]) => placed(h("span", {}, number(no)), "left", ply / whole)));
    fill(/** @type {Element} */ (element.querySelector(".graph-last")), movesText(whole));
  }

  /** @param {HTMLElement} mark @param {number} ply */
  function place(mark, ply) {
    mark.style.left = `${left(ply)}%`;
    mark.style.top = `${(1 - (chart.shares[ply] ?? 0.5)) * 100}%`;
    return mark;
  }

  /** @param {number | null} ply the one under the mouse */
  function hover(ply) {
    over.hidden = ply === null;
    if (ply !== null) over.style.left = `${left(ply)}%`;
    told.textContent = words(ply ?? chart.ply);
  }

  function listen() {
    /** @param {PointerEvent} event */
    const plyAt = (event) => {
      const box = plot.getBoundingClientRect();
      return Math.max(0, Math.min(whole, Math.round(((event.clientX - box.left) / box.width) * whole)));
    };
    /** Where a finger came down; nowhere once it scrolls the page. @type {PointerEvent | null} */
    let finger = null;
    plot.addEventListener("pointerdown", (event) => {
      plot.setPointerCapture(event.pointerId);
      if (event.pointerType === "mouse") go(plyAt(event));
      else finger = event;
    });
    plot.addEventListener("pointermove", (event) => {
      if (event.pointerType === "mouse") hover(plyAt(event));
      const [along, up] = finger ? [Math.abs(event.clientX - finger.clientX), Math.abs(event.clientY - finger.clientY)] : [0, 0];
      if (finger ? along > SLIDE && along > up : event.buttons && event.pointerType === "mouse") go(plyAt(event));
    });
    plot.addEventListener("pointerup", (event) => {
      if (finger) go(plyAt(event));
      finger = null;
    });
    plot.addEventListener("pointercancel", () => (finger = null));
    plot.addEventListener("pointerleave", () => hover(null));
    plot.addEventListener("keydown", (event) => {
      /** @type {Record<string, number>} */
      const targets = { ArrowLeft: chart.ply - 1, ArrowDown: chart.ply - 1, ArrowRight: chart.ply + 1, ArrowUp: chart.ply + 1, PageDown: chart.ply - 10, PageUp: chart.ply + 10, Home: 0, End: whole };
      if (!(event.key in targets) || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      go(Math.max(0, Math.min(whole, targets[event.key])));
    });
  }
}

/** @param {HTMLElement} element @param {"left" | "top"} side @param {number} share of the way */
function placed(element, side, share) {
  element.style[side] = `${share * 100}%`;
  return element;
}

/** Round numbers of moves, each with the ply of its first. @param {number} whole @param {boolean} [whiteFirst] @returns {[number, number][]} */
function ticks(whole, whiteFirst = false) {
  const first = whiteFirst ? 1 : 0;
  const moves = Math.ceil((whole + first) / 2);
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((each) => moves / each <= TICKS) ?? moves;
  const all = Array.from({ length: Math.floor(moves / step) }, (_, i) => /** @type {[number, number]} */ ([(i + 1) * step, 2 * ((i + 1) * step - 1) + 1 - first]));
  return all.filter(([, ply]) => ply >= 0 && ply <= whole);
}
