// Analyses that are kept on this device, and nowhere else.

import { t } from "./i18n.js";
import { movesText, playerName } from "./speak.js";

/**
 * @typedef {object} Study
 * @property {string} id
 * @property {string} name empty while nobody has given one
 * @property {string[]} [players] as the record names them
 * @property {string} text as in the address, not packed
 * @property {string} fen a position for its picture
 * @property {number} moves how many it has, variations included
 * @property {number} changed when, in milliseconds
 */

const KEY = "sumito.studies";
export const MOST_STUDIES = 300;

/** What one is called: what somebody has named it, or else who plays, or how much there is. @param {Study} study */
export function nameOf({ name, players = [], moves }) {
  return name || players.map(playerName).join(" – ") || t("studies.new", { moves: movesText(moves) });
}

/** All of them, the last changed first. @returns {Study[]} */
export function studies() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) || "[]");
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

/** @param {string | null} id @returns {Study | null} */
export function study(id) {
  return studies().find((each) => each.id === id) ?? null;
}

/** Keeps one, in the place of the one with its id. Says whether there was room. @param {Study} kept */
export function keepStudy(kept) {
  const others = studies().filter(({ id }) => id !== kept.id);
  return others.length < MOST_STUDIES && store([kept, ...others]);
}

/** @param {string} id @param {string} name */
export function renameStudy(id, name) {
  return store(studies().map((each) => (each.id === id ? { ...each, name } : each)));
}

/** @param {string} id */
export function dropStudy(id) {
  return store(studies().filter((each) => each.id !== id));
}

export function newId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => (byte % 36).toString(36)).join("");
}

/** @param {Study[]} all */
function store(all) {
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
    return true;
  } catch {
    // Full, or a private window: the page says so.
    return false;
  }
}
