// What the play page looks like: the board with both players, and beside it the choices or the game.

import { fill, h, icon, toast, twice } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { agentName, levelName, outcomeText, seatName } from "../lib/speak.js";
import { pageBoard } from "../parts/board.js";
import { moveList, walker, walkKeys } from "../parts/movelist.js";
import { betweenPlayers } from "../parts/players.js";
import { setupPanel } from "../parts/setup.js";
import { shareTools } from "../parts/share.js";

/** @typedef {import("./play.js").State} State */
/** @typedef {import("../lib/types.js").Color} Color */
/** @typedef {import("../lib/types.js").MoveView} MoveView */

/**
 * @typedef {object} Actions
 * @property {(wish: Partial<import("../lib/keys.js").Setup>) => void} change
 * @property {() => void} start
 * @property {(move: MoveView) => void} move
 * @property {(text: string) => void} typed
 * @property {(where: "first" | "back" | "next" | "last" | number) => void} to
 * @property {() => void} flip
 * @property {() => void} takeback
 * @property {() => void} resign
 * @property {() => void} draw
 * @property {() => void} rematch
 * @property {() => void} hint
 * @property {() => void} again
 */

/** @param {HTMLElement} root @param {Actions} act */
export function playView(root, act) {
  const { board, stopWatching } = pageBoard({ move: act.move });
  const players = betweenPlayers(board);
  const side = h("aside", { class: "side", "aria-label": t("side.label") });
  const stopKeys = walkKeys(act);
  fill(root, h("h1", { class: "unseen" }, t("nav.play")), h("div", { class: "desk" }, h("div", { class: "middle" }, players.element), side));

  const panel = setupPanel(act);
  const game = gamePanel(act);
  /** @type {unknown} */
  let shown = null;

  return {
    /** @param {State} state @param {string} player */
    update(state, player) {
      players.place(state.flip);
      board.flip = state.flip;
      const { history, position } = state;
      const latest = !history || state.ply === history.length;
      const at = latest ? position : history.at(state.ply);
      if (at !== shown) {
        board.position = at;
        board.arrows = [];
        shown = at;
      }
      board.player = player;
      this.clocks(state);
      const inGame = state.game !== null;
      if (inGame) game.update(state, player);
      else panel.update(state);
      const wanted = inGame ? game.element : panel.element;
      if (wanted.parentNode !== side) fill(side, wanted);
    },
    /** @param {State} state */
    clocks(state) {
      const at = state.position;
      for (const color of /** @type {Color[]} */ (["black", "white"])) {
        const turn = Boolean(at && !at.outcome && at.turn === color);
        players.bars[color].update({
          name: nameOf(state, color),
          count: (state.history?.boards[state.ply] ?? at)?.score[color] ?? 0,
          turn,
          thinking: turn && state.thinking === color,
          ms: rest(state, color),
        });
      }
    },
    /** @param {MoveView} move */
    hint(move) {
      board.arrows = [{ move, kind: "hint" }];
      toast(t("hint.text", { move: move.move }), "note");
    },
    /** @param {boolean} busy */
    hinting(busy) {
      game.busy(busy);
    },
    close() {
      stopKeys();
      stopWatching();
    },
  };
}

/** @param {State} state @param {Color} color */
function nameOf(state, color) {
  if (state.game) {
    const { black, white } = state.game;
    const alone = state.key !== null && black.kind !== white.kind;
    return alone && state.game[color].kind === "human" ? t("seat.you") : seatName(state.game[color], color);
  }
  const { setup } = state;
  const mine = setup.opponent === "human" || (color === "white") === state.flip;
  if (mine) return setup.opponent === "human" ? t(`color.${color}`) : t("seat.you");
  return setup.opponent === "level" ? levelName(setup.level) : agentName(setup.spec);
}

/** What is left on a clock now. @param {State} state @param {Color} color */
function rest({ clocks, clocksAt }, color) {
  if (!clocks) return null;
  const left = clocks[`${color}_ms`];
  return clocks.running === color ? left - (performance.now() - clocksAt) : left;
}

/** @param {Actions} act */
function gamePanel(act) {
  const result = h("div", { class: "result", hidden: true, role: "status" });
  const list = moveList(act.to);
  /** @param {string} name @param {Parameters<typeof icon>[0]} picture @param {() => void} action */
  const button = (name, picture, action) => h("button", { data: { act: name }, onclick: action }, icon(picture), t(`game.${name}`));
  const takeback = button("takeback", "undo", act.takeback);
  const hint = button("hint", "hint", act.hint);
  const draw = button("draw", "draw", act.draw);
  const resign = button("resign", "flag", () => twice(resign, t("game.sure"), act.resign));
  const rematch = button("rematch", "again", act.rematch);
  const again = button("again", "plus", act.again);
  const review = h("a", { class: "button main", data: { act: "review" } }, icon("chart"), t("game.review"));
  const analyse = h("a", { class: "button" }, icon("search"), t("game.analyse"));
  const field = h("input", { name: "typed", placeholder: t("typed.label"), "aria-label": t("typed.label"), autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
  const typed = h(
    "form",
    {
      class: "typed",
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        if (field.value.trim()) act.typed(field.value.trim());
        field.value = "";
      },
    },
    field,
    h("button", {}, t("typed.go")),
  );
  const watching = h("p", { class: "small soft", hidden: true }, t("game.watching"));
  const line = h("p", { class: "small soft", hidden: true }, t("game.lost"));
  const share = shareTools();
  const element = h(
    "div",
    { class: "stack" },
    result,
    line,
    watching,
    h("div", { class: "card" }, list.element),
    walker(act),
    h("div", { class: "quad" }, takeback, hint, draw, resign),
    typed,
    h("div", { class: "tools" }, review, analyse, rematch, again),
    share.element,
  );
  return {
    element,
    /** @param {boolean} busy */
    busy(busy) {
      hint.disabled = busy;
    },
    /** @param {State} state @param {string} player */
    update(state, player) {
      const game = /** @type {import("../lib/types.js").GameView} */ (state.game);
      const history = /** @type {import("../lib/history.js").History} */ (state.history);
      const outcome = state.position?.outcome;
      const mine = state.key !== null;
      result.hidden = !outcome;
      if (outcome) {
        const { who, why } = outcomeText(outcome);
        fill(result, h("strong", {}, who), why);
      }
      list.update(history.moves.map(({ move }) => ({ move })), state.ply, history.first === "white");
      watching.hidden = mine;
      line.hidden = !state.lost;
      takeback.hidden = draw.hidden = !mine;
      takeback.disabled = history.length === 0;
      resign.hidden = hint.hidden = !mine || Boolean(outcome);
      draw.hidden ||= Boolean(outcome);
      draw.setAttribute("aria-pressed", String(Boolean(game.offer)));
      typed.hidden = !mine || Boolean(outcome);
      rematch.hidden = !mine || !outcome;
      review.hidden = !history.length || !outcome;
      review.href = `/review/${game.id}`;
      analyse.href = `/analyse/${game.id}?ply=${state.ply}`;
      analyse.hidden = mine && !outcome;
      hint.disabled = !player;
      share.update({ id: game.id, ply: state.ply, fen: state.ply === history.length ? game.position.fen : null, flip: state.flip });
    },
  };
}
