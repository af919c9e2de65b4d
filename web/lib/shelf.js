// What a person notes about games: a name and tags, kept on this device alone; the server stores no text of people whom it does not know.

import { read, write } from "./settings.js";

/** @typedef {{name?: string, tags?: string[]}} Note */

const KEY = "sumito.shelf";
const KEPT = 1000;

/** @returns {Record<string, Note>} */
function all() {
  return read(KEY, {});
}

/** @param {string} id of a game @returns {Note} */
export function noteOf(id) {
  return all()[id] ?? {};
}

/** Keeps a note; an empty one is forgotten. @param {string} id @param {Note} note */
export function keepNote(id, { name = "", tags = [] }) {
  const others = Object.entries(all()).filter(([each]) => each !== id);
  const given = name || tags.length ? [/** @type {[string, Note]} */ ([id, { name, tags }])] : [];
  write(KEY, Object.fromEntries([...others, ...given].slice(-KEPT)));
}

/** The games with a note that is as wanted, the newest note first. @param {(note: Note) => boolean} wanted @returns {string[]} */
export function noted(wanted) {
  return Object.entries(all()).filter(([, note]) => wanted(note)).map(([id]) => id).reverse();
}

/** The tags in use, in the order of the alphabet. */
export function tags() {
  return [...new Set(Object.values(all()).flatMap((note) => note.tags ?? []))].sort((a, b) => a.localeCompare(b));
}

/** Tags from what a person typed: `final, 2024` @param {string} text */
export function tagsOf(text) {
  return [...new Set(text.split(",").map((tag) => tag.trim().slice(0, 40)).filter(Boolean))].slice(0, 12);
}
