// Who stands better, as a bar beside the board and as chances to win, draw and lose.

import { fill, h } from "../lib/dom.js";
import { number, t } from "../lib/i18n.js";

/** The bar beside a board. */
export function evaluationBar() {
  const part = h("div", { class: "white-part" });
  const bar = h("div", { class: "evaluation", role: "meter", "aria-valuemin": 0, "aria-valuemax": 100, "aria-label": t("evaluation.label") }, part);
  update(null, false);
  /** Not seen where nobody knows. @param {number | null} black what Black can expect, from 0 to 1 @param {boolean} flip */
  function update(black, flip) {
    const share = black ?? 0.5;
    bar.classList.toggle("unknown", black === null);
    part.style.height = `${(1 - share) * 100}%`;
    bar.classList.toggle("turned", flip);
    bar.setAttribute("aria-valuenow", String(Math.round(share * 100)));
  }
  return { element: bar, update };
}

/** Chances as a bar of three parts, Black's first. */
export function chances() {
  const element = h("div", { class: "wdl", hidden: true });
  return {
    element,
    /** @param {import("../lib/types.js").WdlView | null | undefined} wdl @param {import("../lib/types.js").Color} turn */
    update(wdl, turn) {
      element.hidden = !wdl;
      if (!wdl) return;
      const [black, white] = turn === "black" ? [wdl.win, wdl.loss] : [wdl.loss, wdl.win];
      fill(element, ...parts(black, wdl.draw, white));
      element.title = t("evaluation.chances", {
        black: percent(black),
        draw: percent(wdl.draw),
        white: percent(white),
      });
    },
  };
}

/**
 * Three parts of a bar, with their per cent where there is room.
 * @param {number} black
 * @param {number} draw
 * @param {number} white
 * @param {number} [room] the least share that is written out
 */
export function parts(black, draw, white, room = 0.12) {
  const whole = black + draw + white;
  if (!whole) return [h("span", { class: "none" }, "–")];
  const all = /** @type {const} */ ([["b", black / whole], ["d", draw / whole], ["w", white / whole]]);
  return all.map(([kind, share]) => {
    const part = h("span", { class: kind }, share >= room ? percent(share) : "");
    part.style.flexGrow = String(share);
    return part;
  });
}

/** @param {number} share */
export function percent(share) {
  return number(share, { style: "percent", maximumFractionDigits: 0 });
}
