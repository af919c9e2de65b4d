// The engine of the analysis page: its chances, and its lines. A line can be looked at on the board (by mouse or keyboard)
// and played through up to any of its moves.

import { fill, h } from "../lib/dom.js";
import { short, t } from "../lib/i18n.js";
import { chances } from "../parts/evaluation.js";
import { scoreChip } from "../parts/score.js";

/** @typedef {import("./analyse.js").State} State */
/** @typedef {import("../lib/types.js").MoveView} MoveView */
/** @typedef {import("../lib/types.js").Color} Color */
/** @typedef {import("../lib/types.js").AnalysisLine} Line */

export const MOST_LINES = 6;
/** Moves of a line that are shown. */
const SHOWN = 12;

/**
 * @param {object} act
 * @param {(on: boolean) => void} act.engine
 * @param {(lines: number) => void} act.lines
 * @param {(moves: MoveView[]) => void} act.playLine
 * @param {(moves: MoveView[] | null) => void} act.preview
 */
export function enginePanel(act) {
  const on = h("input", { type: "checkbox", name: "engine", onchange: () => act.engine(on.checked) });
  const facts = h("span", { class: "small soft", data: { facts: "" } });
  const count = h("span", { class: "value" });
  const wdl = chances();
  const lines = h("div", { class: "lines", role: "group", "aria-label": t("engine.play-to"), onpointerleave: still, onfocusout: still, onkeydown: walk });
  const fewer = h("button", { class: "quiet", "aria-label": t("engine.fewer") }, "−");
  const more = h("button", { class: "quiet", "aria-label": t("engine.more") }, "+");
  const outcome = h("p", { class: "result", hidden: true });
  const unit = h("p", { class: "unit small soft" }, t("score.unit"));
  /** What of a line is looked at; meanwhile all of them stay as they are: nothing slides away under the mouse. @type {MoveView[] | null} */
  let looking = null;
  /** @type {State | null} */
  let last = null;
  /** @type {unknown} */
  let shownAt = null;
  return {
    element: h(
      "section",
      { class: "card stack", "aria-label": t("engine.title") },
      h("div", { class: "row spread" }, h("label", { class: "tick" }, on, h("strong", {}, t("engine.title"))), h("span", { class: "row" }, fewer, count, more)),
      facts,
      wdl.element,
      outcome,
      lines,
      unit,
    ),
    update,
  };

  /** @param {State} state */
  function update(state) {
    const { engine, found, lines: wanted, node, root } = state;
    const turn = node.turnIsBlack(root) ? "black" : "white";
    last = state;
    on.checked = engine;
    count.textContent = t("engine.lines", { n: wanted });
    fewer.disabled = wanted <= 1;
    more.disabled = wanted >= MOST_LINES;
    fewer.onclick = () => act.lines(wanted - 1);
    more.onclick = () => act.lines(wanted + 1);
    facts.textContent = found ? t("watch.facts", { depth: found.depth, nodes: short(found.nodes), nps: short(found.nps) }) : engine ? t("engine.waiting") : t("engine.off");
    wdl.update(found?.lines[0]?.wdl, turn);
    wdl.element.hidden = unit.hidden = !engine;
    outcome.hidden = !node.view?.outcome;
    if (node.view?.outcome) {
      facts.textContent = "";
      outcome.textContent = node.view.outcome.winner ? t(`wins.${node.view.outcome.winner}`) : t("wins.nobody");
    }
    // Room for all lines from the start, so that nothing below them moves.
    lines.style.minHeight = `${2.75 * wanted}rem`;
    if (looking && shownAt === node) return;
    looking = null;
    shownAt = node;
    fill(lines, (found?.lines ?? []).map((line, i) => engineLine(line, turn, i)));
  }

  /** @param {Line} line @param {Color} turn @param {number} rank */
  function engineLine({ score, text, line }, turn, rank) {
    return h(
      "div",
      { class: "engine-line", data: { rank } },
      scoreChip(score, turn),
      h(
        "span",
        { class: "text" },
        text.slice(0, SHOWN).map((move, i) => {
          const way = line.slice(0, i + 1);
          // A line that slides under a mouse at rest is entered, but nothing moves over it.
          const over = (/** @type {PointerEvent} */ event) => event.pointerType === "mouse" && look(way);
          return h("button", { tabindex: i ? -1 : 0, onclick: () => act.playLine(way), onpointermove: over, onfocus: () => look(way) }, move);
        }),
      ),
    );
  }

  /** @param {MoveView[]} way */
  function look(way) {
    if (looking === way) return;
    looking = way;
    act.preview(way);
  }

  /** @param {Event} event */
  function still(event) {
    // From one move to the next is no leaving, and the mouse does not take away what the keyboard looks at.
    const to = event.type === "focusout" ? /** @type {FocusEvent} */ (event).relatedTarget : document.activeElement;
    if (!looking || (to instanceof Node && lines.contains(to))) return;
    looking = null;
    act.preview(null);
    if (last) update(last);
  }

  /** Arrow keys go along a line and from line to line. @param {KeyboardEvent} event */
  function walk(event) {
    const button = /** @type {HTMLElement} */ (event.target);
    const rows = [...lines.children].map((row) => [...row.querySelectorAll("button")]);
    const row = rows.findIndex((each) => each.some((one) => one === button));
    const at = rows[row]?.findIndex((one) => one === button) ?? 0;
    /** @type {Record<string, HTMLElement | undefined>} */
    const targets = { ArrowLeft: rows[row]?.[at - 1], ArrowRight: rows[row]?.[at + 1], ArrowUp: rows[row - 1]?.[0], ArrowDown: rows[row + 1]?.[0] };
    if (!(event.key in targets)) return;
    event.preventDefault();
    event.stopPropagation();
    targets[event.key]?.focus();
  }
}
