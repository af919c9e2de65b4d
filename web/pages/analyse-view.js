// What the analysis page looks like.

import { play } from "../board/replay.js";
import { fill, h, icon } from "../lib/dom.js";
import { draft } from "../lib/drafts.js";
import { t } from "../lib/i18n.js";
import { movesText } from "../lib/speak.js";
import { nameOf, study } from "../lib/studies.js";
import { toApgn } from "../lib/tree.js";
import { agentField } from "../parts/agents.js";
import { pageBoard } from "../parts/board.js";
import { editorPanel } from "../parts/editor.js";
import { evaluationBar } from "../parts/evaluation.js";
import { walker, walkKeys } from "../parts/movelist.js";
import { opinionPanel } from "../parts/opinion.js";
import { shareTools } from "../parts/share.js";
import { treeView } from "../parts/treeview.js";
import { enginePanel } from "./analyse-engine.js";

/** @typedef {import("./analyse.js").State} State */
/** @typedef {import("../lib/types.js").MoveView} MoveView */
/** @typedef {import("../lib/types.js").Color} Color */

/**
 * @typedef {object} Actions
 * @property {(move: MoveView) => void} move
 * @property {(node: import("../lib/tree.js").Node) => void} go
 * @property {(where: "first" | "back" | "next" | "last") => void} to
 * @property {() => void} flip
 * @property {(on: boolean) => void} engine
 * @property {(lines: number) => void} lines
 * @property {(moves: MoveView[]) => void} playLine
 * @property {(moves: MoveView[] | null) => void} preview
 * @property {(text: string) => Promise<void>} paste
 * @property {(game: number) => void} choose
 * @property {(on: boolean) => void} edit
 * @property {(brush: Color | "empty") => void} brush
 * @property {(cell: string) => void} pick
 * @property {(turn: Color) => void} editTurn
 * @property {(color: Color, score: number) => void} editScore
 * @property {(fen: string | null) => void} editLayout
 * @property {() => void} editDone
 * @property {(text: string) => void} comment
 * @property {(glyph: string) => void} glyph
 * @property {() => void} promote
 * @property {() => void} remove
 * @property {(agent: string) => void} opinion
 * @property {(shape: import("../board/drawings.js").Shape) => void} draw
 * @property {() => void} clear
 * @property {() => Promise<string | null>} link
 * @property {() => void} keep
 * @property {() => void} studies
 * @property {(draft: string) => void} back
 */

/** @param {HTMLElement} root @param {State} first @param {Actions} act */
export function analyseView(root, first, act) {
  const { board, stopWatching } = pageBoard({ player: "both", move: act.move, pick: act.pick });
  board.drawings.on = true;
  board.addEventListener("draw", (event) => act.draw(/** @type {CustomEvent} */ (event).detail));
  const bar = evaluationBar();
  const frame = h("div", { class: "frame" }, h("div", { class: "with-bar" }, bar.element, board));
  const stopKeys = walkKeys(act);
  const engine = enginePanel(act);
  const tree = treeView(act);
  const editor = editorPanel(first.meta, act);
  const opinion = opinionPanel();
  const agent = agentField(first.meta, first.agent, { label: t("opinion.of"), name: "opinion" });
  const paste = pastePanel(act);
  const share = shareTools();
  const games = h("div", { class: "tools" });
  const links = h("div", { class: "tools" });
  const wrong = h("p", { class: "card told bad", role: "alert", hidden: true });
  const studies = studyPanel(act);
  const back = h("button", { data: { act: "back-to-draft" }, hidden: true }, icon("undo"), h("span", {}));
  const normal = h(
    "div",
    { class: "stack" },
    wrong,
    back,
    engine.element,
    tree.element,
    studies.element,
    games,
    paste.element,
    h(
      "details",
      { class: "card", data: { part: "opinion" } },
      h("summary", {}, t("opinion.title")),
      h("div", { class: "stack" }, agent.element, h("button", { data: { act: "opinion" }, onclick: () => act.opinion(agent.value()) }, t("opinion.ask")), opinion.element),
    ),
    links,
    share.element,
  );
  const walk = walker(act);
  const side = h("aside", { class: "side", "aria-label": t("side.label") });
  fill(root, h("h1", { class: "unseen" }, t("nav.analyse")), h("div", { class: "desk" }, h("div", { class: "middle study-middle" }, frame, walk, editor.brushes), side));
  /** @type {unknown} */
  let shown = null;

  return {
    /** @param {State} state */
    update(state) {
      board.flip = state.flip;
      const { node, editor: editing } = state;
      board.editing = walk.hidden = Boolean(editing);
      editor.brushes.hidden = !editing;
      const at = positionOf(state);
      const key = editing ?? state.preview ?? node.view ?? node;
      if (key !== shown) {
        board.position = at;
        shown = key;
      }
      board.arrows = arrows(state);
      board.drawings.shapes = editing || state.preview ? [] : node.shapes;
      const black = node.turnIsBlack(state.root);
      const turn = black ? "black" : "white";
      board.caption = editing || state.preview || node.view?.outcome ? null : { text: t(`turn.${turn}`), turn };
      bar.update(editing ? null : (state.found?.lines[0]?.black ?? outcomeShare(node.view) ?? 0.5), state.flip);
      const wanted = editing ? editor.element : normal;
      if (wanted.parentNode !== side) show(wanted);
      if (editing) return editor.update(editing);
      wrong.hidden = !state.wrong;
      wrong.textContent = state.wrong;
      showWayBack(state.left);
      studies.update(state);
      engine.update(state);
      tree.update(state.root, node);
      opinion.update(state.opinion, turn);
      listGames(state);
      fill(links, linkTo("games", node.view?.fen), linkTo("openings", node.view?.fen));
      const apgn = () => toApgn(state.root, state.tags);
      share.update({ id: state.changed ? null : state.game, ply: node.ply, fen: node.view?.fen ?? null, flip: state.flip, path: act.link, apgn });
    },
    close() {
      stopKeys();
      stopWatching();
    },
  };

  /** The panel for what is done now; the editor begins with the board and its tools in sight. @param {HTMLElement} panel */
  function show(panel) {
    fill(side, panel);
    if (panel === editor.element) window.scrollTo(0, 0);
  }

  /** @param {string | null} id of the draft that was left */
  function showWayBack(id) {
    const left = draft(id);
    back.hidden = !left;
    if (!left) return;
    back.onclick = () => act.back(left.id);
    back.lastChild?.replaceWith(t("drafts.back", { what: left.moves ? movesText(left.moves) : t("drafts.position") }));
  }

  /** @param {State} state */
  function listGames({ games: all }) {
    const name = (/** @type {any} */ game, /** @type {number} */ i) => `${i + 1}. ${game.tags.Black ?? "?"} – ${game.tags.White ?? "?"}`;
    fill(games, all.length > 1 ? all.map((game, i) => h("button", { onclick: () => act.choose(i) }, name(game, i))) : null);
  }
}

