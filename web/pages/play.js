// Play: a board that is ready, then a game against a level, an agent or a second person; also any game by its link.

import { other, play } from "../board/replay.js";
import { leftHere } from "../lib/adapt.js";
import { rightTo } from "../lib/account.js";
import { ApiError, get, meta, position, post } from "../lib/api.js";
import { say, toast } from "../lib/dom.js";
import { History } from "../lib/history.js";
import { t } from "../lib/i18n.js";
import { begun, keep, keepSeat, keepSetup, keepTimed, setup, timed } from "../lib/keys.js";
import { back } from "../lib/line.js";
import { help } from "../lib/rating.js";
import { mineIn } from "../lib/seat.js";
import { current } from "../lib/settings.js";
import { connect } from "../lib/socket.js";
import { aheadOf } from "./play-ahead.js";
import { freeSeat } from "../parts/friend.js";
import { mayBegin } from "../parts/running.js";
import { friendOf } from "./play-friend.js";
import { follow } from "./play-live.js";
import { rate } from "./play-rating.js";
import { agentOf, clockOf, isAlone, seatsOf } from "./play-seats.js";
import { playView } from "./play-view.js";
import { pathOf } from "./play-words.js";

/** @typedef {import("../lib/types.js").GameView} GameView */
/** @typedef {import("../lib/types.js").MoveView} MoveView */
/** @typedef {import("../lib/types.js").PositionView} PositionView */
/** @typedef {import("../lib/types.js").Color} Color */
/** @typedef {import("../lib/keys.js").Setup} Setup */

/**
 * @typedef {object} State
 * @property {Setup} setup
 * @property {import("../lib/types.js").Meta | null} meta
 * @property {GameView | null} game
 * @property {string | null} key
 * @property {History | null} history none while a new board is fetched
 * @property {number} ply the one that is shown
 * @property {PositionView | null} position the last one of the game
 * @property {boolean} flip
 * @property {boolean} waiting for the server's answer to a move
 * @property {Color | null} thinking
 * @property {import("../lib/types.js").ClocksView | null} clocks
 * @property {number} clocksAt when the clocks were told
 * @property {number} absentAt when it was told who has gone
 * @property {import("../lib/adapt.js").Left} left the games to come back to
 * @property {boolean} lost whether the line to the server is down
 * @property {boolean} asked whether the agent that begins is looking for its first move
 * @property {string | null} note what is said in the place of whose turn it is
 * @property {MoveView | null} hinted a move that the engine advises, to be played with one tap
 * @property {MoveView | null} pending a move by finger that is to be confirmed
 * @property {PositionView | null} ahead what the person could do if it were their turn, to choose a move ahead
 * @property {MoveView | null} premove the move chosen ahead
 * @property {ReturnType<typeof import("../lib/rating.js").count>["rated"]} rated what the game did to the person's rating
 * @property {boolean} helped whether the game does not count for it
 */

/** @type {import("../lib/adapt.js").Left} */
const NONE = { open: null, lapsed: null, told: 0 };

