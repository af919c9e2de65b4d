// The board editor: what a tap places, in a bar below the board, and a panel for whose turn it is and the marbles pushed off.

import { fill, h, icon, select } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { layoutTitle } from "./layouts.js";

/** @typedef {import("../lib/types.js").Color} Color */

/**
 * @param {import("../lib/types.js").Meta} meta
 * @param {Pick<import("../pages/analyse-view.js").Actions, "brush" | "editTurn" | "editScore" | "editLayout" | "editDone" | "edit">} act
 */
export function editorPanel(meta, act) {
  const brushes = h("div", { class: "segments brushes", role: "group", "aria-label": t("editor.brush"), hidden: true });
  const turns = h("div", { class: "segments", role: "group", "aria-label": t("editor.turn") });
  const scores = h("div", { class: "row even" });
  const layouts = select(
    { "aria-label": t("editor.layout"), onchange: () => act.editLayout(meta.layouts.find((each) => each.name === layouts.value)?.fen ?? null) },
    [["", t("editor.layout")], .../** @type {[string, string][]} */ (meta.layouts.map((each) => [each.name, layoutTitle(each)]))],
    "",
  );
  return {
    brushes,
    element: h(
      "section",
      { class: "card stack editor" },
      h("h2", {}, t("editor.title")),
      h("p", { class: "small soft" }, t("editor.how")),
      h("div", { class: "field" }, h("span", { class: "label" }, t("editor.turn")), turns),
      scores,
      layouts,
      h("button", { onclick: () => act.editLayout(null), data: { act: "clear" } }, icon("trash"), t("editor.clear")),
      h(
        "div",
        { class: "row even ends" },
        h("button", { onclick: () => act.edit(false) }, t("cancel")),
        h("button", { class: "main", data: { act: "edited" }, onclick: act.editDone }, icon("check"), t("editor.done")),
      ),
    ),
    /** @param {NonNullable<import("../pages/analyse.js").State["editor"]>} editor */
    update({ brush, turn, marbles }) {
      fill(
        brushes,
        /** @type {const} */ (["black", "white", "empty"]).map((each) =>
          h("button", { "aria-pressed": String(each === brush), data: { brush: each }, "aria-label": t(`brush.${each}`), onclick: () => act.brush(each) }, each === "empty" ? icon("close") : h("span", { class: `dot ${each}` }), h("span", { class: "word" }, t(`brush.${each}`))),
        ),
      );
      fill(
        turns,
        /** @type {Color[]} */ (["black", "white"]).map((each) => h("button", { "aria-pressed": String(each === turn), data: { turn: each }, onclick: () => act.editTurn(each) }, t(`color.${each}`))),
      );
      fill(
        scores,
        /** @type {Color[]} */ (["black", "white"]).map((each) =>
          h(
            "label",
            { class: "field" },
            h("span", {}, t(`editor.score.${each}`)),
            select(
              { name: `score-${each}`, onchange: (/** @type {Event} */ e) => act.editScore(each, Number(/** @type {HTMLSelectElement} */ (e.target).value)) },
              [0, 1, 2, 3, 4, 5, 6].map((n) => [String(n), String(n)]),
              String(marbles.score[each]),
            ),
          ),
        ),
      );
    },
  };
}
