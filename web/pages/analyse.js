// Analyse: a tree of variations on a board, the engine beside it, and every agent's opinion.

import { toggled } from "../board/drawings.js";
import { fromFen, play, toFen } from "../board/replay.js";
import { ApiError, get, meta, position, post } from "../lib/api.js";
import { say, toast } from "../lib/dom.js";
import { draft, drafts, dropDraft } from "../lib/drafts.js";
import { t } from "../lib/i18n.js";
import { read, write } from "../lib/settings.js";
import { connect } from "../lib/socket.js";
import { moveSound } from "../lib/sound.js";
import { announce } from "../lib/speak.js";
import { keepStudy, newId, study } from "../lib/studies.js";
import { fromLine, Node, plain } from "../lib/tree.js";
import { worth } from "../parts/score.js";
import { beginning, keeper, pathOf, shown, toFullText } from "./analyse-address.js";
import { analyseView } from "./analyse-view.js";

/** @typedef {import("../lib/types.js").MoveView} MoveView */
/** @typedef {import("../lib/types.js").Color} Color */

/** @typedef {import("../lib/types.js").AnalysisLines} Found */

/**
 * @typedef {object} State
 * @property {import("../lib/types.js").Meta} meta
 * @property {Node} root
 * @property {Node} node the one that is shown
 * @property {boolean} flip
 * @property {boolean} engine
 * @property {number} lines
 * @property {Found | null} found
 * @property {MoveView[] | null} preview moves of a line that is looked at, from the node on
 * @property {{marbles: import("../board/types.js").Marbles, turn: Color, brush: Color | "empty"} | null} editor
 * @property {import("../lib/types.js").Opinion | "asked" | null} opinion
 * @property {string} agent
 * @property {Record<string, string>} tags
 * @property {string | null} game
 * @property {boolean} changed whether it is more than the game or position that the path names
 * @property {boolean} touched whether anything was done here: what was only opened is nobody's draft
 * @property {string | null} study the one on this device that follows what is changed
 * @property {string | null} draft what keeps it on this device while it is no study
 * @property {string | null} left the draft that was left for this one
 * @property {string} wrong what is wrong with the address
 * @property {import("../lib/types.js").ParsedGame[]} games others that were pasted
 */

