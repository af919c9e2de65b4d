// What the review looks like: the graph, both accuracies, the moves with their marks, and a task on each mistake.

import { fill, h, icon } from "../lib/dom.js";
import { number, t } from "../lib/i18n.js";
import { seatName } from "../lib/speak.js";
import { pageBoard } from "../parts/board.js";
import { evaluationBar, percent } from "../parts/evaluation.js";
import { evaluationGraph } from "../parts/graph.js";
import { moveList, walker, walkKeys } from "../parts/movelist.js";
import { betweenPlayers } from "../parts/players.js";
import { shareTools } from "../parts/share.js";
import { reviewCard } from "./review-card.js";

/** @typedef {import("./review.js").State} State */
/** @typedef {import("../lib/types.js").MoveView} MoveView */
/** @typedef {import("../lib/types.js").Color} Color */

/**
 * @typedef {object} Actions
 * @property {(where: "first" | "back" | "next" | "last" | number) => void} to
 * @property {() => void} flip
 * @property {() => void} task
 * @property {(move: MoveView) => void} tried
 * @property {() => void} show gives up
 * @property {() => void} leave
 * @property {() => void} next
 * @property {(side: import("./review-task.js").Asked) => void} side
 * @property {() => void} again asks for a review once more
 */

/** @param {HTMLElement} root @param {Actions} act */
export function reviewView(root, act) {
  const { board, stopWatching } = pageBoard({ move: act.tried });
  const bar = evaluationBar();
  const players = betweenPlayers(h("div", { class: "with-bar" }, bar.element, board));
  const graph = evaluationGraph(act.to);
  const list = moveList(act.to);
  const sides = h("div", { class: "sides" });
  const basis = h("p", { class: "small soft", data: { part: "basis" } });
  const progress = h("progress", { max: 1, value: 0, "aria-label": t("review.running") });
  const told = h("strong", { role: "status" });
  const again = h("button", { data: { act: "again" }, onclick: act.again }, icon("again"), t("learn.again"));
  const running = h("div", { class: "card stack" }, told, progress, again);
  const card = reviewCard(act);
  const share = shareTools();
  const analyse = h("a", { class: "button" }, icon("search"), t("game.analyse"));
  const stopKeys = walkKeys(act);
  fill(
    root,
    h("h1", { class: "unseen" }, t("nav.review")),
    h(
      "div",
      { class: "desk" },
      h("div", { class: "middle study-middle" }, players.element, walker(act)),
      h("aside", { class: "side", "aria-label": t("side.label") }, running, card.element, graph.element, sides, h("div", { class: "card strip" }, list.element), h("div", { class: "tools" }, analyse), share.element, basis),
    ),
  );
  /** The task, or the ply. @type {unknown} */
  let shown = null;

  return {
    judging: card.judging,
    /** @param {State} state */
    update(state) {
      const { history: past, review, task } = state;
      players.place(state.flip);
      board.flip = state.flip;
      if ((task ?? state.ply) !== shown) {
        board.position = task ? task.at : past.at(state.ply);
        shown = task ?? state.ply;
      }
      board.player = task && !task.good ? task.at.turn : "";
      board.arrows = arrows(state);
      bar.update(review?.positions[task ? task.ply - 1 : state.ply]?.black ?? null, state.flip);
      for (const color of /** @type {Color[]} */ (["black", "white"])) {
        players.bars[color].update({
          name: seatName(state.game[color], color),
          count: past.boards[state.ply].score[color],
          turn: past.turn(task ? task.ply - 1 : state.ply) === color,
          thinking: false,
          ms: null,
        });
      }
      const { halt } = state;
      running.hidden = Boolean(review);
      running.dataset.review = halt ? "halted" : "running";
      told.textContent = halt ? halt.why : t("review.running");
      progress.hidden = Boolean(halt);
      again.hidden = !halt?.again;
      progress.value = state.whole ? state.done / state.whole : 0;
      graph.element.hidden = sides.hidden = basis.hidden = !review;
      if (state.basis) basis.textContent = basisText(state.basis);
      card.update(state);
      if (review) {
        graph.update(chart(state, review));
        fill(sides, ...["black", "white"].map((color) => side(/** @type {Color} */ (color), review, worst)));
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
      // A task stands before its move.
      const ply = state.task ? state.task.ply - 1 : state.ply;
      share.update({ id: state.game.id, ply, fen: state.task?.at.fen ?? null, flip: state.flip, path: () => `/review/${state.game.id}${ply ? `?ply=${ply}` : ""}` });
    },
    close() {
      stopKeys();
      stopWatching();
    },
  };

  /** Goes to a side's worst move; what there is to say of it is on top. @param {number} ply */
  function worst(ply) {
    act.to(ply);
    window.scrollTo(0, 0);
  }
}

/**
 * How a side played, with the way to its worst move.
 * @param {Color} color
 * @param {import("./review.js").Review} review
 * @param {(ply: number) => void} to
 */
function side(color, review, to) {
  const side = review.sides[color];
  const bad = review.moves.filter(({ mover, judgement }) => mover === color && judgement !== "good");
  const worst = bad.sort((one, other) => other.loss - one.loss)[0];
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
    worst ? h("button", { class: "quiet small", data: { act: "worst" }, onclick: () => to(worst.ply) }, t("review.worst", { move: `${worst.move}${worst.mark}`, loss: percent(worst.loss) })) : null,
  );
}

/** What the review was made with. @param {import("../lib/types.js").ReviewBasis} basis */
function basisText({ network, even, spread }) {
  const line = (/** @type {number[]} */ [whole, gone]) => `${number(whole)}${gone < 0 ? "" : "+"}${number(gone)}`;
  return t("review.basis", { network, model: `${line(even)}, ${line(spread)}` });
}

/** What the graph shows of a review. @param {State} state @param {import("./review.js").Review} review @returns {import("../parts/graph.js").Chart} */
function chart({ history: past, ply }, { positions, moves }) {
  const bad = moves.filter(({ judgement }) => judgement === "mistake" || judgement === "blunder");
  return {
    shares: positions.map(({ black }) => black),
    moves: past.moves.map(({ move }) => move),
    ply,
    whiteFirst: past.first === "white",
    marks: bad.map(({ ply: at, judgement, mark }) => ({ ply: at, kind: judgement, glyph: mark })),
  };
}

/** The move that was played, and the better one once it may be seen. @param {State} state */
function arrows({ best, history: past, ply, task }) {
  if (ply === 0 || (!task && !best)) return [];
  const answer = task?.good && task.answer ? task.at.moves.find(({ move }) => move === task.answer?.move) : null;
  return [
    { move: past.moves[ply - 1], kind: "bad" },
    ...(answer && answer !== best ? [{ move: answer, kind: "second" }] : []),
    ...(best ? [{ move: best, kind: "hint" }] : []),
  ];
}
