// Analyse: a tree of variations on a board, the engine beside it, and every agent's opinion.

import { fromFen, play, toFen } from "../board/replay.js";
import { ApiError, get, meta, position, post } from "../lib/api.js";
import { say, toast } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { read, write } from "../lib/settings.js";
import { connect } from "../lib/socket.js";
import { moveSound } from "../lib/sound.js";
import { announce } from "../lib/speak.js";
import { fromLine, Node } from "../lib/tree.js";
import { worth } from "../parts/score.js";
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
 * @property {import("../lib/types.js").ParsedGame[]} games others that were pasted
 */

/** @type {import("../app.js").Open} */
export async function open(root, id, query) {
  const known = await meta();
  const begin = await first(id, query);
  const kept = read("sumito.analyse", { engine: true, lines: 3, agent: "aba-pro" });
  /** @type {State} */
  const state = {
    meta: known,
    root: begin.root,
    node: begin.node,
    flip: query.get("flip") === "true",
    engine: kept.engine,
    lines: kept.lines,
    found: null,
    preview: null,
    editor: null,
    opinion: null,
    agent: kept.agent,
    tags: begin.tags,
    game: id,
    games: [],
  };
  /** @type {ReturnType<typeof connect> | null} */
  let socket = null;
  let search = 0;
  let timer = 0;
  let closed = false;
  const view = analyseView(root, state, {
    move,
    go,
    to,
    flip: () => set({ flip: !state.flip }),
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
    comment: (text) => {
      state.node.comment = text;
      view.update(state);
    },
    glyph: (glyph) => {
      state.node.glyph = state.node.glyph === glyph ? "" : glyph;
      view.update(state);
    },
    promote: () => {
      state.node.promote();
      view.update(state);
    },
    remove: () => {
      const { parent } = state.node;
      state.node.remove();
      if (parent) go(parent);
    },
    opinion,
  });
  await go(state.node);
  return {
    close() {
      closed = true;
      clearTimeout(timer);
      socket?.close();
      view.close();
    },
  };

  /** @param {Partial<State>} change */
  function set(change) {
    Object.assign(state, change);
    view.update(state);
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
    await go(before.child(move, ""));
  }

  /** Plays moves one after the other, into the tree: a line of the engine becomes a variation. @param {MoveView[]} moves */
  async function playLine(moves) {
    const from = state.node;
    moveSound(moves[moves.length - 1]);
    say(announce(moves[moves.length - 1], moves.slice(0, -1).reduce(play, from.marbles)));
    await go(moves.reduce((node, move) => node.child(move, ""), from));
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
      Object.assign(state, { root: new Node(null, null, found.position.fen), tags: {}, game: null, games: [] });
      await go(state.root);
    } else {
      state.games = found.games;
      await openGame(found.games[0]);
    }
  }

  /** @param {any} game */
  async function openGame(game) {
    Object.assign(state, { root: fromLine(game.start_fen, game.line), tags: game.tags, game: null });
    await go(state.root);
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
    Object.assign(state, { editor: null, root: new Node(null, null, at.fen), tags: {}, game: null, games: [] });
    await go(state.root);
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

/** In the middle of a search lines come from different depths; the best one is first all the same. @param {Found} found @returns {Found} */
function inOrder(found) {
  return { ...found, lines: [...found.lines].sort((a, b) => worth(b.score) - worth(a.score)) };
}

/**
 * The tree to begin with: of a game, of a position in the address, or the Belgian Daisy.
 * @param {string | null} id
 * @param {URLSearchParams} query
 */
async function first(id, query) {
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
