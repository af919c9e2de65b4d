// A person's own rating against the levels, by Elo's formula, kept in this browser alone.

import { read, write } from "./settings.js";

/** @typedef {{id: string, level: number, score: number, rating: number}} Rated a game with the rating after it; the score is 1, 0.5 or 0 */
/** @typedef {{games: Rated[], helped: string[]}} Record */

const KEY = "sumito.rating";
const KEPT = 200;
/** Where somebody begins who loses to a strong level at once: between levels 2 and 3, which beginners play. */
const FIRST = 1000;
/** How far a game moves the rating: far while little is known. Guessed, as federations do it. */
const STEPS = [
  { games: 5, step: 80 },
  { games: 20, step: 40 },
  { games: Infinity, step: 20 },
];

/** The score that one can expect against an opponent. @param {number} rating @param {number} opponent */
export function expected(rating, opponent) {
  return 1 / (1 + 10 ** ((opponent - rating) / 400));
}

/**
 * The rating after one more game; the first one begins at the opponent's own, but no higher than a beginner's.
 * @param {number[]} ratings those after the games before, the newest last
 * @param {number} opponent
 * @param {number} score 1, 0.5 or 0
 */
export function after(ratings, opponent, score) {
  const before = ratings[ratings.length - 1] ?? Math.min(opponent, FIRST);
  const { step } = /** @type {typeof STEPS[number]} */ (STEPS.find(({ games }) => ratings.length < games));
  return Math.max(100, Math.round(before + step * (score - expected(before, opponent))));
}

/** @returns {Record} */
function record() {
  return { games: [], helped: [], ...read(KEY, {}) };
}

/** The ratings after all games, the newest last. */
export function ratings() {
  return record().games.map(({ rating }) => rating);
}

/** Notes that a game was played with help (a hint, a move taken back): it does not count. @param {string} id */
export function help(id) {
  const now = record();
  if (!now.helped.includes(id)) write(KEY, { ...now, helped: [...now.helped, id].slice(-KEPT) });
}

/**
 * Counts a game that has ended; once only.
 * @param {{id: string, level: number, elo: number, score: number}} game
 * @param {boolean} news whether it may not be counted yet: an old one may have left the list
 * @returns {{rated: {rating: number, change: number, curve: number[]} | null, helped: boolean}} no rating if it was played with help, or nothing is known of it
 */
export function count({ id, level, elo, score }, news) {
  const now = record();
  if (now.helped.includes(id)) return { rated: null, helped: true };
  let at = now.games.findIndex((game) => game.id === id);
  if (at < 0) {
    if (!news) return { rated: null, helped: false };
    now.games.push({ id, level, score, rating: after(ratings(), elo, score) });
    now.games = now.games.slice(-KEPT);
    at = now.games.length - 1;
    write(KEY, now);
  }
  const curve = now.games.slice(0, at + 1).map(({ rating }) => rating);
  const before = curve[at - 1] ?? Math.min(elo, FIRST);
  return { rated: { rating: curve[at], change: curve[at] - before, curve }, helped: false };
}
