// Review: where a game turned. The server works through it once and keeps what it found.

import { ApiError, get, post } from "../lib/api.js";
import { History } from "../lib/history.js";
import { t } from "../lib/i18n.js";
import { connect } from "../lib/socket.js";
import { isAsGood, isAsked, keepSide, lossOf, mistakes, sideOf } from "./review-task.js";
import { reviewView } from "./review-view.js";

/** @typedef {import("../lib/types.js").PositionView} PositionView */
/** @typedef {import("../lib/types.js").MoveView} MoveView */

/** @typedef {import("../lib/types.js").ReviewedMove} Judged */
/** @typedef {import("../lib/types.js").Tally} Side */
/** @typedef {import("../lib/types.js").Review} Review */

/**
 * A mistake to mend.
 * @typedef {object} Task
 * @property {number} ply
 * @property {PositionView} at before it
 * @property {{move: string, loss: number} | null} answer the last one
 * @property {boolean} good whether it is as good as the best move
 */

/**
 * @typedef {object} State
 * @property {import("../lib/types.js").GameView} game
 * @property {History} history
 * @property {number} ply
 * @property {boolean} flip
 * @property {Review | null} review
 * @property {import("../lib/types.js").ReviewBasis | null} basis what it was made with
 * @property {{why: string, again: boolean} | null} halt why none is being made, and whether asking again may help
 * @property {number} done
 * @property {number} whole
 * @property {import("./review-task.js").Asked} side whose mistakes are asked about
 * @property {Set<number>} told the plies whose better move was found or given up
 * @property {MoveView | null} best the better move at this ply, once it may be seen
 * @property {Task | null} task
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
    basis: null,
    halt: isPlayed(game) ? { why: t("review.waits"), again: false } : null,
    done: 0,
    whole: past.length + 1,
    side: sideOf(game),
    told: new Set(),
    best: null,
    task: null,
  };
  let closed = false;
  let asking = false;
  /** @type {Map<number, PositionView>} */
  const positions = new Map();
  const view = reviewView(root, { to, flip, task: () => task(state.ply), tried, show, leave, next, side, again });
  view.update(state);
  // Whenever the line is open anew: the server may have been started again, and knows nothing of a review that it was making.
  const socket = connect(`/games/${game.id}/live`, { message: hear, open: begin });
  await begin().catch((error) => {
    close();
    throw error;
  });
  return { close };

  function close() {
    closed = true;
    socket.close();
    view.close();
  }

  async function begin() {
    if (closed || asking || state.review || state.halt) return;
    asking = true;
    await ask().finally(() => (asking = false));
  }

  async function ask() {
    const now = await get(`/games/${game.id}/review`);
    if (now.review) return finished(now);
    if (now.state !== "none") return;
    if (!past.length) return halt(t("cause.game.no_moves"), false);
    await post(`/games/${game.id}/review`, {}).catch((error) => {
      // Somebody else has asked for it; or the server is gone, and it is asked when that is back.
      if (error.status === 409) return;
      if (!(error instanceof ApiError) || error.status === 0) throw error;
      halt(error.message, true);
    });
  }

  /** @param {string} why @param {boolean} again */
  function halt(why, again) {
    state.halt = { why, again };
    if (!closed) view.update(state);
  }

  async function again() {
    Object.assign(state, { halt: null, done: 0 });
    view.update(state);
    await begin();
  }

  /** @param {any} message */
  async function hear(message) {
    if (closed || state.review) return;
    const outcome = (message.game ?? message).position?.outcome;
    if (outcome && isPlayed(game)) return (await import("../app.js")).go(location.pathname, true);
    if (message.type !== "review") return;
    state.done = message.done;
    state.whole = message.whole;
    // It came to its end, and is not there.
    if (message.state === "none") return halt(t("review.failed"), true);
    view.update(state);
    if (message.state !== "done") return;
    const now = await get(`/games/${game.id}/review`);
    if (now.review) finished(now);
  }

  /** @param {import("../lib/types.js").ReviewState} found */
  function finished({ review, basis }) {
    if (closed || state.review) return;
    state.review = review;
    state.basis = basis;
    view.update(state);
    explain();
  }

  /** @param {number} ply @returns {Promise<PositionView>} */
  async function positionAt(ply) {
    const known = positions.get(ply) ?? (await get(`/games/${game.id}/position`, { ply }));
    positions.set(ply, known);
    return known;
  }

  /** Finds the better move's arrow for the move that is shown, unless it is still to be found by the person. */
  async function explain() {
    const { ply } = state;
    const judged = state.review?.moves.find((each) => each.ply === ply);
    state.best = null;
    if (!judged || judged.judgement === "good" || isHidden(judged)) return view.update(state);
    const before = await positionAt(ply - 1);
    if (state.ply !== ply || closed) return;
    state.best = before.moves.find(({ move }) => move === judged.best) ?? null;
    view.update(state);
  }

  /** @param {"first" | "back" | "next" | "last" | number} where */
  function to(where) {
    // A task stands before its move: one step on is that move.
    const here = state.task ? state.task.ply - 1 : state.ply;
    const targets = { first: 0, back: here - 1, next: here + 1, last: past.length };
    state.ply = Math.max(0, Math.min(past.length, typeof where === "number" ? where : targets[where]));
    state.task = null;
    state.best = null;
    keepPly();
    view.update(state);
    explain();
  }

  /** The address says which move is shown, for a reload and for others. */
  function keepPly() {
    history.replaceState(null, "", `/review/${game.id}${state.ply ? `?ply=${state.ply}` : ""}`);
  }

  /** @param {Judged} judged */
  function isHidden({ ply, mover }) {
    return isAsked(mover, state.side) && !state.told.has(ply);
  }

  function flip() {
    state.flip = !state.flip;
    view.update(state);
  }

  /** Puts the board before a mistake, for a better move. @param {number} ply */
  async function task(ply) {
    const from = state.ply;
    const at = await positionAt(ply - 1);
    if (closed || state.ply !== from) return;
    state.ply = ply;
    state.told.delete(ply);
    state.task = { ply, at, answer: null, good: false };
    state.best = null;
    keepPly();
    view.update(state);
  }

  /** The task on the next mistake after the move that is shown, or on the first one. */
  async function next() {
    const all = mistakes(state.review?.moves ?? [], state.side);
    const found = all.find(({ ply }) => ply > state.ply) ?? all[0];
    if (found) await task(found.ply);
  }

  /** Whose mistakes are asked about. Who is asked for the first time begins at once. @param {import("./review-task.js").Asked} side */
  async function side(side) {
    const first = state.side === null;
    state.side = side;
    keepSide(game.id, side);
    if (!first) return to(state.ply);
    if (side !== "both") state.flip = side === "white";
    to(0);
    await next();
  }

  /** @param {MoveView} move */
  async function tried(move) {
    const { task: now, review } = state;
    const judged = review?.moves.find((each) => each.ply === now?.ply);
    if (!now || !judged) return;
    const before = { fen: game.start_fen, moves: past.moves.slice(0, now.ply - 1).map((each) => each.move), rules: game.rules };
    view.judging();
    try {
      const same = move.move === judged.move;
      const loss = same ? judged.loss : await lossOf(before, now.at.turn, judged, review?.positions[now.ply - 1], move.move);
      if (state.task !== now || closed) return;
      const good = !same && isAsGood(loss);
      state.task = { ...now, answer: { move: move.move, loss }, good };
      if (good) reveal(now);
      view.update(state);
    } catch (error) {
      // Nothing is known about the move: it is put back, and the shell tells why.
      if (state.task === now) state.task = { ...now };
      if (!closed) view.update(state);
      throw error;
    }
  }

  /** From here on the better move may be seen. @param {Task} task */
  function reveal({ ply, at }) {
    const judged = state.review?.moves.find((each) => each.ply === ply);
    state.told.add(ply);
    state.best = at.moves.find(({ move }) => move === judged?.best) ?? null;
  }

  /** Gives up: the better move is shown, on the board where it was to be found. */
  async function show() {
    if (!state.task) await task(state.ply);
    const { task: now } = state;
    if (!now) return;
    reveal(now);
    state.task = { ...now, answer: null };
    view.update(state);
  }

  function leave() {
    to(state.task?.ply ?? state.ply);
  }
}

/** Whether two people are at it: until its end the engine helps neither. @param {import("../lib/types.js").GameView} game */
function isPlayed({ pair, position }) {
  return pair !== null && position.outcome === null;
}
