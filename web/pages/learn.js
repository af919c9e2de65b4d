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
 * @property {PositionView | null} position
 * @property {"open" | "wrong" | "onward" | "done"} told
 * @property {boolean[]} done
 */

/** @type {import("../app.js").Open} */
export async function open(root, id) {
  const done = read("sumito.learn", /** @type {boolean[]} */ ([]));
  const wanted = LESSONS.findIndex((_, i) => !done[i]);
  /** @type {State} */
  const state = { lesson: id ? Math.max(0, Math.min(LESSONS.length, Number(id)) - 1) : Math.max(0, wanted), goal: 0, position: null, told: "open", done };
  let closed = false;
  const view = learnView(root, { go, move, again: () => go(state.lesson) });
  await go(state.lesson);
  return {
    close() {
      closed = true;
      view.close();
    },
  };

  /** @param {number} lesson */
  async function go(lesson) {
    Object.assign(state, { lesson, goal: 0, told: "open" });
    history.replaceState(null, "", `/learn/${lesson + 1}`);
    await set();
  }

  /** Puts the lesson's first position on the board. */
  async function set() {
    const { black, white, score = 0 } = LESSONS[state.lesson];
    const marbles = { black: black.split(" "), white: white.split(" "), score: { black: score, white: 0 } };
    state.position = await position({ fen: toFen(marbles, "black") });
    if (!closed) view.update(state);
  }

  /** @param {MoveView} move */
  async function move(move) {
    const before = state.position;
    if (!before) return;
    const lesson = LESSONS[state.lesson];
    const goal = lesson.goals[state.goal];
    moveSound(move);
    // Shown at once; a second move has to wait for the server's word on this one.
    state.position = { ...before, ...play(before, move), last: move, moves: [], threatened: [] };
    view.update(state);
    const after = await position({ fen: before.fen, moves: [move.move] });
    const good = met(goal, move, after);
    // Black is to move again, in the same place, unless White has an answer.
    state.position = { ...after, moves: [] };
    state.told = good ? (state.goal + 1 < lesson.goals.length ? "onward" : "done") : "wrong";
    if (state.told === "done") finish();
    view.update(state);
    say(t(`learn.${state.told}`));
    if (state.told === "done" || closed) return;
    const { lesson: at } = state;
    await new Promise((wait) => setTimeout(wait, motion() ? 900 : 300));
    if (closed || state.lesson !== at) return;
    if (good) await onward(after, goal.reply);
    else await set();
  }

  /** @param {PositionView} after @param {string | undefined} reply */
  async function onward(after, reply) {
    state.goal += 1;
    if (reply) {
      const answer = await post("/positions", { fen: after.fen, moves: [reply] });
      state.position = answer.position;
    } else {
      const again = await position({ fen: toFen(after, "black") });
      state.position = { ...again, last: after.last };
    }
    if (!closed) view.update(state);
  }

  function finish() {
    state.done[state.lesson] = true;
    write("sumito.learn", state.done);
    endSound(true);
  }
}

/**
 * Whether a move does what a lesson asks for.
 * @param {import("./lessons.js").Goal} goal
 * @param {MoveView} move
 * @param {PositionView} after
 */
export function met(goal, move, after) {
  const { marbles, pushed, ejected } = move;
  if (goal.marbles !== undefined && goal.marbles !== marbles.length) return false;
  if (goal.side !== undefined && goal.side !== isBroadside(move)) return false;
  if (goal.pushed !== undefined && goal.pushed !== pushed.length) return false;
  if (goal.ejected !== undefined && goal.ejected !== (ejected !== null)) return false;
  if (goal.threatens !== undefined && after.threatened.filter((cell) => after.white.includes(cell)).length < goal.threatens) return false;
  if (goal.safe && after.threatened.some((cell) => after.black.includes(cell))) return false;
  return !goal.wins || after.outcome?.winner === "black";
}

/** Whether none of the marbles steps onto the place of another. @param {MoveView} move */
function isBroadside({ marbles, direction: towards }) {
  return marbles.length > 1 && !marbles.some((cell) => marbles.includes(step(cell, towards) ?? ""));
}
