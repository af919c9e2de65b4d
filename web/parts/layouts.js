// Choosing a starting layout by its picture.

import { mini } from "../board/draw.js";
import { fromFen } from "../board/replay.js";
import { fill, h, icon } from "../lib/dom.js";
import { t, tOr } from "../lib/i18n.js";

/** @typedef {import("../lib/types.js").LayoutView} Layout */

/** @param {Layout} layout */
export function layoutTitle(layout) {
  return tOr(`layout.${layout.name}`, layout.title);
}

/**
 * A button that shows the layout and opens the gallery.
 * @param {Layout[]} layouts
 * @param {(layout: Layout) => void} pick
 */
export function layoutButton(layouts, pick) {
  const button = h("button", { class: "layout-now", data: { act: "layout" }, onclick: () => gallery(layouts, pick) });
  return {
    element: button,
    /** @param {string} name */
    update(name) {
      const layout = layouts.find((each) => each.name === name) ?? layouts[0];
      fill(button, mini(fromFen(layout.fen)), h("span", {}, h("span", { class: "soft small" }, t("setup.layout")), h("br"), layoutTitle(layout)));
    },
  };
}

/** @param {Layout[]} layouts @param {(layout: Layout) => void} pick */
function gallery(layouts, pick) {
  const search = h("input", { type: "search", placeholder: t("layouts.search"), "aria-label": t("layouts.search"), oninput: draw });
  const list = h("div", { class: "gallery" });
  const dialog = h(
    "dialog",
    { "aria-label": t("layouts.title"), onclose: () => dialog.remove() },
    h("header", {}, h("h2", {}, t("layouts.title")), h("button", { class: "quiet", "aria-label": t("close"), onclick: () => dialog.close() }, icon("close"))),
    h("div", { class: "stack" }, search, list),
  );
  draw();
  document.body.append(dialog);
  dialog.showModal();

  function draw() {
    const wanted = search.value.trim().toLowerCase();
    const found = layouts.filter((each) => `${each.name} ${each.title} ${layoutTitle(each)}`.toLowerCase().includes(wanted));
    fill(
      list,
      found.map((layout) =>
        h(
          "button",
          {
            data: { layout: layout.name },
            onclick: () => {
              dialog.close();
              pick(layout);
            },
          },
          mini(fromFen(layout.fen)),
          layoutTitle(layout),
        ),
      ),
    );
  }
}