/** @param {State} state @returns {import("../lib/types.js").PositionView} */
function positionOf({ node, root, editor, preview }) {
  const still = { fen: node.fen, plies: node.ply, moves: [], threatened: [], outcome: null };
  if (editor) return { ...still, ...editor.marbles, turn: editor.turn, last: null };
  if (preview) {
    const black = node.turnIsBlack(root) === (preview.length % 2 === 0);
    return { ...still, ...preview.reduce(play, node.marbles), turn: black ? "black" : "white", last: preview[preview.length - 1] };
  }
  if (node.view) return { ...node.view, last: node.move ?? node.view.last };
  return { ...still, ...node.marbles, turn: node.turnIsBlack(root) ? "black" : "white", last: node.move };
}

/** @param {import("../lib/types.js").PositionView | null} view */
function outcomeShare(view) {
  if (!view?.outcome) return null;
  return view.outcome.winner === "black" ? 1 : view.outcome.winner === "white" ? 0 : 0.5;
}

/** One arrow for each line, the best one on top; a tap on it plays the move, as one on the line does. */
const KINDS = ["best", "second", "third", "fourth", "fifth", "sixth"];

/** @param {State} state */
function arrows({ found, opinion, editor, preview }) {
  if (editor || preview) return [];
  if (opinion && opinion !== "asked" && opinion.move) return [{ move: opinion.move, kind: "hint", play: true }];
  const lines = found?.lines.slice(0, KINDS.length) ?? [];
  return lines.flatMap(({ line }, i) => (line.length ? [{ move: line[0], kind: KINDS[i], play: true }] : [])).reverse();
}

/** @param {"games" | "openings"} page @param {string | undefined} fen */
function linkTo(page, fen) {
  const query = fen ? `?${new URLSearchParams({ fen })}` : "";
  return h("a", { class: "button", href: `/${page}${query}`, data: { act: `to-${page}` } }, icon(page === "games" ? "search" : "book"), t(`analyse.${page}`));
}

/** Keeping this as a study, and what is drawn on the board. @param {Actions} act */
function studyPanel(act) {
  const name = h("span", { class: "small soft", data: { kept: "" } });
  const keep = h("button", { data: { act: "keep-study" }, onclick: act.keep }, icon("save"), t("studies.keep"));
  const all = h("button", { data: { act: "studies" }, onclick: act.studies }, icon("book"), t("studies.title"));
  const clear = h("button", { class: "quiet", data: { act: "clear-drawings" }, onclick: act.clear }, icon("trash"), t("drawing.clear"));
  const how = h("details", { class: "small soft" }, h("summary", {}, t("drawing.title")), h("p", {}, t("drawing.how")));
  return {
    element: h("section", { class: "stack", "aria-label": t("studies.title") }, h("div", { class: "tools" }, keep, all), name, h("div", { class: "row spread" }, how, clear)),
    /** @param {State} state */
    update(state) {
      const kept = study(state.study);
      keep.hidden = Boolean(kept);
      name.hidden = !kept;
      name.textContent = kept ? t("studies.this", { name: nameOf(kept) }) : "";
      clear.hidden = !state.node.shapes.length;
    },
  };
}

/** @param {Actions} act */
function pastePanel(act) {
  const text = h("textarea", { name: "paste", rows: 3, placeholder: t("paste.label"), "aria-label": t("paste.label"), spellcheck: "false" });
  const wrong = h("p", { class: "small told bad", role: "alert", hidden: true });
  async function go() {
    wrong.hidden = true;
    if (!text.value.trim()) return;
    try {
      await act.paste(text.value);
    } catch (error) {
      wrong.textContent = /** @type {Error} */ (error).message;
      wrong.hidden = false;
    }
  }
  return {
    element: h(
      "div",
      { class: "stack" },
      text,
      wrong,
      h("div", { class: "tools" }, h("button", { data: { act: "paste" }, onclick: go }, t("paste.go")), h("button", { data: { act: "edit" }, onclick: () => act.edit(true) }, icon("edit"), t("editor.open"))),
    ),
  };
}
