// What a lesson looks like.

import { fill, h, icon } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { pageBoard } from "../parts/board.js";
import { LESSONS, RULES } from "./lessons.js";

/** @typedef {import("./learn.js").State} State */

/**
 * @param {HTMLElement} root
 * @param {{go: (lesson: number) => void, move: (move: import("../lib/types.js").MoveView) => void, again: () => void}} act
 */
export function learnView(root, act) {
  const { board, stopWatching } = pageBoard({ player: "black", move: act.move });
  const card = h("section", { class: "card stack lesson" });
  const rules = h("ol", { class: "steps" });
  const tactics = h("ol", { class: "steps" });
  fill(
    root,
    h(
      "div",
      { class: "desk" },
      h("div", { class: "middle study-middle" }, h("div", { class: "frame" }, board)),
      h("aside", { class: "side", "aria-label": t("side.label") }, card, h("div", { class: "card stack" }, h("h2", {}, t("learn.rules")), rules, h("h2", {}, t("learn.tactics")), tactics)),
    ),
  );
  /** @type {unknown} */
  let shown = null;

  return {
    /** @param {State} state */
    update(state) {
      const { lesson, position, told } = state;
      if (position !== shown) {
        board.position = position;
        shown = position;
      }
      const { name } = LESSONS[lesson];
      const last = lesson === LESSONS.length - 1;
      const next = last ? h("a", { class: "button main", href: "/" }, icon("play"), t("learn.play")) : h("button", { class: "main", data: { act: "next" }, onclick: () => act.go(lesson + 1) }, t("learn.next"), icon("next"));
      fill(
        card,
        h("p", { class: "small soft" }, lesson < RULES ? t("learn.step", { i: lesson + 1, n: RULES }) : t("learn.tactic", { i: lesson - RULES + 1, n: LESSONS.length - RULES })),
        h("h1", {}, t(`learn.${name}.title`)),
        h("p", { class: "text" }, t(`learn.${name}.text`)),
        told === "done" ? null : h("p", { class: "text" }, h("strong", {}, t(state.goal ? `learn.${name}.task2` : `learn.${name}.task`))),
        h("p", { class: `told ${told === "wrong" ? "bad" : "good"}`, data: { told }, role: "status" }, told === "open" ? "" : told === "done" ? t(`learn.${name}.done`) : t(`learn.${told}`)),
        h("div", { class: "row" }, h("button", { onclick: act.again }, icon("again"), t("learn.again")), told === "done" ? next : null),
      );
      fill(rules, LESSONS.slice(0, RULES).map((_, i) => step(state, i)));
      fill(tactics, LESSONS.slice(RULES).map((_, i) => step(state, RULES + i)));
    },
    close() {
      stopWatching();
    },
  };

  /** @param {State} state @param {number} i */
  function step({ lesson, done }, i) {
    const { name } = LESSONS[i];
    const number = i < RULES ? i + 1 : i - RULES + 1;
    return h(
      "li",
      {},
      h(
        "button",
        { class: done[i] ? "done" : "", "aria-current": i === lesson ? "step" : null, "aria-pressed": String(i === lesson), onclick: () => act.go(i) },
        h("span", { class: "no" }, number),
        h("span", {}, t(`learn.${name}.title`)),
        done[i] ? [icon("check"), h("span", { class: "unseen" }, t("learn.solved"))] : null,
      ),
    );
  }
}
