// The keys of games that were begun or imported in this browser, and the choices for the next game.

import { read, write } from "./settings.js";

const KEYS = "sumito.keys";
/** Games whose keys are kept: about a hundred kilobytes; the seats in games with friends are forty more at most. */
const KEPT = 2000;
const SEATS = "sumito.seats";
const BEGUN = "sumito.begun";
const TIMED = "sumito.timed";
const OPEN = 6;
const SUITED = "sumito.level";
const FIRST_LEVEL = 2;

/** Letters of an id; that of an imported game has its import's in front. */
const ID = 10;

/** The key of a game: its own, or that of its import. @param {string} id @returns {string | null} */
export function keyOf(id) {
  const keys = read(KEYS, /** @type {Record<string, string>} */ ({}));
  return keys[id] ?? keys[id.slice(0, ID)] ?? null;
}

/** The seat that a key is for, in a game in which each side has its own. @param {string} id @returns {"black" | "white" | null} */
export function seatOf(id) {
  return read(SEATS, /** @type {Record<string, "black" | "white">} */ ({}))[id] ?? null;
}

/** The key of a game, or an empty one if the seat that was had in it belongs to an account. @param {string} id @returns {string | null} */
export function claimOf(id) {
  return keyOf(id) ?? (seatOf(id) ? "" : null);
}

/** @param {string} id @param {"black" | "white"} color */
export function keepSeat(id, color) {
  const all = Object.entries(read(SEATS, {})).filter(([known]) => known !== id);
  write(SEATS, Object.fromEntries([...all, [id, color]].slice(-KEPT)));
}

/** The games and imports whose keys are here, the newest first. */
export function keyed() {
  return Object.keys(read(KEYS, /** @type {Record<string, string>} */ ({}))).reverse();
}

/** Keeps the key of a game or an import. @param {string} id @param {string} key */
export function keepKey(id, key) {
  const all = Object.entries(read(KEYS, /** @type {Record<string, string>} */ ({})));
  all.push([id, key]);
  write(KEYS, Object.fromEntries(all.slice(-KEPT)));
}

/** Keeps a game that begins, with its key if it has one. @param {string} id @param {string | null} key */
export function keep(id, key) {
  if (key) keepKey(id, key);
  write("sumito.last", id);
  write(BEGUN, [...begun(), id].slice(-OPEN));
}

/** Games that were begun here and may not be over, the oldest first. @returns {string[]} */
export function begun() {
  return read(BEGUN, []);
}

/** A game is over, or gone. @param {string} id */
export function settled(id) {
  write(BEGUN, begun().filter((each) => each !== id));
}

/** The games with a clock whose end was not seen here, the newest last: time runs in them without the person. @returns {string[]} */
export function timed() {
  // It was a single one once.
  return [read(TIMED, /** @type {string[] | string | null} */ ([])) ?? []].flat();
}

/** @param {string} id @param {boolean} runs */
export function keepTimed(id, runs) {
  const others = timed().filter((each) => each !== id);
  write(TIMED, runs ? [...others, id].slice(-OPEN) : others);
}

/** A game was called off: nobody goes on with it. @param {string} id */
export function forget(id) {
  settled(id);
  if (lastGame() === id) write("sumito.last", null);
}

/** The game that was begun last. @returns {string | null} */
export function lastGame() {
  return read("sumito.last", null);
}

/** The level that suits the person at this device; `adapt.js` changes it. @returns {number} */
export function suited() {
  return read(SUITED, FIRST_LEVEL);
}

/** @param {number} level */
export function suits(level) {
  write(SUITED, level);
}

/**
 * @typedef {object} Setup
 * @property {"level" | "agent" | "human" | "friend"} opponent `human` at the same device, `friend` by a link
 * @property {number} level
 * @property {string} spec
 * @property {string} layout
 * @property {"black" | "white" | "random"} color
 * @property {"none" | "move" | "game"} clock
 * @property {number} seconds for each move
 * @property {number} minutes for the game
 * @property {number} increment in seconds
 * @property {string} rules
 */

/** @returns {Setup} */
export function setup() {
  return {
    opponent: "level",
    level: suited(),
    spec: "aba-pro",
    layout: "belgian-daisy",
    color: "black",
    clock: "none",
    seconds: 30,
    minutes: 10,
    increment: 5,
    rules: "official",
    ...read("sumito.setup", {}),
  };
}

/** What was chosen for the next game; a friend is asked for one game, and not for all. @param {Setup} chosen */
export function keepSetup(chosen) {
  const { opponent } = chosen.opponent === "friend" ? setup() : chosen;
  write("sumito.setup", { ...chosen, opponent });
}
