// Why a choice leads to no move, as a cause that a person can be told. The legal moves decide what can be played; here is
// only looked at what lies around the marbles that were chosen.

import { DIRECTIONS, OPPOSITE, step } from "./geometry.js";

/** @typedef {import("./types.js").Direction} Direction */
/** @typedef {import("./types.js").Reason} Reason */
/** @typedef {{own: string[], foe: string[]}} Around */

/**
 * Why these marbles cannot move at all: the cause that is nearest to a move comes first.
 * @param {string[]} chosen marbles in one line
 * @param {Around} around
 * @returns {Reason}
 */
export function whyStill(chosen, around) {
  const found = DIRECTIONS.map((towards) => obstacle(chosen, towards, around));
  const pushes = found.filter((each) => each?.cause === "outnumbered").sort((a, b) => (a?.theirs ?? 0) - (b?.theirs ?? 0));
  /** @param {Reason["cause"]} cause */
  const first = (cause) => found.find((each) => each?.cause === cause);
  if (found.includes(null)) return { cause: "rules" };
  // Between marbles of both sides neither is the cause.
  if (chosen.length === 1 && pushes.length && first("own")) return { cause: "taken" };
  return first("blocked") ?? pushes[0] ?? first("three") ?? first("own") ?? { cause: "taken" };
}

/**
 * Why these marbles cannot go to a cell, or push the marble on it.
 * @param {string[]} chosen marbles in one line
 * @param {string} target no marble of one's own
 * @param {Around} around
 * @returns {Reason}
 */
export function whyNotThere(chosen, target, around) {
  for (const towards of DIRECTIONS) {
    if (!isAlong(chosen, towards)) continue;
    const line = extended(chosen, towards, around.own);
    if (!ahead(line, towards, around.foe).includes(target)) continue;
    return line.length > 3 ? { cause: "three" } : (obstacle(line, towards, around) ?? { cause: "rules" });
  }
  const sideways = DIRECTIONS.filter((towards) => !isAlong(chosen, towards) && chosen.some((cell) => step(cell, towards) === target));
  if (!sideways.length) return { cause: "far" };
  if (around.foe.includes(target)) return { cause: "sideways" };
  return { cause: sideways.some((towards) => !obstacle(chosen, towards, around)) ? "rules" : "narrow" };
}

/**
 * Why one more marble does not make a line with those that were chosen.
 * @param {string[]} chosen marbles in one line
 * @param {string} cell
 * @param {string[]} own
 * @returns {Reason}
 */
export function whyNotJoined(chosen, cell, own) {
  for (const towards of DIRECTIONS) {
    if (!isAlong(chosen, towards)) continue;
    const between = [];
    for (let at = step(frontOf(chosen, towards), towards); at && at !== cell; at = step(at, towards)) between.push(at);
    const last = between.length ? between[between.length - 1] : frontOf(chosen, towards);
    if (step(last, towards) !== cell) continue;
    return { cause: between.every((at) => own.includes(at)) ? "three" : "gap" };
  }
  return { cause: "line" };
}

/**
 * What stops these marbles in a direction; `null` if nothing does.
 * @param {string[]} chosen
 * @param {Direction} towards
 * @param {Around} around
 * @returns {Reason | null}
 */
export function obstacle(chosen, towards, { own, foe }) {
  if (!isAlong(chosen, towards)) {
    const free = chosen.every((cell) => {
      const to = step(cell, towards);
      return to && !own.includes(to) && !foe.includes(to);
    });
    return free ? null : { cause: "narrow" };
  }
  const next = step(frontOf(chosen, towards), towards);
  if (!next) return { cause: "edge" };
  if (own.includes(next)) return { cause: chosen.length === 3 ? "three" : "own" };
  if (!foe.includes(next)) return null;
  const theirs = ahead(chosen, towards, foe);
  if (theirs.length >= chosen.length) return { cause: "outnumbered", ours: chosen.length, theirs: theirs.length };
  const behind = step(theirs[theirs.length - 1], towards);
  return behind && own.includes(behind) ? { cause: "blocked" } : null;
}

/** Whether a direction is that of the line; a single marble lies in all of them. @param {string[]} chosen @param {Direction} towards */
export function isAlong(chosen, towards) {
  return chosen.length === 1 || chosen.some((cell) => chosen.includes(step(cell, towards) ?? ""));
}

/** The foremost of marbles in one line. @param {string[]} chosen @param {Direction} towards */
export function frontOf(chosen, towards) {
  return /** @type {string} */ (chosen.find((cell) => !chosen.includes(step(cell, towards) ?? "")));
}

/** The hindmost. @param {string[]} chosen @param {Direction} towards */
export function rearOf(chosen, towards) {
  return frontOf(chosen, OPPOSITE[towards]);
}

/** The line with all of one's own marbles in front of it. @param {string[]} chosen @param {Direction} towards @param {string[]} own */
function extended(chosen, towards, own) {
  const line = [...chosen];
  let next = step(frontOf(chosen, towards), towards);
  while (next && own.includes(next)) {
    line.push(next);
    next = step(next, towards);
  }
  return line;
}

/** The cell in front of a line, and all further ones if the other side's marbles stand there in a row. @param {string[]} line @param {Direction} towards @param {string[]} foe */
function ahead(line, towards, foe) {
  const next = step(frontOf(line, towards), towards);
  if (!next) return [];
  const cells = [next];
  for (let at = foe.includes(next) ? step(next, towards) : null; at && foe.includes(at); at = step(at, towards)) cells.push(at);
  return cells;
}
