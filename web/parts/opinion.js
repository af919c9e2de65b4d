// An agent's opinion of a position: its value, its move, and its evaluation term by term where it has terms.

import { fill, h } from "../lib/dom.js";
import { number, t } from "../lib/i18n.js";
import { scoreChip } from "./score.js";

export function opinionPanel() {
  const element = h("div", { class: "opinion", "aria-live": "polite" });
  return {
    element,
    /** @param {any} opinion @param {import("../lib/types.js").Color} turn */
    update(opinion, turn) {
      if (!opinion) return fill(element);
      if (opinion === "asked") return fill(element, h("p", { class: "soft thinking" }, t("opinion.asked")));
      const rows = [
        [t("opinion.static"), scoreChip(opinion.static, turn)],
        [t("opinion.score"), scoreChip(opinion.score, turn)],
        [t("opinion.move"), [opinion.move?.move, ...(opinion.line ?? []).slice(1, 6)].filter(Boolean).join(" ")],
        [t("opinion.depth"), opinion.depth ? number(opinion.depth) : "–"],
      ];
      fill(
        element,
        h("table", {}, rows.map(([name, value]) => h("tr", {}, h("th", { scope: "row" }, name), h("td", { class: "number" }, value)))),
        [opinion.static, opinion.score].some((score) => score && "value" in score) ? h("p", { class: "small soft" }, t("score.own-note")) : null,
        opinion.terms?.length ? terms(opinion.terms) : null,
      );
    },
  };
}

/** @param {{name: string, black: number, white: number}[]} all */
function terms(all) {
  const worth = (/** @type {number} */ hundredths) => number(hundredths / 100, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return h(
    "table",
    { class: "small" },
    h("thead", {}, h("tr", {}, h("th", {}, t("opinion.term")), h("th", { class: "number" }, t("color.black")), h("th", { class: "number" }, t("color.white")))),
    h(
      "tbody",
      {},
      all.map(({ name, black, white }) => h("tr", {}, h("td", {}, name), h("td", { class: "number" }, worth(black)), h("td", { class: "number" }, worth(white)))),
    ),
  );
}
