// A game as the server tells it: the moves of both sides in their order, each shown when the one before has been seen.

import { get } from "../lib/api.js";
import { say } from "../lib/dom.js";
import { History } from "../lib/history.js";
import { t } from "../lib/i18n.js";
import { notify } from "../lib/notify.js";
import { motion } from "../lib/settings.js";
import { endSound, moveSound } from "../lib/sound.js";
import { announce } from "../lib/speak.js";
import { rate } from "./play-rating.js";
import { endOf } from "./play-words.js";

/** @typedef {import("./play.js").State} State */
/** @typedef {import("../lib/types.js").GameView} GameView */
/** @typedef {import("../lib/types.js").MoveView} MoveView */
/** @typedef {import("../lib/types.js").PositionView} PositionView */
/** @typedef {import("../lib/types.js").Color} Color */

/**
 * @typedef {object} Following
 * @property {() => void} update
 * @property {() => void} quiet drops what was said about the position before
 * @property {() => boolean} closed
 * @property {() => Color | null} mine the person's colour against an agent
 * @property {() => void} answer plays what was chosen ahead
 * @property {(game: GameView) => void} next the game after this one has begun
 * @property {(line: import("../lib/types.js").ChatLineView) => void} said somebody has said something
 * @property {() => void} gone the game was called off or deleted
 */

/** So long a move is seen before the next one begins. */
const PACE = 520;

/** @param {State} state @param {Following} page */
export function follow(state, page) {
  const { update } = page;
  let shownAt = 0;
  /** @type {Promise<void>} */
  let queue = Promise.resolve();
  return { hear, later, whole, reload, take, time, seen };

  /** Does something after all that came before. @param {() => unknown} what */
  function later(what) {
    queue = queue.then(what).then(() => {});
    return queue;
  }

  /** @param {any} message */
  function hear(message) {
    const id = state.game?.id;
    if (message.type === "move") later(() => arrive(message, id));
    else if (message.type === "game") later(() => whole(message.game));
    else if (message.type === "people") people(message);
    else if (message.type === "chat") page.said(message.line);
    else if (message.type === "deleted") page.gone();
    else if (message.type === "thinking" && state.thinking !== message.side) {
      state.thinking = message.side;
      update();
    }
  }

  /** Who is there, in a game between two people. @param {any} message */
  function people({ black, white, spectators, absent }) {
    if (!state.game?.pair) return;
    Object.assign(state.game.pair, { black, white, spectators, absent });
    state.absentAt = performance.now();
    update();
  }

  /** A move that was made by anyone in a game; shown when the one before has been seen. @param {any} message @param {string | undefined} id */
  async function arrive(message, id) {
    const { history } = state;
    if (page.closed() || !history || state.game?.id !== id) return;
    if (message.ply > history.length + 1) return reload();
    const news = message.ply === history.length + 1;
    if (news) {
      const wait = motion() ? shownAt + PACE - performance.now() : 0;
      if (wait > 0) await new Promise((done) => setTimeout(done, wait));
      // The game was read anew meanwhile, or the person has left it.
      if (state.history !== history) return arrive(message, id);
      const following = state.ply === history.length;
      history.add(message.move);
      if (following) state.ply = history.length;
      seen(message.move, history.turn(history.length - 1));
    }
    if (message.ply !== history.length) return;
    state.position = message.position;
    state.game?.moves.push(message.played);
    answered(history.turn(history.length - 1));
    state.thinking = message.thinking;
    time(message.clocks);
    update();
    ended(message.position);
    if (!news || page.mine() !== message.position.turn) return;
    if (state.game?.pair) notify(t("turn.you"), `/game/${id}`);
    page.answer();
  }

  /** A move is an answer to what was offered before it. @param {Color} mover */
  function answered(mover) {
    const { game } = state;
    if (game?.pair) Object.assign(game.pair, { takeback: null, absent: null });
    if (game && game.offer !== mover) game.offer = null;
  }

  /** The whole game anew: a takeback, an offer, the end. @param {GameView} game */
  async function whole(game) {
    const { history } = state;
    if (page.closed() || !history || game.id !== state.game?.id) return;
    const fresh = game.next !== state.game.next;
    const known = history.moves.map(({ move }) => move);
    const told = game.moves.map(({ move }) => move);
    const common = told.filter((move, i) => known[i] === move).length;
    if (common < told.length) return reload();
    // A move of ours is on its way still; it is not taken back by news that are older.
    if (state.waiting && told.length < known.length) {
      state.game = game;
      return update();
    }
    const following = state.ply === history.length;
    history.cut(told.length);
    state.ply = following ? history.length : Math.min(state.ply, history.length);
    const before = state.position;
    take(game);
    if (game.position.outcome) page.quiet();
    update();
    if (!before?.outcome) ended(game.position);
    if (fresh) page.next(game);
  }

  async function reload() {
    const game = state.game;
    if (!game) return;
    const [fresh, history] = await Promise.all([get(`/games/${game.id}`), History.of(game.id, game.start_fen)]);
    if (history.length !== fresh.moves.length || state.game?.id !== game.id) return;
    const news = history.length > (state.history?.length ?? 0);
    state.history = history;
    state.ply = history.length;
    state.waiting = false;
    take(fresh);
    if (news) seen(history.moves[history.length - 1], history.turn(history.length - 1));
    update();
    if (news) ended(fresh.position);
    if (news && page.mine() === fresh.position.turn) page.answer();
  }

  /** @param {GameView} game */
  function take(game) {
    state.game = game;
    state.position = game.position;
    state.thinking = game.thinking ?? null;
    state.absentAt = performance.now();
    time(game.clocks);
  }

  /** @param {import("../lib/types.js").ClocksView | null} clocks */
  function time(clocks) {
    state.clocks = clocks;
    state.clocksAt = performance.now();
  }

  /** @param {MoveView} made @param {Color} mover */
  function seen(made, mover) {
    shownAt = performance.now();
    page.quiet();
    moveSound(made);
    const told = announce(made, state.history?.boards[0] ?? { black: [], white: [], score: { black: 0, white: 0 } }, mover);
    const mine = page.mine();
    // One sentence for both, so that neither cuts the other short.
    say(mine && mine !== mover ? `${told}. ${t("turn.you")}` : told);
  }

  /** @param {PositionView} at */
  function ended(at) {
    if (!at.outcome) return;
    const { title, why, won } = endOf(state);
    say(`${title}. ${why}`);
    endSound(won);
    rate(state).then(() => !page.closed() && update());
  }
}
