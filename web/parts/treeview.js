// The tree of variations as text to click on, with comments and glyphs to give.

import { turnOf } from "../board/replay.js";
import { fill, h, icon } from "../lib/dom.js";
import { t } from "../lib/i18n.js";

/** @typedef {import("../lib/tree.js").Node} Node */
/** @typedef {import("../lib/dom.js").Child} Child */

export const GLYPHS = ["!!", "!", "!?", "?!", "?", "??"];

/**
 * @param {{go: (node: Node) => void, comment: (text: string) => void, glyph: (glyph: string) => void, promote: () => void, remove: () => void}} act
 */
export function treeView(act) {
  const list = h("div", { class: "tree", role: "group", "aria-label": t("moves.label") });
  const comment = h("textarea", { name: "comment", rows: 2, placeholder: t("tree.comment"), "aria-label": t("tree.comment"), onchange: () => act.comment(comment.value.trim()) });
  const glyphs = GLYPHS.map((glyph) => h("button", { class: "quiet", title: t(`glyph.${glyph}`), onclick: () => act.glyph(glyph) }, glyph));
  const promote = h("button", { class: "quiet", title: t("tree.promote"), "aria-label": t("tree.promote"), onclick: act.promote }, "↑");
  const remove = h("button", { class: "quiet", title: t("tree.remove"), "aria-label": t("tree.remove"), onclick: act.remove }, icon("trash"));
  const tools = h("details", { class: "small" }, h("summary", {}, t("tree.notes")), h("div", { class: "row" }, glyphs, promote, remove), comment);
  return {
    element: h("section", { class: "card stack" }, list, tools),
    /** @param {Node} root @param {Node} node */
    update(root, node) {
      const whiteFirst = turnOf(root.fen) === "white";
      const scroll = list.scrollTop;
      fill(list, root.children.length ? line(root, true, node, whiteFirst) : h("span", { class: "soft small" }, t("tree.empty")));
      list.scrollTop = scroll;
      const current = /** @type {HTMLElement | null} */ (list.querySelector("[aria-current]"));
      if (current) inSight(current);
      if (document.activeElement !== comment) comment.value = node.comment;
      tools.hidden = !node.move;
      glyphs.forEach((button, i) => button.setAttribute("aria-pressed", String(node.glyph === GLYPHS[i])));
      promote.hidden = node.path().every((each) => !each.parent || each.parent.children[0] === each);
    },
  };

  /** @param {HTMLElement} current */
  function inSight(current) {
    const top = current.offsetTop - list.offsetTop;
    if (top < list.scrollTop || top > list.scrollTop + list.clientHeight - 30) list.scrollTop = top - list.clientHeight / 2;
  }

  /**
   * The main line below a node, with its side lines indented.
   * @param {Node} from
   * @param {boolean} numbered whether the first move needs its number
   * @param {Node} shown
   * @param {boolean} whiteFirst
   * @returns {Child[]}
   */
  function line(from, numbered, shown, whiteFirst) {
    /** @type {Child[]} */
    const out = [];
    let first = numbered;
    for (let at = from; at.children.length; at = at.children[0]) {
      const [main, ...others] = at.children;
      out.push(...one(main, first, shown, whiteFirst));
      first = others.length > 0 || main.comment !== "";
      for (const other of others) {
        out.push(h("div", { class: "branch" }, one(other, true, shown, whiteFirst), line(other, other.comment !== "", shown, whiteFirst)));
      }
    }
    return out;
  }

  /** @param {Node} node @param {boolean} first @param {Node} shown @param {boolean} whiteFirst @returns {Child[]} */
  function one(node, first, shown, whiteFirst) {
    const at = node.ply - 1 + (whiteFirst ? 1 : 0);
    const number = at % 2 === 0 ? `${at / 2 + 1}.` : first ? `${(at - 1) / 2 + 1}…` : "";
    return [
      number ? h("span", { class: "no" }, number) : null,
      h("button", { "aria-current": node === shown ? "true" : null, onclick: () => act.go(node) }, node.move?.move, node.glyph ? h("span", { class: "glyph" }, node.glyph) : null),
      node.comment ? h("span", { class: "comment" }, node.comment) : null,
    ];
  }
}
