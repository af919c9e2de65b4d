// What the watch page looks like: first the two agents to choose, then the board and both minds.

import { fromFen } from "../board/replay.js";
import { fill, h, icon } from "../lib/dom.js";
import { short, t } from "../lib/i18n.js";
import { steady } from "../lib/slide.js";
import { movesText, outcomeText, seatName } from "../lib/speak.js";
import { agentField } from "../parts/agents.js";
import { pageBoard } from "../parts/board.js";
import { evaluationBar } from "../parts/evaluation.js";
import { layoutButton } from "../parts/layouts.js";
import { liveGraph } from "../parts/livegraph.js";
import { moveList, walker, walkKeys } from "../parts/movelist.js";
import { betweenPlayers } from "../parts/players.js";
import { scoreChip } from "../parts/score.js";
import { shareTools } from "../parts/share.js";

/** @typedef {import("./watch.js").State} State */
/** @typedef {import("../lib/types.js").Color} Color */

/**
 * @typedef {object} Actions
 * @property {(wish: State["wish"]) => void} start
 * @property {(wish: object) => void} control
 * @property {(where: "first" | "back" | "next" | "last" | number) => void} to
 * @property {() => void} flip
 * @property {() => void} stop
 */

/** @param {HTMLElement} root @param {State} first @param {Actions} act */
export function watchView(root, first, act) {
  const { board, stopWatching } = pageBoard();
  const evaluation = evaluationBar();
  const players = betweenPlayers(h("div", { class: "with-bar" }, evaluation.element, board));
  const side = h("aside", { class: "side", "aria-label": t("side.label") });
  const stopKeys = walkKeys(act);
  const walk = walker(act);
  fill(root, h("h1", { class: "unseen" }, t("nav.watch")), h("div", { class: "desk" }, h("div", { class: "middle study-middle" }, players.element, walk), side));
  const choice = choicePanel(first, act, (fen) => {
    board.position = still(fen);
  });
  let measure = () => {};
  const live = livePanel(act, () => measure());
  let shown = -1;
  /** @type {unknown} */
  let shownOf = null;

  return {
    /** @param {State} state */
    update(state) {
      const { history: past, game } = state;
      if (!game) live.close();
      walk.hidden = !game;
      board.flip = state.flip;
      players.place(state.flip);
      if (past && (shown !== state.ply || shownOf !== past)) {
        board.position = past.at(state.ply);
        shown = state.ply;
        shownOf = past;
      }
      if (!past && shownOf !== choice) {
        choice.show();
        shownOf = choice;
      }
      for (const color of /** @type {Color[]} */ (["black", "white"])) {
        const turn = Boolean(game && !game.position.outcome && game.position.turn === color);
        players.bars[color].update({
          name: game ? seatName(game[color], color) : t(`color.${color}`),
          count: past?.boards[state.ply].score[color] ?? 0,
          turn,
          thinking: turn && !game?.paused,
          ms: null,
        });
      }
      if (game) live.update(state);
      measure = () => evaluation.update(expected(state, live.share(state.ply)), state.flip);
      measure();
      const wanted = game ? live.element : choice.element;
      if (wanted.parentNode !== side) fill(side, wanted);
    },
    close() {
      live.close();
      stopKeys();
      stopWatching();
    },
  };
}

/** A board that only shows. @param {string} fen @returns {import("../lib/types.js").PositionView} */
function still(fen) {
  return { ...fromFen(fen), fen, turn: "black", plies: 0, last: null, moves: [], threatened: [], outcome: null };
}

