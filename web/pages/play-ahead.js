// A move chosen ahead, while the other side is thinking: shown, dropped by a tap elsewhere, and played when it is legal.

import { toFen } from "../board/replay.js";
import { position } from "../lib/api.js";
import { say } from "../lib/dom.js";
import { t } from "../lib/i18n.js";

/** @typedef {import("./play.js").State} State */
/** @typedef {import("../lib/types.js").Color} Color */
/** @typedef {import("../lib/types.js").MoveView} MoveView */
/** @typedef {import("../lib/types.js").PositionView} PositionView */

/** So long the other side thinks before moves are asked for, unless somebody chooses marbles; most answer sooner. */
const SLOW = 300;

/**
 * @param {State} state
 * @param {{mine: () => Color | null, update: () => void, move: (move: MoveView) => void}} page
 */
export function aheadOf(state, { mine, update, move }) {
  let timer = 0;
  /** The position that `state.ahead` was made of. @type {unknown} */
  let of = null;
  /** What is known of the board that is waited on. @type {{fen: string, asked: boolean, moves: MoveView[]}} */
  let known = { fen: "", asked: false, moves: [] };

  return {
    /** Looks, after a change, whether moves may be chosen ahead now. */
    look() {
      const { position: at, history } = state;
      const color = mine();
      const waits = color && at && !at.outcome && at.turn !== color && history && state.ply === history.length;
      if (waits && state.ahead && at === of) return;
      clearTimeout(timer);
      of = at;
      state.ahead = waits ? expect(at, color) : null;
      if (state.ahead && !known.asked) timer = setTimeout(ask, SLOW);
    },
    /** Marbles were chosen, or none. @param {string[]} cells */
    chosen(cells) {
      this.drop();
      if (cells.length) ask();
    },
    /** @param {MoveView} wanted */
    choose(wanted) {
      state.premove = wanted;
      say(t("premove.chosen", { move: wanted.move }));
      update();
    },
    drop() {
      if (!state.premove) return;
      state.premove = null;
      update();
    },
    /** The other side has moved: plays what was chosen, or says that it cannot. */
    play() {
      const wanted = state.premove;
      state.premove = null;
      if (!wanted || state.position?.outcome) return;
      const legal = state.position?.moves.find((each) => each.move === wanted.move);
      if (legal) return move(legal);
      state.note = t("premove.dropped", { move: wanted.move });
      say(state.note);
      update();
    },
    close() {
      clearTimeout(timer);
    },
  };

  /** The same marbles, as if it were the person's turn. @param {PositionView} at @param {Color} turn @returns {PositionView} */
  function expect(at, turn) {
    const fen = toFen(at, turn);
    if (fen !== known.fen) known = { fen, asked: false, moves: [] };
    return { ...at, turn, moves: known.moves };
  }

  async function ask() {
    clearTimeout(timer);
    const board = known;
    if (!state.ahead || board.asked) return;
    board.asked = true;
    const answer = await position({ fen: board.fen }).catch(() => null);
    if (!answer || answer.outcome) return;
    board.moves = answer.moves;
    if (!state.ahead || known !== board) return;
    state.ahead = { ...state.ahead, moves: board.moves };
    update();
  }
}
