// A move chosen ahead, while the other side is thinking: shown, dropped by a tap elsewhere, and played when it is legal.

import { position } from "../lib/api.js";
import { say } from "../lib/dom.js";
import { t } from "../lib/i18n.js";

/** @typedef {import("./play.js").State} State */
/** @typedef {import("../lib/types.js").Color} Color */
/** @typedef {import("../lib/types.js").MoveView} MoveView */

/** So long the other side thinks before moves are asked for; most answer sooner. */
const SLOW = 300;

/**
 * @param {State} state
 * @param {{mine: () => Color | null, update: () => void, move: (move: MoveView) => void}} page
 */
export function aheadOf(state, { mine, update, move }) {
  let timer = 0;

  /** Whether the person waits for the other side's move, and sees the last position. */
  function waits() {
    const { position: at, history } = state;
    const color = mine();
    return Boolean(color && at && !at.outcome && at.turn !== color && !state.waiting && history && state.ply === history.length);
  }

  return {
    /** Looks, after a change, whether moves may be chosen ahead now. */
    look() {
      clearTimeout(timer);
      if (!waits()) state.ahead = null;
      else if (!state.ahead) timer = setTimeout(ask, SLOW);
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

  async function ask() {
    const at = state.position;
    const color = mine();
    if (!at || !color || !waits()) return;
    // The same marbles, as if it were the person's turn.
    const fields = at.fen.split(" ");
    fields[3] = color[0];
    const answer = await position({ fen: fields.join(" ") }).catch(() => null);
    if (!answer || answer.outcome || state.position !== at || !waits()) return;
    state.ahead = { ...at, turn: color, moves: answer.moves, threatened: at.threatened };
    update();
  }
}
