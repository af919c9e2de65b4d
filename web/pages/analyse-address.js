// Where an analysis lives: in the address, so that a reload and a link keep all of it, and in a study if it is one.

import { ApiError, get, post } from "../lib/api.js";
import { pack, unpack } from "../lib/address.js";
import { draft, draftOf, keepDraft } from "../lib/drafts.js";
import { t } from "../lib/i18n.js";
import { keepStudy, newId, study } from "../lib/studies.js";
import { fromLine, Node, toApgn } from "../lib/tree.js";

/** @typedef {import("./analyse.js").State} State */

/**
 * What the page begins with.
 * @typedef {object} Begin
 * @property {Node} root
 * @property {Node} node
 * @property {Record<string, string>} tags
 * @property {boolean} flip
 * @property {boolean} changed whether it is more than the game or position that the path names
 * @property {boolean} touched
 * @property {string | null} study
 * @property {string | null} draft
 * @property {string} wrong
 */

/** Browsers refuse more changes of the address than about three a second. */
const PAUSE = 400;

/**
 * The tree to begin with: of the fragment, of a game, of a position in the address, or the Belgian Daisy.
 * @param {string | null} id
 * @param {URLSearchParams} query
 * @param {string} fragment
 * @returns {Promise<Begin>}
 */
export async function beginning(id, query, fragment) {
  const kept = study(query.get("study"));
  const left = draft(query.get("draft"));
  // Others who get the link of a study have it in the fragment.
  const wrong = query.get("study") && !kept && !fragment ? t("analyse.no-study") : "";
  const plain = { tags: {}, flip: query.get("flip") === "true", changed: false, touched: false, study: kept?.id ?? null, draft: left?.id ?? null, wrong };
  if (fragment || kept || left) {
    try {
      // A link from before must not undo what the study has become.
      const text = (kept ?? left)?.text ?? (await unpack(fragment));
      return { ...plain, ...(await fromText(text)), draft: kept ? null : ((left ?? draftOf(text))?.id ?? null), changed: true };
    } catch (error) {
      // A server that is away or busy says nothing about the text.
      if (error instanceof ApiError && (error.status < 400 || error.status >= 429)) throw error;
      return { ...plain, ...(await named(id, query)), study: null, draft: null, wrong: t("analyse.unreadable") };
    }
  }
  return { ...plain, ...(await named(id, query)) };
}

/** @param {string | null} id @param {URLSearchParams} query @returns {Promise<{root: Node, node: Node, tags: Record<string, string>}>} */
async function named(id, query) {
  if (id) {
    const tree = await get(`/games/${id}/tree`);
    const root = fromLine(tree.start_fen, tree.line);
    let node = root;
    for (let ply = Number(query.get("ply")) || 0; ply > 0 && node.children.length; ply--) node = node.children[0];
    return { root, node, tags: tree.tags };
  }
  const fen = query.get("fen");
  const moves = (query.get("moves") ?? "").split(",").filter(Boolean);
  const from = fen ? { fen } : { layout: query.get("layout") ?? "belgian-daisy" };
  const { position: start } = await post("/positions", from);
  const root = new Node(null, null, start.fen);
  root.view = start;
  let node = root;
  if (moves.length) {
    const { line } = await post("/positions", { ...from, moves });
    for (const step of line) node = node.child(step.move, step.fen);
  }
  return { root, node, tags: {} };
}

/**
 * All of an analysis as a text: on the first line how the board lies and the way to the node that is shown, then an APGN.
 * @param {Pick<State, "root" | "node" | "tags" | "flip">} state
 */
export function toFullText({ root, node, tags, flip }) {
  const way = node.path().slice(1).map((each) => each.parent?.children.indexOf(each).toString(36) ?? "");
  return `${flip ? "f" : "-"}${way.join(".")}\n${toApgn(root, tags)}`;
}

/** @param {string} text @returns {Promise<{root: Node, node: Node, tags: Record<string, string>, flip: boolean}>} */
async function fromText(text) {
  const end = text.indexOf("\n");
  const { games } = await post("/parse", { text: text.slice(end + 1), notation: "aba-pro" });
  const root = fromLine(games[0].start_fen, games[0].line);
  let node = root;
  for (const place of text.slice(1, end).split(".").filter(Boolean)) node = node.children[Number.parseInt(place, 36)] ?? node;
  return { root, node, tags: games[0].tags, flip: text[0] === "f" };
}

