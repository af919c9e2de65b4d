// The graph of a review: what Black can expect after each move; White's share is light, from above.

import { assign, fill, h, s } from "../lib/dom.js";
import { t } from "../lib/i18n.js";

/** @param {(ply: number) => void} go */
export function evaluationGraph(go) {
  const svg = s("svg", { class: "graph", preserveAspectRatio: "none", role: "slider", tabindex: 0, "aria-label": t("graph.label") });
  let whole = 1;
  /** @type {unknown} */
  let drawn = null;
  const now = s("line", { class: "now", y1: 0, y2: 100 });
  /** @param {PointerEvent} event */
  function pick(event) {
    const box = svg.getBoundingClientRect();
    go(Math.round(((event.clientX - box.left) / box.width) * whole));
  }
  svg.addEventListener("pointerdown", (event) => {
    svg.setPointerCapture(event.pointerId);
    pick(event);
  });
  svg.addEventListener("pointermove", (event) => {
    if (event.buttons) pick(event);
  });
  return {
    element: h("div", {}, svg),
    /** @param {import("../pages/review.js").Review} review @param {number} ply */
    update(review, ply) {
      whole = Math.max(1, review.positions.length - 1);
      if (drawn !== review) draw(review);
      drawn = review;
      assign(now, { x1: ply, x2: ply });
      const share = Math.round((review.positions[ply]?.black ?? 0.5) * 100);
      assign(svg, { "aria-valuemin": 0, "aria-valuemax": whole, "aria-valuenow": ply, "aria-valuetext": t("graph.value", { ply, share }) });
    },
  };

  /** @param {import("../pages/review.js").Review} review */
  function draw({ positions, moves }) {
    assign(svg, { viewBox: `0 0 ${whole} 100` });
    const points = positions.map(({ black }, i) => `${i},${((1 - black) * 100).toFixed(1)}`);
    const bad = moves.filter(({ judgement }) => judgement === "mistake" || judgement === "blunder");
    fill(
      svg,
      s("polygon", { class: "area", points: `0,0 ${points.join(" ")} ${whole},0` }),
      s("line", { class: "half", x1: 0, x2: whole, y1: 50, y2: 50 }),
      bad.map(({ ply, judgement }) => s("line", { class: judgement, x1: ply, x2: ply, y1: 92, y2: 100 })),
      now,
    );
  }
}
