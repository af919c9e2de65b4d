// The moves of a game in two columns; each is a button that shows the position after it.

import { fill, h, icon } from "../lib/dom.js";
import { t } from "../lib/i18n.js";

/**
 * @typedef {object} Entry
 * @property {string} move
 * @property {string} [glyph]
 * @property {string} [kind] how the glyph is coloured, such as `blunder`
 * @property {string} [title]
 */

/** @param {(ply: number) => void} go */
export function moveList(go) {
  const list = h("div", { class: "moves", role: "group", "aria-label": t("moves.label") });
  let shown = "";
  return {
    element: list,
    /** @param {Entry[]} entries @param {number} ply the move that is shown last @param {boolean} [whiteFirst] */
    update(entries, ply, whiteFirst = false) {
      const key = entries.map(({ move, glyph }) => move + (glyph ?? "")).join(" ");
      if (key !== shown) draw(entries, whiteFirst);
      shown = key;
      for (const button of list.querySelectorAll("button")) {
        const current = Number(button.dataset.ply) === ply;
        if (current) button.setAttribute("aria-current", "true");
        else button.removeAttribute("aria-current");
        if (current) keepInSight(list, button);
      }
    },
  };

  /** @param {Entry[]} entries @param {boolean} whiteFirst */
  function draw(entries, whiteFirst) {
    /** @type {import("../lib/dom.js").Child[]} */
    const cells = [];
    entries.forEach(({ move, glyph, kind, title }, i) => {
      const at = i + (whiteFirst ? 1 : 0);
      if (at % 2 === 0 || i === 0) cells.push(h("span", { class: "no" }, `${Math.floor(at / 2) + 1}.`));
      if (i === 0 && whiteFirst) cells.push(h("span", { class: "no" }, "…"));
      cells.push(
        h(
          "button",
          { data: { ply: i + 1 }, title, onclick: () => go(i + 1) },
          move,
          glyph ? h("span", { class: `glyph ${kind ?? ""}` }, glyph) : null,
        ),
      );
    });
    fill(list, cells);
  }
}

/** Scrolls within the list alone, never the page. @param {HTMLElement} list @param {HTMLElement} item */
function keepInSight(list, item) {
  const top = item.offsetTop - list.offsetTop;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + item.offsetHeight > list.scrollTop + list.clientHeight) {
    list.scrollTop = top + item.offsetHeight - list.clientHeight;
  }
  // On a phone the list is a strip.
  if (list.scrollWidth > list.clientWidth) list.scrollLeft = item.offsetLeft - list.offsetLeft - (list.clientWidth - item.offsetWidth) / 2;
}

/**
 * Buttons to walk through a game, and one to turn the board.
 * @param {{to: (where: "first" | "back" | "next" | "last") => void, flip: () => void}} act
 */
export function walker({ to, flip }) {
  const buttons = /** @type {const} */ (["first", "back", "next", "last"]).map((where) =>
    h("button", { data: { walk: where }, "aria-label": t(`walk.${where}`), title: t(`walk.${where}`), onclick: () => to(where) }, icon(where)),
  );
  return h(
    "div",
    { class: "walk" },
    buttons,
    h("button", { data: { act: "flip" }, "aria-label": t("walk.flip"), title: t("walk.flip"), onclick: flip }, icon("flip")),
  );
}

/**
 * Arrow keys walk, F flips, unless the keyboard is in a field or on the board.
 * @param {{to: (where: "first" | "back" | "next" | "last") => void, flip: () => void}} act
 * @returns {() => void} ends it
 */
export function walkKeys({ to, flip }) {
  /** @type {Record<string, "first" | "back" | "next" | "last">} */
  const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" };
  /** @param {KeyboardEvent} event */
  function onKey(event) {
    const target = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea, dialog, svg.board")) return;
    if (event.key in keys) to(keys[event.key]);
    else if (event.key === "f") flip();
    else return;
    event.preventDefault();
  }
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);
}
