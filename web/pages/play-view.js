// What the play page looks like: the board with both players, and beside it the choices or the game.

import { rest } from "../lib/clock.js";
import { fill, h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { mineIn } from "../lib/seat.js";
import { pageBoard } from "../parts/board.js";
import { freeSeat, friendPanel } from "../parts/friend.js";
import { walkKeys } from "../parts/movelist.js";
import { betweenPlayers } from "../parts/players.js";
import { setupPanel } from "../parts/setup.js";
import { gamePanel } from "./play-panel.js";
import { captionOf, nameOf, titleOf } from "./play-words.js";

/** @typedef {import("./play.js").State} State */
/** @typedef {import("../lib/types.js").Color} Color */
/** @typedef {import("../lib/types.js").MoveView} MoveView */

/**
 * @typedef {object} Actions
 * @property {(wish: Partial<import("../lib/keys.js").Setup>) => void} change
 * @property {() => void} start
 * @property {(move: MoveView, touched: boolean) => void} move
 * @property {(yes: boolean) => void} confirm
 * @property {() => void} drop the move that was chosen ahead
 * @property {(cells: string[]) => void} select marbles were chosen, or none
 * @property {(text: string) => Promise<boolean>} typed whether it is a move
 * @property {(where: "first" | "back" | "next" | "last" | number) => void} to
 * @property {() => void} flip
 * @property {() => void} takeback
 * @property {() => void} resign
 * @property {() => void} draw
 * @property {() => void} rematch
 * @property {(level: number) => void} nextLevel
 * @property {() => void} hint
 * @property {() => void} again
 * @property {() => void} lapse the time of the game to go on with is up
 * @property {() => void} join
 * @property {() => void} abort
 * @property {(kind: "draw" | "takeback") => void} agree
 * @property {(kind: "draw" | "takeback" | "rematch") => void} decline
 * @property {(result: "win" | "draw") => void} claim ends the game of somebody who has gone
 */

/** @param {HTMLElement} root @param {Actions} act */
export function playView(root, act) {
  const { board, stopWatching } = pageBoard({ move: (move) => act.move(move, board.touched) });
  const players = betweenPlayers(board);
  const yes = h("button", { class: "main", data: { act: "confirm" }, onclick: () => act.confirm(true) });
  const confirm = h(
    "div",
    { class: "confirm", hidden: true },
    yes,
    h("button", { data: { act: "unconfirm" }, onclick: () => act.confirm(false) }, t("confirm.no")),
  );
  board.after(confirm);
  board.addEventListener("select", (event) => act.select(/** @type {CustomEvent} */ (event).detail));
  root.addEventListener("pointerdown", (event) => !board.contains(/** @type {Node} */ (event.target)) && act.drop());
  const side = h("aside", { class: "side", "aria-label": t("side.label") });
  const stopKeys = walkKeys(act);
  fill(root, h("h1", { class: "unseen" }, t("nav.play")), h("div", { class: "desk" }, h("div", { class: "middle" }, players.element), side));

  const panel = setupPanel(act);
  const game = gamePanel(act);
  const friend = friendPanel(act);
  /** @type {unknown} */
  let shown = null;
  /** @type {State | null} */
  let latest = null;

  return {
    /** @param {State} state @param {string} player */
    update(state, player) {
      latest = state;
      players.place(state.flip);
      board.flip = state.flip;
      const { history, position } = state;
      const now = !history || state.ply === history.length;
      board.ahead = now && state.ahead !== null;
      const at = now ? (state.ahead ?? position) : history.at(state.ply);
      if (at !== shown) {
        board.position = at;
        shown = at;
      }
      const marked = state.pending ?? state.hinted;
      board.arrows = state.premove && now ? [{ move: state.premove, kind: "premove" }] : marked ? [{ move: marked, kind: "hint" }] : [];
      confirm.hidden = !marked;
      yes.textContent = state.hinted ? t("hint.play", { move: state.hinted.move }) : t("confirm.yes");
      board.player = player || (now && state.ahead?.turn) || "";
      board.caption = captionOf(state, player);
      document.title = titleOf(state, player);
      this.clocks(state);
      const inGame = state.game !== null;
      root.classList.toggle("in-game", inGame && !freeSeat(state.game));
      const invitation = freeSeat(state.game) !== null;
      if (invitation && state.game) friend.update(state.game, state.key !== null);
      else if (inGame) game.update(state, player);
      else panel.update(state);
      const wanted = invitation ? friend.element : inGame ? game.element : panel.element;
      if (wanted.parentNode !== side) fill(side, wanted);
      // The last marble rolls off first.
      if (!position?.outcome) game.end(state);
      else board.settled.then(() => latest && game.end(latest));
    },
    /** @param {State} state */
    clocks(state) {
      const at = state.position;
      panel.tick();
      game.tick(state);
      for (const color of /** @type {Color[]} */ (["black", "white"])) {
        const turn = Boolean(at && !at.outcome && at.turn === color && !freeSeat(state.game));
        players.bars[color].update({
          name: nameOf(state, color),
          count: (state.history?.boards[state.ply] ?? at)?.score[color] ?? 0,
          turn,
          thinking: turn && state.thinking === color,
          ms: rest(state.clocks, state.clocksAt, color),
          there: thereIn(state, color),
        });
      }
    },
    /** Somebody has said something. @param {import("../lib/types.js").ChatLineView} line */
    said: (line) => game.said(line),
    /** The line is there again: what was said meanwhile is read. */
    reread: () => game.reread(),
    /** @param {boolean} busy */
    hinting(busy) {
      game.busy(busy);
    },
    close() {
      latest = null;
      stopKeys();
      stopWatching();
      game.close();
    },
  };
}

/** Whether the player of a colour follows the game: for others, in a game in which that is known. @param {State} state @param {Color} color */
function thereIn({ game, key }, color) {
  const there = game?.pair?.[color];
  return !there || there === "free" || mineIn(game, key) === color ? null : there;
}