/** @type {import("../app.js").Open} */
export async function open(root, id, query) {
  const known = await meta();
  const begin = await beginning(id, query, location.hash.slice(1));
  const liked = read("sumito.analyse", { engine: true, lines: 3, agent: "aba-pro" });
  /** @type {State} */
  const state = {
    meta: known,
    ...begin,
    engine: liked.engine,
    lines: liked.lines,
    found: null,
    preview: null,
    editor: null,
    opinion: null,
    agent: liked.agent,
    game: id,
    // Who comes for something else is not asked about what was before.
    left: location.pathname + location.search + location.hash === "/analyse" ? (drafts()[0]?.id ?? null) : null,
    games: [],
  };
  /** @type {ReturnType<typeof connect> | null} */
  let socket = null;
  let search = 0;
  let timer = 0;
  let closed = false;
  const kept = keeper(state, (wrong) => wrong !== state.wrong && set({ wrong }));
  const view = analyseView(root, state, {
    move,
    go,
    to,
    flip: () => {
      set({ flip: !state.flip });
      moved();
    },
    engine,
    lines: (lines) => {
      keep({ lines });
      restart();
    },
    playLine,
    preview: (preview) => set({ preview }),
    paste,
    choose: (i) => openGame(state.games[i]),
    edit,
    brush: (brush) => state.editor && set({ editor: { ...state.editor, brush } }),
    pick,
    editTurn: (turn) => state.editor && set({ editor: { ...state.editor, turn } }),
    editScore,
    editLayout,
    editDone,
    comment: (text) => change((node) => (node.comment = plain(text))),
    glyph: (glyph) => change((node) => (node.glyph = node.glyph === glyph ? "" : glyph)),
    promote: () => change((node) => node.promote()),
    remove: () => {
      const { parent } = state.node;
      change((node) => node.remove());
      if (parent) go(parent);
    },
    draw: (shape) => change((node) => (node.shapes = toggled(node.shapes, shape))),
    clear: () => change((node) => (node.shapes = [])),
    opinion,
    link: () => pathOf(state),
    keep: keepAsStudy,
    studies,
    back: (id) => openPath(`/analyse?draft=${id}`),
  });
  await go(state.node);
  return {
    close() {
      closed = true;
      clearTimeout(timer);
      kept.close();
      socket?.close();
      view.close();
    },
  };

  /** @param {Partial<State>} change */
  function set(change) {
    Object.assign(state, change);
    view.update(state);
  }

  /** Changes the node that is shown, and all that is kept of it. @param {(node: Node) => void} how */
  function change(how) {
    how(state.node);
    state.changed = state.touched = true;
    view.update(state);
    kept.changed();
  }

  /** Another node or side of the board: the address says so too, unless it is one that could not be read. */
  function moved() {
    if (state.changed || !state.wrong) kept.changed();
  }

  /** @param {Partial<State>} change */
  function keep(change) {
    set(change);
    write("sumito.analyse", { engine: state.engine, lines: state.lines, agent: state.agent });
  }

  /** Shows a node, with its legal moves as soon as they are known. @param {Node} node */
  async function go(node) {
    state.node = node;
    state.found = null;
    state.preview = null;
    state.opinion = null;
    view.update(state);
    restart();
    moved();
    if (node.view) return;
    node.view = await position({ fen: state.root.fen, moves: node.moves() });
    node.fen = node.view.fen;
    if (state.node === node && !closed) view.update(state);
  }

  /** @param {MoveView} move */
  async function move(move) {
    const before = state.node;
    moveSound(move);
    say(announce(move, before.marbles));
    await go(child(before, move));
  }

  /** Plays moves one after the other, into the tree: a line of the engine becomes a variation. @param {MoveView[]} moves */
  async function playLine(moves) {
    const from = state.node;
    moveSound(moves[moves.length - 1]);
    say(announce(moves[moves.length - 1], moves.slice(0, -1).reduce(play, from.marbles)));
    await go(moves.reduce(child, from));
  }

  /** @param {Node} node @param {MoveView} move */
  function child(node, move) {
    const known = node.children.length;
    const next = node.child(move, "");
    if (node.children.length > known) state.changed = state.touched = true;
    return next;
  }

  /** @param {"first" | "back" | "next" | "last"} where */
  function to(where) {
    let { node } = state;
    if (where === "first") node = state.root;
    else if (where === "back") node = node.parent ?? node;
    else if (where === "next") node = node.children[0] ?? node;
    else while (node.children.length) node = node.children[0];
    if (node !== state.node) go(node);
  }

  /** @param {boolean} on */
  function engine(on) {
    keep({ engine: on, found: null });
    restart();
  }

  /** Asks the engine about the node that is shown; a moment later, so that walking does not flood it. */
  function restart() {
    clearTimeout(timer);
    if (search) socket?.send({ type: "stop", id: search });
    search = 0;
    if (!state.engine || state.editor || closed) return;
    timer = setTimeout(ask, 90);
  }

  function ask() {
    if (closed) return;
    socket ??= connect("/analysis", { message: hear, open: restart });
    const id = Date.now() % 1e9;
    const sent = socket.send({ type: "start", id, fen: state.root.fen, moves: state.node.moves(), lines: state.lines });
    if (sent) search = id;
  }

  /** @param {any} message */
  function hear(message) {
    if (message.id !== search) return;
    if (message.type === "lines") set({ found: inOrder(message) });
    else if (message.type === "error") toast(new ApiError(400, message.error).message);
  }

  /** @param {string} text */
  async function paste(text) {
    const found = await post("/parse", { text });
    if (found.kind === "position") {
      await other(new Node(null, null, found.position.fen), { games: [] });
    } else {
      state.games = found.games;
      await openGame(found.games[0]);
    }
    // What was read is on the board, which may be far above the field.
    window.scrollTo(0, 0);
  }

  /** @param {any} game */
  async function openGame(game) {
    await other(fromLine(game.start_fen, game.line), { tags: game.tags });
  }

  /** Another tree in the place of this one; a study stays as it was. @param {Node} root @param {Partial<State>} more */
  async function other(root, more) {
    await kept.leave();
    if (closed) return;
    const left = draft(state.draft)?.id ?? state.left;
    Object.assign(state, { root, tags: {}, game: null, study: null, draft: null, left, changed: true, touched: true, ...more });
    await go(root);
  }

  /** Keeps what is here as a study, which follows all that is changed from now on. */
  function keepAsStudy() {
    const { Event: event = "" } = state.tags;
    // Every game that was played here has the same.
    const name = event === "Sumito" ? "" : event;
    const made = { id: newId(), name: name.slice(0, 80), ...shown(state, toFullText(state)) };
    if (!keepStudy(made)) return toast(t("studies.full"));
    dropDraft(state.draft);
    Object.assign(state, { study: made.id, draft: null, changed: true });
    toast(t("studies.kept"), "note");
    view.update(state);
    kept.changed();
  }

  async function studies() {
    const { openStudies } = await import("../parts/studies.js");
    openStudies({
      current: state.study ?? state.draft,
      fen: state.node.view?.fen ?? state.root.fen,
      keep: keepAsStudy,
      open: (id) => openPath(`/analyse?${study(id) ? "study" : "draft"}=${id}`),
      changed: () => {
        set({ study: study(state.study)?.id ?? null, left: draft(state.left)?.id ?? null });
        kept.changed();
      },
    });
  }

  /** @param {boolean} on */
  function edit(on) {
    const { node, root: start } = state;
    const turn = node.turnIsBlack(start) ? "black" : "white";
    set({ editor: on ? { marbles: structuredClone(node.marbles), turn, brush: "black" } : null });
    restart();
  }

  /** @param {string} cell */
  function pick(cell) {
    const { editor } = state;
    if (!editor) return;
    const { brush, marbles } = editor;
    const black = marbles.black.filter((each) => each !== cell);
    const white = marbles.white.filter((each) => each !== cell);
    const erase = brush !== "empty" && marbles[brush].includes(cell);
    if (!erase && brush === "black") black.push(cell);
    if (!erase && brush === "white") white.push(cell);
    set({ editor: { ...editor, marbles: { ...marbles, black, white } } });
  }

  /** @param {Color} color @param {number} score */
  function editScore(color, score) {
    const { editor } = state;
    if (!editor) return;
    const { marbles } = editor;
    set({ editor: { ...editor, marbles: { ...marbles, score: { ...marbles.score, [color]: score } } } });
  }

  /** @param {string | null} fen `null` for an empty board */
  function editLayout(fen) {
    const { editor } = state;
    if (editor) set({ editor: { ...editor, marbles: fromFen(fen ?? "5/6/7/8/9/8/7/6/5 0 0 b 0 1") } });
  }

  async function editDone() {
    const { editor } = state;
    if (!editor) return;
    const at = await position({ fen: toFen(editor.marbles, editor.turn) });
    await other(new Node(null, null, at.fen), { editor: null, games: [] });
  }

  /** @param {string} agent */
  async function opinion(agent) {
    keep({ agent });
    const { node } = state;
    const fen = node.view?.fen;
    if (!fen) return;
    set({ opinion: "asked" });
    try {
      const answer = await get("/opinion", { agent, fen, time_ms: 1000 });
      if (state.node === node) set({ opinion: answer });
    } catch (error) {
      set({ opinion: null });
      toast(/** @type {Error} */ (error).message || t("error.title"));
    }
  }
}

/** @param {string} path of an analysis that is kept here */
async function openPath(path) {
  return (await import("../app.js")).go(path);
}

/** In the middle of a search lines come from different depths; the best one is first all the same. @param {Found} found @returns {Found} */
function inOrder(found) {
  return { ...found, lines: [...found.lines].sort((a, b) => worth(b.score) - worth(a.score)) };
}