/** @param {State} state @param {Actions} act @param {(fen: string) => void} show */
function choicePanel({ meta, wish }, act, show) {
  let layout = wish.layout;
  const black = agentField(meta, wish.black, { label: t("color.black"), name: "black" });
  const white = agentField(meta, wish.white, { label: t("color.white"), name: "white" });
  const picker = layoutButton(meta.layouts, ({ name }) => {
    layout = name;
    picker.update(layout);
    shown();
  });
  picker.update(layout);
  const times = [50, 100, 200, 500, 1000, 2000, 5000, 10000];
  const blackTime = slider("watch.think.black", times, wish.think_ms);
  const whiteTime = slider("watch.think.white", times, wish.white_think_ms);
  const pause = slider("watch.delay", [0, 200, 400, 700, 1000, 2000, 4000], wish.delay_ms);
  function shown() {
    show(meta.layouts.find(({ name }) => name === layout)?.fen ?? meta.layouts[0].fen);
  }
  return {
    show: shown,
    element: h(
      "section",
      { class: "card stack" },
      h("h2", {}, t("watch.title")),
      black.element,
      blackTime.element,
      white.element,
      whiteTime.element,
      picker.element,
      pause.element,
      h(
        "button",
        {
          class: "main",
          data: { act: "watch" },
          onclick: () => act.start({ black: black.value(), white: white.value(), layout, think_ms: blackTime.value(), white_think_ms: whiteTime.value(), delay_ms: pause.value() }),
        },
        icon("play"),
        t("watch.start"),
      ),
    ),
  };
}

/** A slider over a few sensible times. @param {string} label @param {number[]} values @param {number} value @param {(ms: number) => void} [changed] */
function slider(label, values, value, changed) {
  const nearest = values.reduce((best, each, i) => (Math.abs(each - value) < Math.abs(values[best] - value) ? i : best), 0);
  const shown = h("strong", {});
  const input = h("input", {
    type: "range",
    min: 0,
    max: values.length - 1,
    value: nearest,
    "aria-label": t(label),
    oninput: tell,
    onchange: () => changed?.(values[Number(input.value)]),
  });
  steady(input);
  function tell() {
    shown.textContent = t("seconds", { n: values[Number(input.value)] / 1000 });
    input.setAttribute("aria-valuetext", shown.textContent);
  }
  tell();
  return {
    element: h("label", { class: "field" }, h("span", { class: "row spread" }, t(label), shown), input),
    value: () => values[Number(input.value)],
  };
}

/** @param {Actions} act @param {() => void} found when the graph knows one more position */
function livePanel(act, found) {
  const result = h("div", { class: "result", role: "status", hidden: true });
  const list = moveList(act.to);
  const graph = liveGraph(act.to, { found });
  const pause = h("button", { data: { act: "pause" } });
  const step = h("button", { data: { act: "step" }, onclick: () => act.control({ step: true }) }, icon("step"), t("watch.step"));
  const minds = { black: mind("black"), white: mind("white") };
  const speed = h("div");
  const controls = h("div", { class: "stack" }, h("div", { class: "tools" }, pause, step), speed);
  const review = h("a", { class: "button main", data: { act: "review" } }, icon("chart"), t("game.review"));
  const analyse = h("a", { class: "button" }, icon("search"), t("game.analyse"));
  const share = shareTools();
  let known = "";
  return {
    close: graph.close,
    share: graph.share,
    element: h(
      "div",
      { class: "stack" },
      result,
      // Right below the result: the way on is not behind two cards, a graph and a list of moves.
      h("div", { class: "tools" }, review),
      controls,
      minds.white.element,
      minds.black.element,
      graph.element,
      h("div", { class: "card strip" }, list.element),
      h("div", { class: "tools" }, analyse, h("button", { onclick: act.stop, data: { act: "again" } }, icon("plus"), t("watch.other"))),
      share.element,
    ),
    /** @param {State} state */
    update(state) {
      const game = /** @type {import("../lib/types.js").GameView} */ (state.game);
      const past = /** @type {import("../lib/history.js").History} */ (state.history);
      const { outcome } = game.position;
      result.hidden = !outcome;
      if (outcome) {
        const { who, why } = outcomeText(outcome);
        fill(result, h("strong", {}, who), why);
      }
      controls.hidden = Boolean(outcome) || !state.mine;
      fill(pause, icon(game.paused ? "play" : "pause"), t(game.paused ? "watch.resume" : "watch.pause"));
      pause.onclick = () => act.control({ paused: !game.paused });
      step.disabled = !game.paused;
      if (known !== game.id) {
        known = game.id;
        fill(speed, slider("watch.delay", [0, 200, 400, 700, 1000, 2000, 4000], game.delay_ms, (delay_ms) => act.control({ delay_ms })).element);
      }
      for (const color of /** @type {Color[]} */ (["black", "white"])) {
        minds[color].update(seatName(game[color], color), thought(state, game, past, color), movesOf(past, state.ply, color));
      }
      list.update(past.moves.map(({ move }) => ({ move })), state.ply, past.first === "white");
      graph.update(game, past, state.ply);
      review.hidden = !outcome || !past.length;
      review.href = `/review/${game.id}`;
      analyse.href = `/analyse/${game.id}?ply=${state.ply}`;
      share.update({ id: game.id, ply: state.ply, fen: null, flip: state.flip, path: () => `/watch/${game.id}${state.ply < past.length ? `?ply=${state.ply}` : ""}` });
    },
  };
}