/** The path with all of an analysis in its fragment; `null` if that is too long. @param {State} state */
export async function pathOf(state) {
  if (!state.changed) {
    const query = new URLSearchParams(state.game ? {} : location.search);
    if (state.node.ply && state.game) query.set("ply", String(state.node.ply));
    if (state.flip) query.set("flip", "true");
    else query.delete("flip");
    const text = query.toString();
    return `/analyse${state.game ? `/${state.game}` : ""}${text ? `?${text}` : ""}`;
  }
  const fragment = await pack(toFullText(state));
  return fragment && `/analyse#${fragment}`;
}

/**
 * Keeps the address and the study as the state is.
 * @param {State} state
 * @param {(wrong: string) => void} tell what cannot be kept; empty when all is well
 */
export function keeper(state, tell) {
  let timer = 0;
  let last = 0;
  let closed = false;
  let writing = Promise.resolve();
  function write() {
    clearTimeout(timer);
    timer = 0;
    last = performance.now();
    writing = writing.then(now);
    return writing;
  }
  async function now() {
    const { study: id } = state;
    const room = save(state);
    const path = await pathOf(state);
    if (closed) return;
    // The study is named for this device, where it needs no fragment; others who get the link do not have it.
    const own = id && (path?.startsWith("/analyse#") ? path.replace("#", `?study=${id}#`) : (path ?? (room ? `/analyse?study=${id}` : null)));
    const kept = own || path;
    if (kept) history.replaceState(null, "", kept);
    else if (draft(state.draft)) history.replaceState(null, "", `/analyse?draft=${state.draft}`);
    tell(!room ? t("studies.full") : kept ? "" : t("analyse.too-long"));
  }
  return {
    changed() {
      timer ||= setTimeout(write, Math.max(0, last + PAUSE - performance.now()));
    },
    /** Another analysis comes in the place of this one, to which the browser's Back leads. */
    async leave() {
      await (timer ? write() : writing);
      if (!closed) history.pushState(null, "", location.href);
    },
    close() {
      closed = true;
      if (timer) save(state);
      clearTimeout(timer);
    },
  };
}

/** Keeps an analysis on this device, as a study if it is one. Says whether there was room for that. @param {State} state */
function save(state) {
  if (!study(state.study)) saveDraft(state);
  return saveStudy(state);
}

/** An analysis that is no study is there again after it was left. @param {State} state */
function saveDraft(state) {
  if (!(state.touched || state.draft) || isBlank(state)) return;
  const text = toFullText(state);
  state.draft ??= draftOf(text)?.id ?? newId();
  if (text !== draft(state.draft)?.text) keepDraft({ id: state.draft, name: "", ...shown(state, text) });
}

/** Whether nothing was done yet, on a layout that is a click away. @param {State} state */
function isBlank({ root, meta }) {
  return !root.children.length && !root.comment && !root.shapes.length && meta.layouts.some(({ fen }) => fen === root.fen);
}

/** Says whether there was room. @param {State} state */
function saveStudy(state) {
  const kept = study(state.study);
  if (!kept) return true;
  const text = toFullText(state);
  return text === kept.text || keepStudy({ ...kept, ...shown(state, text) });
}

/** An analysis as its row shows it. @param {Pick<State, "root" | "node" | "tags">} state @param {string} text */
export function shown({ root, node, tags }, text) {
  const players = [tags.Black, tags.White].filter((each) => each && each !== "?").length ? [tags.Black || "?", tags.White || "?"] : [];
  return { text, players, fen: node.view?.fen ?? root.fen, moves: count(root), changed: Date.now() };
}

/** Moves in a tree. @param {Node} node @returns {number} */
function count(node) {
  let all = 0;
  for (const open = [node]; open.length; ) {
    const at = /** @type {Node} */ (open.pop());
    all += at.children.length;
    open.push(...at.children);
  }
  return all;
}
