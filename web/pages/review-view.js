// What the review looks like: the graph, both accuracies, the moves with their marks, and a task on each mistake.

import { fill, h, icon } from "../lib/dom.js";
import { number, t } from "../lib/i18n.js";
import { scoreText, seatName, turnedScore } from "../lib/speak.js";
import { pageBoard } from "../parts/board.js";
import { evaluationBar, percent } from "../parts/evaluation.js";
import { evaluationGraph } from "../parts/graph.js";
import { moveList, walker, walkKeys } from "../parts/movelist.js";
import { betweenPlayers } from "../parts/players.js";
import { shareTools } from "../parts/share.js";

/** @typedef {import("./review.js").State} State */
/** @typedef {import("../lib/types.js").MoveView} MoveView */
/** @typedef {import("../lib/types.js").Color} Color */
/** @typedef {{best: boolean, loss: number, played: boolean}} Verdict */

/**
 * @typedef {object} Actions
 * @property {(where: "first" | "back" | "next" | "last" | number) => void} to
 * @property {() => void} flip
 * @property {() => void} task
 * @property {(move: MoveView) => void} tried
 * @property {() => void} leave
 * @property {() => void} next
 */

/** @param {HTMLElement} root @param {Actions} act */
export function reviewView(root, act) {
  const { board, stopWatching } = pageBoard({ move: act.tried });
  const bar = evaluationBar();
  const players = betweenPlayers(h("div", { class: "with-bar" }, bar.element, board));
  const graph = evaluationGraph(act.to);
  const list = moveList(act.to);
  const sides = h("div", { class: "sides" });
  const progress = h("progress", { max: 1, value: 0, "aria-label": t("review.running") });
  const running = h("div", { class: "card stack", data: { review: "running" } }, h("strong", {}, t("review.running")), progress);
  const told = h("div", { class: "card told-move", "aria-live": "polite" });
  const share = shareTools();
  const analyse = h("a", { class: "button" }, icon("search"), t("game.analyse"));
  const nextMistake = h("button", { data: { act: "next-mistake" }, onclick: act.next }, icon("next"), t("review.next"));
  const stopKeys = walkKeys(act);
  fill(
    root,
    h("h1", { class: "unseen" }, t("nav.review")),
    h(
      "div",
      { class: "desk" },
      h("div", { class: "middle" }, players.element),
      h("aside", { class: "side", "aria-label": t("side.label") }, running, graph.element, sides, told, walker(act), h("div", { class: "tools" }, nextMistake, analyse), h("div", { class: "card" }, list.element), share.element),
    ),
  );
  /** The task, or the ply. @type {unknown} */
  let shown = null;

  return {
    /** @param {State} state @param {Verdict} [verdict] */
    update(state, verdict) {
      const { history: past, review, task } = state;
      players.place(state.flip);
      board.flip = state.flip;
      if ((task ?? state.ply) !== shown) {
        board.position = task ? task.at : past.at(state.ply);
        shown = task ?? state.ply;
      }
      board.player = task && !task.good ? task.at.turn : "";
      const judged = review?.moves.find((each) => each.ply === state.ply);
      board.arrows = task ? [] : arrows(state);
      bar.update(review?.positions[task ? task.ply - 1 : state.ply]?.black ?? 0.5, state.flip);
      for (const color of /** @type {Color[]} */ (["black", "white"])) {
        players.bars[color].update({
          name: seatName(state.game[color], color),
          count: past.boards[state.ply].score[color],
          turn: past.turn(task ? task.ply - 1 : state.ply) === color,
          thinking: false,
          ms: null,
        });
      }
      running.hidden = Boolean(review);
      progress.value = state.whole ? state.done / state.whole : 0;
      graph.element.hidden = sides.hidden = told.hidden = !review;
      nextMistake.hidden = !review?.moves.some(({ judgement }) => judgement === "mistake" || judgement === "blunder");
      if (review) {
        graph.update(review, state.ply);
        fill(sides, ...["black", "white"].map((color) => side(/** @type {Color} */ (color), review.sides[/** @type {Color} */ (color)])));
        fill(told, task ? taskText(state, verdict) : explain(judged));
      }
      list.update(
        past.moves.map(({ move }, i) => {
          const mark = review?.moves.find((each) => each.ply === i + 1);
          return { move, glyph: mark?.mark || undefined, kind: mark?.judgement };
        }),
        state.ply,
        past.first === "white",
      );
      analyse.href = `/analyse/${state.game.id}?ply=${state.ply}`;
      share.update({ id: state.game.id, ply: state.ply, fen: null, flip: state.flip });
    },
    close() {
      stopKeys();
      stopWatching();
    },
  };

  /** @param {import("./review.js").Judged | undefined} judged */
  function explain(judged) {
    if (!judged) return h("p", { class: "soft" }, t("review.start"));
    /** @param {import("../lib/types.js").ScoreView} score */
    const value = (score) => scoreText(judged.mover === "black" ? score : turnedScore(score));
    if (judged.judgement === "good") {
      const { move, best, loss } = judged;
      const key = best === move ? "review.best" : loss < 0.005 ? "review.fine" : "review.good";
      return h("p", {}, t(key, { move, best, score: value(judged.score), loss: percent(loss) }));
    }
    return h(
      "div",
      { class: "stack" },
      h("p", {}, h("span", { class: `glyph ${judged.judgement}` }, `${judged.move}${judged.mark} `), t(`review.${judged.judgement}`, { loss: percent(judged.loss) })),
      h("p", { class: "small" }, t("review.better", { move: judged.best, score: value(judged.best_score) }), " ", h("span", { class: "mono soft" }, judged.line.slice(0, 6).join(" "))),
      h("button", { class: "main", data: { act: "better" }, onclick: act.task }, t("review.find")),
    );
  }

  /** @param {State} state @param {Verdict | undefined} verdict */
  function taskText(state, verdict) {
    const color = t(`color.${state.task?.at.turn}`);
    const text = !verdict
      ? t("review.task", { color })
      : verdict.best
        ? t("review.task-best")
        : state.task?.good
          ? t("review.task-good", { move: state.task.answer ?? "" })
          : verdict.played
            ? t("review.task-same")
            : t("review.task-bad", { move: state.task?.answer ?? "", loss: percent(verdict.loss) });
    const kind = verdict ? (state.task?.good ? "good" : "bad") : "";
    return h(
      "div",
      { class: "stack", data: { task: "" } },
      h("p", { class: `told ${kind}` }, text),
      h("div", { class: "tools" }, h("button", { data: { act: "leave" }, onclick: act.leave }, t(state.task?.good ? "review.on" : "review.show")), state.task?.good ? h("button", { onclick: act.next }, t("review.next")) : null),
    );
  }
}

/** @param {Color} color @param {import("./review.js").Side} side */
function side(color, side) {
  return h(
    "div",
    { class: "card", data: { accuracy: color } },
    h("div", { class: "row" }, h("span", { class: `dot ${color}` }), h("span", { class: "soft small" }, t("review.accuracy"))),
    h("div", { class: "big" }, `${number(side.accuracy, { maximumFractionDigits: 1 })} %`),
    h(
      "div",
      { class: "small soft" },
      /** @type {const} */ (["inaccuracies", "mistakes", "blunders"]).map((name) => h("div", {}, t(`review.count.${name}`, { n: side[name] }))),
    ),
  );
}

/** @param {State} state */
function arrows({ best, history: past, ply }) {
  if (!best || ply === 0) return [];
  return [
    { move: past.moves[ply - 1], kind: "bad" },
    { move: best, kind: "hint" },
  ];
}
