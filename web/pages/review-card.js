// The card of the review that speaks of one move: what was wrong with it, the task to find a better one, and the way to the next.
//
// Its buttons stay the same elements throughout, so that the keyboard stays where it is from mistake to mistake.

import { fill, h, icon } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { percent } from "../parts/evaluation.js";
import { whoseText } from "../parts/score.js";
import { isAsked, mistakes } from "./review-task.js";

/** @typedef {import("./review.js").State} State */
/** @typedef {import("./review.js").Judged} Judged */

/** @param {import("./review-view.js").Actions} act */
export function reviewCard(act) {
  const question = h("span", { class: "small soft" });
  const sides = /** @type {const} */ (["black", "white", "both"]).map((side) =>
    h("button", { data: { side }, onclick: () => act.side(side) }, t(side === "both" ? "review.both" : `color.${side}`)),
  );
  const count = h("span", { class: "small soft" });
  const text = h("p", { class: "told", "aria-live": "polite" });
  const detail = h("p", { class: "small" });
  const better = h("button", { class: "main", data: { act: "better" }, onclick: act.task }, t("review.find"));
  const show = h("button", { data: { act: "show" }, onclick: act.show }, t("review.show"));
  const next = h("button", { data: { act: "next-mistake" }, onclick: act.next }, icon("next"), h("span", {}));
  const leave = h("button", { data: { act: "leave" }, onclick: act.leave }, t("review.on"));
  const tools = h("div", { class: "tools" }, better, show, next, leave);
  const element = h(
    "section",
    { class: "card stack told-move", "aria-label": t("review.move") },
    h("div", { class: "row spread" }, question, h("div", { class: "segments small", role: "group", "aria-label": t("review.whose") }, sides)),
    text,
    detail,
    tools,
    count,
  );
  return { element, update, judging: () => (text.textContent = t("review.judging")) };

  /** @param {State} state */
  function update(state) {
    const { review, task, side } = state;
    element.hidden = !review;
    if (!review) return;
    const judged = review.moves.find((each) => each.ply === (task?.ply ?? state.ply));
    const all = mistakes(review.moves, side);
    const place = all.findIndex((each) => each.ply === judged?.ply);
    question.textContent = t(side === null ? "review.whose" : "review.asked");
    element.classList.toggle("asking", side === null);
    sides.forEach((button) => button.setAttribute("aria-pressed", String(button.dataset.side === side)));
    count.textContent = place >= 0 ? t("review.nth", { i: place + 1, n: all.length }) : "";
    if (task) element.dataset.task = "";
    else delete element.dataset.task;
    const told = Boolean(judged && (state.told.has(judged.ply) || !isAsked(judged.mover, side)));
    const bad = Boolean(judged && judged.judgement !== "good");
    text.className = `told ${task?.good ? "good" : task?.answer ? "bad" : ""}`;
    fill(text, judged && task ? taskText(state, judged) : judged ? moveText(judged) : t(all.length || side === null ? "review.start" : "review.none"));
    fill(detail, judged && bad && told ? answerText(judged) : null);
    detail.hidden = !(bad && told);
    const open = bad && !told;
    arrange({
      better: open && !task,
      show: open,
      next: side !== null && all.length > (place >= 0 ? 1 : 0) && (!task || told),
      leave: Boolean(task),
    });
    next.classList.toggle("main", !open);
    next.lastChild?.replaceWith(t(all.some(({ ply }) => ply > state.ply) ? "review.next" : "review.first"));
  }

  /** Shows the buttons that make sense; the keyboard goes on to the next one when its own is gone. @param {Record<string, boolean>} seen */
  function arrange(seen) {
    const had = tools.contains(document.activeElement);
    Object.entries({ better, show, next, leave }).forEach(([name, button]) => (button.hidden = !seen[name]));
    const lost = had && /** @type {HTMLElement} */ (document.activeElement).hidden;
    if (lost) [better, next, show, leave].find((button) => !button.hidden)?.focus({ preventScroll: true });
  }
}

/** @param {State} state @param {Judged} judged */
function taskText({ task, told }, judged) {
  const color = t(`color.${judged.mover}`);
  const answer = task?.answer;
  if (answer && task?.good) return t(answer.move === judged.best ? "review.task-best" : "review.task-good", { move: answer.move });
  if (answer && answer.move === judged.move) return t("review.task-same");
  if (answer) return t("review.task-bad", { move: answer.move, loss: percent(answer.loss) });
  const { move, ply } = judged;
  return [...markText(judged), " ", t(told.has(ply) ? "review.task-told" : "review.task", { color, move })];
}

/** A move that was no good, its mark and what it cost. @param {Judged} judged */
function markText({ move, mark, judgement, loss }) {
  return [h("span", { class: `glyph ${judgement}` }, `${move}${mark} `), t(`review.${judgement}`, { loss: percent(loss) })];
}

/** @param {Judged} judged */
function moveText(judged) {
  const { move, best, loss, judgement, mover } = judged;
  if (judgement !== "good") return markText(judged);
  const key = best === move ? "review.best" : loss < 0.005 ? "review.fine" : "review.good";
  return t(key, { move, best, score: whoseText(judged.score, mover), loss: percent(loss) });
}

/** @param {Judged} judged */
function answerText({ best, best_score, mover, line }) {
  return [t("review.better", { move: best, score: whoseText(best_score, mover) }), " ", h("span", { class: "mono soft" }, line.slice(0, 6).join(" "))];
}