/**
 * What Black can expect in the position that is shown, if anybody knows: the game's end, the graph's engine, or else an agent that has chances.
 * @param {State} state @param {number | null} measured by the graph
 */
function expected({ game, history, ply, shares }, measured) {
  const outcome = history && ply === history.length && game?.position.outcome;
  if (!outcome) return game ? (measured ?? shares[ply] ?? null) : null;
  return outcome.winner === "black" ? 1 : outcome.winner === "white" ? 0 : 0.5;
}

/**
 * What a side thinks now, or thought of its last move before the position that is shown.
 * @param {State} state
 * @param {import("../lib/types.js").GameView} game
 * @param {import("../lib/history.js").History} past
 * @param {Color} color
 * @returns {import("./watch.js").Thought | null}
 */
function thought(state, game, past, color) {
  const live = state.thoughts[color];
  if (live && state.ply === past.length) return live;
  const ply = [state.ply - 1, state.ply - 2].find((each) => each >= 0 && past.turn(each) === color) ?? -1;
  const played = game.moves[ply];
  if (!played?.depth) return null;
  const { depth, nodes, ms, score, move } = played;
  return { depth, nodes: nodes ?? 0, nps: nodes && ms ? Math.round((nodes * 1000) / ms) : 0, score: score ?? null, line: [move] };
}

/** How many moves a side has made up to a ply. @param {import("../lib/history.js").History} past @param {number} ply @param {Color} color */
function movesOf(past, ply, color) {
  return past.first === color ? Math.ceil(ply / 2) : Math.floor(ply / 2);
}

/** What one side thinks. @param {Color} color */
function mind(color) {
  const name = h("strong", {});
  const value = h("span", { class: "value" });
  const facts = h("div", { class: "small soft", data: { facts: "" } });
  const line = h("div", { class: "small mono" });
  const moves = h("span", { class: "small soft", data: { moves: "" } });
  const unit = h("div", { class: "small soft", data: { unit: "" }, hidden: true });
  return {
    element: h("div", { class: "card mind", data: { color } }, h("div", { class: "row spread" }, h("span", { class: "row" }, h("span", { class: `dot ${color}` }), name, moves), value), facts, line, unit),
    /** @param {string} who @param {import("./watch.js").Thought | null} thought @param {number} made */
    update(who, thought, made) {
      name.textContent = who;
      moves.textContent = movesText(made);
      if (!thought) {
        facts.textContent = t("watch.nothing");
        value.textContent = line.textContent = "";
        unit.hidden = true;
        return;
      }
      fill(value, scoreChip(thought.score, color));
      const { score } = thought;
      const told = score && ("value" in score ? "score.own-note" : "lead" in score && "score.unit");
      // Once it is there it stays, so that nothing slides when a win is announced.
      if (told) Object.assign(unit, { hidden: false, textContent: t(told) });
      const numbers = { depth: thought.depth, nodes: short(thought.nodes), nps: short(thought.nps) };
      facts.textContent = t(thought.nps ? "watch.facts" : "watch.few", numbers);
      line.textContent = thought.line.slice(0, 8).join(" ");
    },
  };
}
