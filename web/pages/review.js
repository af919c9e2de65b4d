// Review: where a game turned. The server works through it once and keeps what it found.

import { ApiError, get, position, post } from "../lib/api.js";
import { History } from "../lib/history.js";
import { connect } from "../lib/socket.js";
import { reviewView } from "./review-view.js";

/** @typedef {import("../lib/types.js").PositionView} PositionView */
/** @typedef {import("../lib/types.js").MoveView} MoveView */

/** @typedef {import("../lib/types.js").ReviewedMove} Judged */
/** @typedef {import("../lib/types.js").Tally} Side */
/** @typedef {import("../lib/types.js").Review} Review */

/**
 * @typedef {object} State
 * @property {import("../lib/types.js").GameView} game
 * @property {History} history
 * @property {number} ply
 * @property {boolean} flip
 * @property {Review | null} review
 * @property {number} done
 * @property {number} whole
 * @property {MoveView | null} best the better move at this ply, once it is known
 * @property {{ply: number, at: PositionView, answer: string | null, good: boolean} | null} task a mistake to mend
 */

/** @type {import("../app.js").Open} */
export async function open(root, id, query) {
  const game = await get(`/games/${id}`);
  const past = await History.of(game.id, game.start_fen);
  /** @type {State} */
  const state = {
    game,
    history: past,
    ply: Math.min(past.length, Number(query.get("ply")) || 0),
    flip: game.white.kind === "human" && game.black.kind === "agent",
    review: null,
    done: 0,
    whole: past.length + 1,
    best: null,
    task: null,
  };
  let closed = false;
  /** @type {Map<number, PositionView>} */
  const positions = new Map();
  const view = reviewView(root, { to, flip, task, tried, leave, next });
  view.update(state);
  const socket = connect(`/games/${game.id}/live`, { message: hear });
  await begin();
  return {
    close() {
      closed = true;
      socket.close();
      view.close();
    },
  };

  async function begin() {
    const now = await get(`/games/${game.id}/review`);
    if (now.review) return finished(now.review);
    if (now.state === "none" && past.length) await post(`/games/${game.id}/review`, {}).catch((error) => {
      if (error.status !== 409) throw error;
    });
  }

  /** @param {any} message */
  async function hear(message) {
    if (closed || message.type !== "review" || state.review) return;
    state.done = message.done;
    state.whole = message.whole;
    view.update(state);
    if (message.state !== "done") return;
    const now = await get(`/games/${game.id}/review`);
    if (now.review && !closed) finished(now.review);
  }

  /** @param {Review} review */
  function finished(review) {
    state.review = review;
    view.update(state);
    explain();
  }

  /** @param {number} ply @returns {Promise<PositionView>} */
  async function positionAt(ply) {
    const known = positions.get(ply) ?? (await get(`/games/${game.id}/position`, { ply }));
    positions.set(ply, known);
    return known;
  }

  /** Finds the better move's arrow for the move that is shown. */
  async function explain() {
    const { ply } = state;
    const judged = state.review?.moves.find((each) => each.ply === ply);
    state.best = null;
    if (!judged || judged.judgement === "good") return view.update(state);
    const before = await positionAt(ply - 1);
    if (state.ply !== ply || closed) return;
    state.best = before.moves.find(({ move }) => move === judged.best) ?? null;
    view.update(state);
  }

  /** @param {"first" | "back" | "next" | "last" | number} where */
  function to(where) {
    const targets = { first: 0, back: state.ply - 1, next: state.ply + 1, last: past.length };
    state.ply = Math.max(0, Math.min(past.length, typeof where === "number" ? where : targets[where]));
    state.task = null;
    state.best = null;
    view.update(state);
    explain();
  }

  function flip() {
    state.flip = !state.flip;
    view.update(state);
  }

  /** Puts the board before a mistake, for a better move. */
  async function task() {
    const { ply } = state;
    const at = await positionAt(ply - 1);
    state.task = { ply, at, answer: null, good: false };
    state.best = null;
    view.update(state);
  }

  /** The next mistake after the move that is shown, or the first one. */
  function next() {
    const bad = (state.review?.moves ?? []).filter(({ judgement }) => judgement === "mistake" || judgement === "blunder");
    const found = bad.find(({ ply }) => ply > state.ply) ?? bad[0];
    if (!found) return;
    to(found.ply);
  }

  /** @param {MoveView} move */
  async function tried(move) {
    const { task: now, review } = state;
    const judged = review?.moves.find((each) => each.ply === now?.ply);
    if (!now || !judged) return;
    const best = move.move === judged.best;
    try {
      const loss = best ? 0 : Math.max(0, judged.best_expected - (await expectedAfter(now, move.move)));
      if (state.task !== now) return;
      state.task = { ...now, answer: move.move, good: loss < 0.05 };
      view.update(state, { best, loss, played: move.move === judged.move });
    } catch (error) {
      // Nothing is known about the move: it is put back, and the shell tells why.
      if (state.task === now) state.task = { ...now };
      if (!closed) view.update(state);
      throw error;
    }
  }

  /**
   * What a move gives to its mover: the result if it ends the game, else what a short search of the position after it says.
   * @param {NonNullable<State["task"]>} task
   * @param {string} move
   */
  async function expectedAfter({ ply, at }, move) {
    const moves = [...past.moves.slice(0, ply - 1).map((each) => each.move), move];
    const from = { fen: game.start_fen, moves, rules: game.rules };
    const { outcome } = await position(from);
    if (outcome) return outcome.winner === null ? 0.5 : Number(outcome.winner === at.turn);
    return 1 - (await expected(from));
  }

  function leave() {
    const ply = state.task?.ply ?? state.ply;
    state.task = null;
    to(ply);
  }
}

/**
 * What the side to move can expect, by a short search.
 * @param {{fen: string, moves: string[], rules: object}} from
 * @returns {Promise<number>}
 */
function expected(from) {
  return new Promise((found, failed) => {
    /** @type {number | null} */
    let share = null;
    /** @param {() => void} tell */
    const end = (tell) => {
      socket.close();
      tell();
    };
    const socket = connect("/analysis", {
      open: () => socket.send({ type: "start", id: 1, ...from, lines: 1, limit: { time_ms: 600 } }),
      message: ({ type, lines, error }) => {
        if (type === "lines" && lines[0]?.wdl) share = lines[0].wdl.win + lines[0].wdl.draw / 2;
        else if (type === "error") end(() => failed(new ApiError(400, error)));
        else if (type === "done") end(() => (share === null ? failed(new ApiError(500, {})) : found(share ?? 0)));
      },
      lost: () => end(() => failed(new ApiError(0, { code: "offline" }))),
    });
  });
}
