// Watch: any two agents against each other, with what both of them think.

import { get, meta, post } from "../lib/api.js";
import { say } from "../lib/dom.js";
import { History } from "../lib/history.js";
import { keepKey, keyOf } from "../lib/keys.js";
import { motion, read, write } from "../lib/settings.js";
import { connect } from "../lib/socket.js";
import { moveSound } from "../lib/sound.js";
import { announce } from "../lib/speak.js";
import { watchView } from "./watch-view.js";

/** @typedef {import("../lib/types.js").GameView} GameView */
/** @typedef {import("../lib/types.js").Color} Color */

/**
 * What an agent thinks.
 * @typedef {{depth: number, nodes: number, nps: number, score: import("../lib/types.js").ScoreView | null, line: string[]}} Thought
 */

/**
 * @typedef {object} State
 * @property {import("../lib/types.js").Meta} meta
 * @property {{black: string, white: string, layout: string, think_ms: number, white_think_ms: number, delay_ms: number}} wish
 * @property {GameView | null} game
 * @property {boolean} mine whether this browser may pause it
 * @property {History | null} history
 * @property {number} ply
 * @property {boolean} flip
 * @property {{black: Thought | null, white: Thought | null}} thoughts
 * @property {(number | undefined)[]} shares what Black can expect after each ply, as agents told that know
 */

const WISH = { black: "sumito:level=8", white: "aba-pro", layout: "belgian-daisy", think_ms: 500, white_think_ms: 500, delay_ms: 700 };

/** @type {import("../app.js").Open} */
export async function open(root, id, query) {
  /** @type {State} */
  const state = {
    meta: await meta(),
    wish: { ...WISH, ...read("sumito.watch", {}) },
    game: null,
    mine: false,
    history: null,
    ply: 0,
    flip: false,
    thoughts: { black: null, white: null },
    shares: [],
  };
  /** @type {ReturnType<typeof connect> | null} */
  let socket = null;
  let closed = false;
  let shownAt = 0;
  /** @type {Promise<void>} */
  let queue = Promise.resolve();
  const view = watchView(root, state, { start, control, to, flip, stop });
  if (id) await follow(id);
  if (query.has("ply")) to(Number(query.get("ply")) || 0);
  view.update(state);
  return {
    close() {
      closed = true;
      socket?.close();
      view.close();
    },
  };

  /** @param {State["wish"]} wish */
  async function start(wish) {
    state.wish = wish;
    write("sumito.watch", wish);
    const { black, white, layout, think_ms, white_think_ms, delay_ms } = wish;
    const { key, game } = await post("/games", {
      layout,
      think_ms,
      white_think_ms,
      delay_ms,
      black: { kind: "agent", spec: black },
      white: { kind: "agent", spec: white },
    });
    keepKey(game.id, key);
    history.replaceState(null, "", `/watch/${game.id}`);
    await follow(game.id);
    // The buttons of a game that runs are where the board is.
    scrollTo(0, 0);
  }

  /** @param {string} game */
  async function follow(game) {
    const known = await get(`/games/${game}`);
    state.history = await History.of(game, known.start_fen);
    state.game = known;
    state.mine = keyOf(game) !== null;
    state.ply = state.history.length;
    state.thoughts = { black: null, white: null };
    state.shares = [];
    view.update(state);
    socket?.close();
    socket = connect(`/games/${game}/live`, {
      message: (message) => {
        queue = queue.then(() => hear(message));
      },
    });
  }

  /** @param {any} message */
  async function hear(message) {
    const { history: past, game } = state;
    if (closed || !past || !game) return;
    if (message.type === "thinking") {
      state.thoughts[/** @type {Color} */ (message.side)] = message;
      if (message.black !== null) state.shares[message.ply] = message.black;
    } else if (message.type === "game") {
      state.game = message.game;
      if (message.game.moves.length !== past.length) await reload(game.id);
    } else if (message.type === "move") {
      if (message.ply > past.length + 1) await reload(game.id);
      else if (message.ply === past.length + 1) await arrive(message, past);
      if (game.moves.length + 1 === message.ply) game.moves.push(message.played);
      game.position = message.position;
    }
    view.update(state);
  }

  /** @param {any} message @param {History} past */
  async function arrive(message, past) {
    const wait = motion() ? shownAt + 300 - performance.now() : 0;
    if (wait > 0) await new Promise((done) => setTimeout(done, wait));
    const following = state.ply === past.length;
    past.add(message.move);
    // The move is the one that was thought best: what was to be expected before it is so after it.
    state.shares[past.length] ??= state.shares[past.length - 1];
    if (following) state.ply = past.length;
    shownAt = performance.now();
    moveSound(message.move);
    say(announce(message.move, past.boards[0], past.turn(past.length - 1)));
  }

  /** @param {string} game */
  async function reload(game) {
    const [fresh, past] = await Promise.all([get(`/games/${game}`), History.of(game, state.history?.start ?? "")]);
    state.game = fresh;
    state.history = past;
    state.ply = past.length;
  }

  /** @param {object} wish such as `{paused: true}` */
  async function control(wish) {
    const { game } = state;
    if (!game) return;
    state.game = await post(`/games/${game.id}/control`, wish, keyOf(game.id));
    view.update(state);
  }

  /** Back to the choice of agents. */
  function stop() {
    const { game } = state;
    if (game && state.mine && !game.position.outcome) control({ paused: true }).catch(() => {});
    socket?.close();
    socket = null;
    state.game = state.history = null;
    history.pushState(null, "", "/watch");
    view.update(state);
  }

  function flip() {
    state.flip = !state.flip;
    view.update(state);
  }

  /** @param {"first" | "back" | "next" | "last" | number} where */
  function to(where) {
    const whole = state.history?.length ?? 0;
    const targets = { first: 0, back: state.ply - 1, next: state.ply + 1, last: whole };
    state.ply = Math.max(0, Math.min(whole, typeof where === "number" ? where : targets[where]));
    if (state.game) history.replaceState(null, "", `/watch/${state.game.id}${state.ply < whole ? `?ply=${state.ply}` : ""}`);
    view.update(state);
  }
}