/** @type {import("../app.js").Open} */
export async function open(root, id, query) {
  /** @type {State} */
  const state = {
    setup: setup(),
    meta: null,
    game: null,
    key: null,
    history: null,
    ply: 0,
    position: null,
    flip: false,
    waiting: false,
    thinking: null,
    clocks: null,
    clocksAt: 0,
    absentAt: 0,
    left: NONE,
    lost: false,
    asked: false,
    note: null,
    hinted: null,
    pending: null,
    ahead: null,
    premove: null,
    rated: null,
    helped: false,
  };
  /** @type {ReturnType<typeof connect> | null} */
  let socket = null;
  let closed = false;
  let color = chosenColor();

  const view = playView(root, {
    change,
    start: async () => (await mayBegin()) && start(),
    move: chosen,
    confirm,
    drop: () => ahead.drop(),
    select: (cells) => ahead.chosen(cells),
    typed,
    to,
    flip,
    takeback,
    resign: () => act("resign"),
    draw,
    rematch,
    nextLevel,
    hint,
    again: abandon,
    lapse: comeBack,
    join: async () => (await mayBegin()) && friend.join(),
    abort: () => friend.abort(),
    agree: (kind) => friend.agree(kind),
    decline: (kind) => friend.decline(kind),
    claim: (result) => act("claim", { result }),
  });
  const { hear, later, whole, reload, take, time, seen } = follow(state, { update, quiet, closed: () => closed, mine, answer: () => ahead.play(), next: (game) => friend.follow(game), said: (line) => view.said(line), gone });
  const friend = friendOf(state, { mine, begin, act, reload, leave: again });
  const ahead = aheadOf(state, { mine: waiter, update, move });
  const ticking = setInterval(() => view.clocks(state), 100);
  meta().then((known) => {
    state.meta = known;
    if (!closed) update();
  });
  if (id) await resume(id, query.get("ply"));
  else await fresh();
  if (!id) comeBack();

  return {
    close() {
      closed = true;
      if (location.pathname !== `/game/${state.game?.id}`) warn();
      clearInterval(ticking);
      ahead.close();
      socket?.close();
      view.close();
    },
  };

  function update() {
    ahead.look();
    remember();
    view.update(state, player());
  }

  /** Keeps which game goes on by its clock, until its end is seen. */
  function remember() {
    const { game, key, position: at } = state;
    if (!game?.clock || key === null) return;
    const runs = !at?.outcome;
    if (timed().includes(game.id) !== runs) keepTimed(game.id, runs);
  }

  /** Whoever leaves a game hears that its clock does not wait. */
  function warn() {
    if (state.key !== null && state.clocks?.running && !state.position?.outcome) toast(t("clock.away"), "note");
  }

  /** Whose marbles may be moved here now. */
  function player() {
    const { game, history, position: at } = state;
    if (!at || at.outcome || state.waiting || !history || state.ply < history.length) return "";
    if (!game) return state.setup.opponent === "human" ? "both" : isAlone(state.setup) && color === at.turn ? at.turn : "";
    if (game.pair) return !freeSeat(game) && mine() === at.turn ? at.turn : "";
    return state.key !== null && game[at.turn].kind === "human" ? at.turn : "";
  }

  /** The person's colour against an agent or a friend elsewhere. */
  function mine() {
    if (state.game) return mineIn(state.game, state.key);
    return state.setup.opponent === "human" ? null : color;
  }

  /** Who may choose moves ahead: the person in a game that is on, or that their first move begins. */
  function waiter() {
    if (state.game) return freeSeat(state.game) ? null : mine();
    return state.waiting && isAlone(state.setup) ? color : null;
  }

  /** @returns {Color} */
  function chosenColor() {
    const wanted = state.setup.color;
    return wanted === "random" ? (Math.random() < 0.5 ? "black" : "white") : wanted;
  }

  /** Whether it is still the same turn, when an answer comes: the server may have told the same position anew meanwhile. */
  function here() {
    const { history } = state;
    const ply = history?.length;
    return () => !closed && state.history === history && history?.length === ply;
  }

  /** Nothing is said or shown any more that was about the position before. */
  function quiet() {
    Object.assign(state, { note: null, hinted: null, pending: null, ahead: null });
  }

  /** A new board, ready to move on. @param {Color} [next] */
  async function fresh(next = chosenColor()) {
    color = next;
    state.flip = state.setup.opponent !== "human" && color === "white";
    Object.assign(state, { game: null, key: null, history: null, ply: 0, waiting: false, thinking: null, clocks: null, asked: false, premove: null, rated: null, helped: false });
    quiet();
    // Until the new board is there, nobody moves on the old one.
    if (state.position) update();
    const { layout, rules } = state.setup;
    let at;
    try {
      at = await position({ layout, rules });
    } catch (error) {
      if (layout === "belgian-daisy") throw error;
      return change({ layout: "belgian-daisy", rules: "official" });
    }
    // Another board was wished for meanwhile, or a game has begun.
    if (closed || state.history || state.setup.layout !== layout || state.setup.rules !== rules) return;
    Object.assign(state, { position: at, history: new History(at.fen) });
    update();
    if (isAlone(state.setup) && color !== at.turn) opening(at);
  }

  /** An agent that begins shows its first move at once; the game is stored with the person's answer. @param {PositionView} at */
  async function opening(at) {
    const { layout, rules } = state.setup;
    state.asked = true;
    update();
    try {
      // No two games begin alike.
      const seed = Math.floor(Math.random() * 2 ** 31);
      const { move: first } = await get("/opinion", { agent: agentOf(state.setup), fen: at.fen, time_ms: 500, seed });
      const after = first && (await position({ layout, rules, moves: [first.move] }));
      if (closed || state.position !== at || state.game || !after) return;
      state.history?.add(first);
      Object.assign(state, { ply: 1, position: after });
      seen(first, at.turn);
    } catch {
      // An agent that gives no opinions begins when the person says so.
    } finally {
      state.asked = false;
      if (!closed) update();
    }
  }

  /** @param {Partial<Setup>} wish */
  async function change(wish) {
    const before = state.setup;
    state.setup = { ...before, ...wish };
    keepSetup(state.setup);
    const board = ["layout", "rules", "color", "opponent"].some((name) => name in wish);
    const begun = ["level", "spec"].some((name) => name in wish) && color === "white";
    // With a game that is on, or about to be, the wish is for the next one.
    if (state.game || state.waiting || !(board || begun)) update();
    else if ("color" in wish) await fresh();
    else await fresh(color);
  }

  /** Goes on with a stored game. @param {string} game @param {string | null} ply the one to look at, if it is not the last */
  async function resume(game, ply) {
    // A game that was seen to end, or that began long ago, does not count again.
    const recent = begun().includes(game);
    /** @type {GameView} */
    const known = await get(`/games/${game}`);
    state.key = await rightTo(known);
    // A seat of an account: the game is one to come back to like those that were begun here.
    if (state.key === "" && !known.position.outcome) keep(game, null);
    state.history = await History.of(game, known.start_fen);
    take(known);
    state.ply = state.history.length;
    state.flip = turned(known);
    if (known.position.outcome) await rate(state, recent);
    if (ply === null) update();
    else to(Number(ply) || 0);
    listen(game);
  }

  /** Shows on the start page which games there are to come back to. */
  async function comeBack() {
    const left = await leftHere();
    if (closed || state.game) return;
    state.left = left;
    update();
  }

  /** @param {string} game */
  function listen(game) {
    socket?.close();
    socket = connect(`/games/${game}/live`, {
      message: hear,
      open: () => {
        lost(false);
        // Who sits here is there: the other side is told.
        if (state.game?.pair && state.key !== null) socket?.send({ type: "seat", id: 0, key: state.key });
        view.reread();
      },
      lost: () => {
        if (!state.lost) look(game);
        lost(true);
      },
    });
  }

  /** Whether the game is still there: one that was deleted is not waited for. @param {string} game */
  async function look(game) {
    const error = await get(`/games/${game}`).then(() => null, (/** @type {ApiError} */ why) => why);
    if (error?.status === 404 && state.game?.id === game) gone();
  }

  /** The game was deleted: its page says so, as to whoever opens it now. One between two people that had not ended was called off. */
  async function gone() {
    socket?.close();
    if (closed) return;
    if (state.game?.pair && !state.position?.outcome) return friend.gone();
    (await import("../app.js")).go(location.pathname, true);
  }

  /** @param {boolean} down */
  function lost(down) {
    if (down === state.lost) return;
    state.lost = down;
    update();
  }

  /** A move chosen on the board; one by finger is confirmed first if the person wants that. @param {MoveView} made @param {boolean} touched */
  function chosen(made, touched) {
    if (!player()) return ahead.choose(made);
    if (!touched || !current().confirm) return move(made);
    quiet();
    state.pending = made;
    update();
  }

  /** @param {boolean} yes */
  function confirm(yes) {
    const made = state.pending ?? state.hinted;
    quiet();
    if (made && yes && player()) move(made);
    else update();
  }

  /** Shown at once, then sent. @param {MoveView} made */
  async function move(made) {
    const { history, position: at, game } = state;
    if (!history || !at) return;
    const still = here();
    const may = game ? true : mayBegin();
    if (may !== true && !((await may) && still())) return;
    const ply = history.length;
    history.add(made);
    state.ply = history.length;
    state.waiting = true;
    state.position = { ...at, ...play(at, made), last: made, moves: [], threatened: [], turn: history.turn(history.length) };
    seen(made, at.turn);
    update();
    try {
      if (game) {
        const answer = await send(game, { move: made.move, ply });
        later(() => state.game?.id === game.id && acknowledged(answer));
      } else {
        await start();
      }
    } catch (error) {
      if (state.history === history) refused(/** @type {ApiError} */ (error), ply, at);
    }
  }

  /**
   * Over the line by which the game is followed, where the new position comes before the acknowledgement; by a request if it is down.
   * A move that got no answer may have been played: it stays on the board until the server can say, and is sent again if it was not.
   * @param {GameView} game @param {{move: string, ply: number}} made
   */
  async function send(game, made) {
    for (let again = false; ; again = true) {
      try {
        const asked = socket?.ask({ type: "move", ...made, key: state.key });
        return await (asked ? asked.then(() => null) : post(`/games/${game.id}/moves`, made, state.key));
      } catch (error) {
        const { code, kind } = /** @type {ApiError} */ (error);
        if (code !== "offline" && !(again && kind === "conflict")) throw error;
        await back();
        const { moves } = await get(`/games/${game.id}`);
        if (moves[made.ply]?.move === made.move) {
          await later(reload);
          return null;
        }
        if (moves.length !== made.ply) throw error;
      }
    }
  }

  /** @param {import("../lib/types.js").MoveAck | null} answer nothing if it was told before */
  function acknowledged(answer) {
    state.waiting = false;
    if (answer && answer.ply === state.history?.length) {
      state.position = answer.position;
      time(answer.clocks);
    }
    update();
  }

  /** Puts the move back; the server's word counts. @param {ApiError} error @param {number} ply @param {PositionView} before */
  function refused(error, ply, before) {
    state.history?.cut(ply);
    Object.assign(state, { ply, position: before, waiting: false, premove: null });
    update();
    toast(error.message);
    if (["conflict", "over"].includes(error.kind)) reload();
  }

  /** A move in any notation; whether it is one. @param {string} text */
  async function typed(text) {
    const { position: at } = state;
    const still = here();
    if (!at || !player()) {
      toast(t("typed.wait"), "note");
      return false;
    }
    let found = at.moves.find((each) => each.move === text.toLowerCase());
    try {
      found ??= (await post("/positions", { fen: at.fen, moves: [text], rules: state.setup.rules })).line[0].move;
    } catch (error) {
      toast(/** @type {ApiError} */ (error).message);
      return false;
    }
    if (found && still() && player()) move(found);
    return true;
  }

  /** Begins the game with what was moved on the board already. */
  async function start() {
    const { setup: chosen } = state;
    const moves = state.history?.moves.map(({ move }) => move) ?? [];
    begin(await post("/games", { layout: chosen.layout, rules: chosen.rules, ...seatsOf(chosen, color), clock: clockOf(chosen), moves }));
  }

  /** Whether White is below. @param {GameView} game */
  function turned(game) {
    if (game.pair) return (mineIn(game, state.key) ?? freeSeat(game)) === "white";
    return game.white.kind === "human" && game.black.kind !== "human";
  }

  /** @param {import("../lib/types.js").NewGame} answer */
  function begin({ key, color: seat, game }) {
    keep(game.id, key || null);
    if (seat) keepSeat(game.id, seat);
    // What was chosen ahead while the first move began this game is for it.
    if (state.game) state.premove = null;
    Object.assign(state, { key: key ?? "", waiting: false, left: NONE, rated: null, helped: false });
    quiet();
    if (state.history?.length !== game.moves.length) {
      state.history = new History(game.start_fen);
      state.ply = 0;
    }
    // Back from a rematch leads to the game before it.
    const way = state.game && state.game.id !== game.id ? "pushState" : "replaceState";
    take(game);
    if (seat) state.flip = turned(game);
    history[way](null, "", `/game/${game.id}`);
    update();
    listen(game.id);
  }

  /** @param {string} what @param {object} [body] */
  async function act(what, body = {}) {
    const { game } = state;
    if (!game) return;
    const answer = await post(`/games/${game.id}/${what}`, body, state.key);
    await later(() => {
      state.waiting = false;
      return whole(answer);
    });
    return answer;
  }

  async function takeback() {
    if (state.game && !state.game.pair) help(state.game.id);
    state.premove = null;
    quiet();
    await act("takeback");
  }

  async function draw() {
    const { game } = state;
    const both = game?.black.kind === "human" && game.white.kind === "human" && !game.pair;
    // Two people share the button: who did not offer accepts.
    const answer = await act("draw", both && game?.offer ? { color: other(game.offer) } : {});
    if (answer && !answer.offer && !answer.position.outcome && !both && !answer.pair) toast(t("draw.declined"), "note");
  }

  async function rematch() {
    const { game } = state;
    if (!game || !(await mayBegin())) return;
    if (game.pair) return friend.rematch();
    // It has begun already, here or in another window: there is one.
    const { next } = await get(`/games/${game.id}`);
    if (next) return (await import("../app.js")).go(`/game/${next}`);
    const answer = await post(`/games/${game.id}/rematch`, {}, state.key);
    state.history = new History(answer.game.start_fen);
    state.ply = 0;
    state.flip = turned(answer.game);
    begin(answer);
    if (answer.game.moves.length) await reload();
  }

  async function hint() {
    const { game, position: at } = state;
    const still = here();
    if (!at || !player()) return;
    const path = game ? `/games/${game.id}/hint` : null;
    view.hinting(true);
    if (game) help(game.id);
    try {
      const { move: best } = path ? await post(path, {}, state.key) : await get("/opinion", { agent: "sumito", fen: at.fen, time_ms: 500 });
      if (still() && best) {
        quiet();
        Object.assign(state, { hinted: best, note: t("hint.text", { move: best.move }) });
        say(state.note ?? "");
      }
    } finally {
      view.hinting(false);
      update();
    }
  }

  /** @param {number} level */
  async function nextLevel(level) {
    state.setup = { ...state.setup, opponent: "level", level };
    keepSetup(state.setup);
    await again();
  }

  async function abandon() {
    warn();
    await again();
  }

  /** Back to a board on which nothing was played. */
  async function again() {
    socket?.close();
    socket = null;
    history.pushState(null, "", "/");
    await fresh();
    comeBack();
  }

  function flip() {
    state.flip = !state.flip;
    update();
  }

  /** @param {"first" | "back" | "next" | "last" | number} where */
  function to(where) {
    const whole = state.history?.length ?? 0;
    const targets = { first: 0, back: state.ply - 1, next: state.ply + 1, last: whole };
    const ply = typeof where === "number" ? where : targets[where];
    state.ply = Math.max(0, Math.min(whole, ply));
    if (state.game) history.replaceState(null, "", pathOf(state));
    quiet();
    update();
  }
}
