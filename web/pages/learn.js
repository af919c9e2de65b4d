// Learn: the rules and three tactics, each solved on the board.

import { step } from "../board/geometry.js";
import { play, toFen } from "../board/replay.js";
import { position, post } from "../lib/api.js";
import { say } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { motion, read, write } from "../lib/settings.js";
import { endSound, moveSound } from "../lib/sound.js";
import { learnView } from "./learn-view.js";
import { LESSONS } from "./lessons.js";

/** @typedef {import("../lib/types.js").MoveView} MoveView */
/** @typedef {import("../lib/types.js").PositionView} PositionView */

/**
 * @typedef {object} State
 * @property {number} lesson
 * @property {number} goal
 * @property {PositionView | null} position what the board shows
 * @property {PositionView | null} start where the goal begins, to which a wrong move goes back
 * @property {"open" | "wrong" | "onward" | "done"} told
 * @property {boolean[]} done
 */

/** The lesson that was left, so that whoever comes back, or has chosen another language, goes on in it. @type {State | null} */
let left = null;

/** @type {import("../app.js").Open} */
export async function open(root, id) {
  const done = read("sumito.learn", /** @type {boolean[]} */ ([]));
  const wanted = LESSONS.findIndex((_, i) => !done[i]);
  /** @type {State} */
  const state = { lesson: id ? Math.max(0, Math.min(LESSONS.length, Number(id)) - 1) : Math.max(0, wanted), goal: 0, position: null, start: null, told: "open", done };
  let closed = false;
  /** Counts the lessons that were begun: what is known of an older one comes too late. */
  let turn = 0;
  const view = learnView(root, { go, move, again: () => go(state.lesson) });
  if (left?.lesson === state.lesson && left.start) comeBack(left);
  else await go(state.lesson);
  return {
    close() {
      closed = true;
      // Between two goals the first one is to be met again.
      left = state.told === "done" || state.told === "open" ? { ...state } : null;
      view.close();
    },
  };

  /** @param {State} before */
  function comeBack({ goal, position: at, start, told }) {
    Object.assign(state, { goal, position: told === "done" ? at : start, start, told });
    history.replaceState(null, "", `/learn/${state.lesson + 1}`);
    view.update(state);
  }

  /** @param {number} lesson */
  async function go(lesson) {
    const mine = ++turn;
    Object.assign(state, { lesson, goal: 0, told: "open" });
    history.replaceState(null, "", `/learn/${lesson + 1}`);
    const at = await first(LESSONS[lesson]);
    if (mine !== turn || closed) return;
    begin(at);
    // Board and task are on top, wherever on the page the lesson was chosen.
    window.scrollTo(0, 0);
  }

  /** @param {PositionView} at */
  function begin(at) {
    state.position = state.start = at;
    if (!closed) view.update(state);
  }

  /** @param {MoveView} move */
  async function move(move) {
    const before = state.position;
    if (!before) return;
    const mine = turn;
    moveSound(move);
    // Shown at once; a second move has to wait for the server's word on this one.
    state.position = { ...before, ...play(before, move), last: move, moves: [], threatened: [] };
    view.update(state);
    try {
      await judge(move, before, () => !closed && mine === turn);
    } catch (error) {
      // Without that word it is put back, to be made again.
      Object.assign(state, mine === turn ? { position: before, told: "open" } : {});
      if (!closed) view.update(state);
      throw error;
    }
  }

  /** @param {MoveView} move @param {PositionView} before @param {() => boolean} here whether it is still the same lesson */
  async function judge(move, before, here) {
    const lesson = LESSONS[state.lesson];
    const goal = state.goal;
    const after = await position({ fen: before.fen, moves: [move.move] });
    if (!here()) return;
    const good = met(lesson.goals[goal], move, after);
    // Black is to move again, in the same place, unless White has an answer.
    state.position = { ...after, moves: [] };
    state.told = good ? (goal + 1 < lesson.goals.length ? "onward" : "done") : "wrong";
    if (state.told === "done") finish();
    view.update(state);
    say(t(`learn.${state.told}`));
    if (state.told === "done") return;
    await new Promise((wait) => setTimeout(wait, motion() ? 900 : 300));
    if (!here()) return;
    const next = good ? await onward(lesson, goal, after) : state.start;
    if (!here() || !next) return;
    if (good) state.goal += 1;
    begin(next);
  }

  function finish() {
    state.done[state.lesson] = true;
    write("sumito.learn", state.done);
    endSound(true);
  }
}

/** Where a lesson begins. @param {import("./lessons.js").Lesson} lesson */
export function first({ black, white, score = 0 }) {
  const marbles = { black: black.split(" "), white: white.split(" "), score: { black: score, white: 0 } };
  return position({ fen: toFen(marbles, "black") });
}

/**
 * Where the next goal begins after one is met: in the same place, if it can be met from there, or else where the lesson began.
 * @param {import("./lessons.js").Lesson} lesson
 * @param {number} goal the one that is met
 * @param {PositionView} after
 * @returns {Promise<PositionView>}
 */
export async function onward(lesson, goal, after) {
  const { reply } = lesson.goals[goal];
  if (reply) return (await post("/positions", { fen: after.fen, moves: [reply] })).position;
  const again = await position({ fen: toFen(after, "black") });
  const possible = again.moves.some((move) => shaped(lesson.goals[goal + 1], move));
  return possible ? { ...again, last: after.last } : first(lesson);
}

/**
 * Whether a move does what a lesson asks for.
 * @param {import("./lessons.js").Goal} goal
 * @param {MoveView} move
 * @param {PositionView} after
 */
export function met(goal, move, after) {
  if (!shaped(goal, move)) return false;
  if (goal.threatens !== undefined && after.threatened.filter((cell) => after.white.includes(cell)).length < goal.threatens) return false;
  if (goal.safe && after.threatened.some((cell) => after.black.includes(cell))) return false;
  return !goal.wins || after.outcome?.winner === "black";
}

/** Whether a move is of the kind that a goal asks for, whatever it leads to. @param {import("./lessons.js").Goal} goal @param {MoveView} move */
function shaped(goal, move) {
  const { marbles, pushed, ejected } = move;
  if (goal.marbles !== undefined && goal.marbles !== marbles.length) return false;
  if (goal.side !== undefined && goal.side !== isBroadside(move)) return false;
  if (goal.pushed !== undefined && goal.pushed !== pushed.length) return false;
  return goal.ejected === undefined || goal.ejected === (ejected !== null);
}

/** Whether none of the marbles steps onto the place of another. @param {MoveView} move */
function isBroadside({ marbles, direction: towards }) {
  return marbles.length > 1 && !marbles.some((cell) => marbles.includes(step(cell, towards) ?? ""));
}
