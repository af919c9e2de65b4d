// Analyses that were left without being kept as a study: the last few are on this device until newer ones take their place.

import { read, write } from "./settings.js";

/** A study without a name. @typedef {import("./studies.js").Study} Draft */

const KEY = "sumito.drafts";
const MOST_DRAFTS = 5;

/** All of them, the last changed first. @returns {Draft[]} */
export function drafts() {
  return read(KEY, []);
}

/** @param {string | null} id @returns {Draft | null} */
export function draft(id) {
  return drafts().find((each) => each.id === id) ?? null;
}

/** The one with the same moves and notes, wherever in them one was: a reload goes on with it. @param {string} text @returns {Draft | null} */
export function draftOf(text) {
  return drafts().find((each) => recordOf(each.text) === recordOf(text)) ?? null;
}

/** Keeps one in the place of the one with its id; the oldest makes room. @param {Draft} kept */
export function keepDraft(kept) {
  write(KEY, [kept, ...drafts().filter(({ id }) => id !== kept.id)].slice(0, MOST_DRAFTS));
}

/** @param {string | null} id */
export function dropDraft(id) {
  write(KEY, drafts().filter((each) => each.id !== id));
}

/** What is behind the first line of an analysis is a record. @param {string} text */
export function recordOf(text) {
  return text.slice(text.indexOf("\n") + 1);
}
