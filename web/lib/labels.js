// Names and tags of games in a file of records: an export writes them as entries of the head, and an import takes them out again
// before the server sees the file.

import { tagsOf } from "./shelf.js";

/** @typedef {import("./shelf.js").Note} Note */
/** What a file says of its nth game, and the id that it had where it was saved. @typedef {{number: number, id: string, note: Note}} Label */

const ENTRY = /^\[(GameId|GameName|GameTags) "((?:[^"\\]|\\.)*)"\]\s*$/;

/** A record with the name and tags of its game. @param {string} record @param {string} id @param {Note} note */
export function labelled(record, id, { name = "", tags = [] }) {
  if (!name && !tags.length) return record;
  const entries = [["GameId", id], ["GameName", name], ["GameTags", tags.join(", ")]].filter(([, value]) => value);
  return [...entries.map(([entry, value]) => `[${entry} "${value.replace(/[\\"]/g, "\\$&")}"]`), record].join("\n");
}

/**
 * A file without names and tags, and what they were.
 * @param {Blob} file
 * @returns {Promise<{file: Blob, labels: Label[]}>}
 */
export async function unlabelled(file) {
  const text = await file.text();
  // Nearly every file is sent as it is.
  if (!/^\[Game(Name|Tags) "/m.test(text)) return { file, labels: [] };
  const { lines, labels } = taken(text.split("\n"));
  return { file: new Blob([lines.join("\n")]), labels };
}

/** @param {string[]} all */
function taken(all) {
  /** @type {Map<number, Label>} */
  const labels = new Map();
  const lines = [];
  let number = 0;
  let inHead = false;
  let inComment = false;
  for (const line of all) {
    const isEntry = !inComment && line.startsWith("[");
    if (isEntry && !inHead) number += 1;
    if (isEntry) inHead = true;
    else if (line.trim()) inHead = false;
    if (!isEntry) inComment = isOpenAfter(line, inComment);
    const [, entry, value] = (isEntry && ENTRY.exec(line)) || [];
    if (entry) labels.set(number, added(labels.get(number) ?? { number, id: "", note: {} }, entry, value.replace(/\\(.)/g, "$1")));
    else lines.push(line);
  }
  return { lines, labels: [...labels.values()].filter(({ note }) => note.name || note.tags?.length) };
}

/** @param {Label} label @param {string} entry @param {string} value @returns {Label} */
function added(label, entry, value) {
  if (entry === "GameId") return { ...label, id: /^[a-z0-9]{1,20}$/.test(value) ? value : "" };
  return { ...label, note: entry === "GameName" ? { ...label.note, name: value.slice(0, 80) } : { ...label.note, tags: tagsOf(value) } };
}

/** Whether a comment in braces is open after a line of moves. @param {string} line @param {boolean} open before it */
function isOpenAfter(line, open) {
  for (const sign of line) {
    if (!open && sign === ";") return false;
    if (sign === (open ? "}" : "{")) open = !open;
  }
  return open;
}
