// What the analysis page looks like.

import { fill, h, icon, toast } from "../lib/dom.js";
import { short, t } from "../lib/i18n.js";
import { scoreText, turnedScore } from "../lib/speak.js";
import { toText } from "../lib/tree.js";
import { agentField } from "../parts/agents.js";
import { pageBoard } from "../parts/board.js";
import { editorPanel } from "../parts/editor.js";
import { chances, evaluationBar } from "../parts/evaluation.js";
import { walker, walkKeys } from "../parts/movelist.js";
import { opinionPanel } from "../parts/opinion.js";
import { shareTools } from "../parts/share.js";
import { treeView } from "../parts/treeview.js";

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
 */

/** @param {HTMLElement} root @param {State} first @param {Actions} act */
export function analyseView(root, first, act) {
  const { board, stopWatching } = pageBoard({ player: "both", move: act.move, pick: act.pick });
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
  const normal = h(
    "div",
    { class: "stack" },
    engine.element,
    tree.element,
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
  const side = h("aside", { class: "side", "aria-label": t("side.label") });
  fill(root, h("h1", { class: "unseen" }, t("nav.analyse")), h("div", { class: "desk" }, h("div", { class: "middle study-middle" }, frame, walker(act)), side));
  /** @type {unknown} */
  let shown = null;

  return {
    /** @param {State} state */
    update(state) {
      board.flip = state.flip;
      const { node, editor: editing } = state;
      board.editing = Boolean(editing);
      const at = positionOf(state);
      const key = editing ?? node.view ?? node;
      if (key !== shown) {
        board.position = at;
        shown = key;
      }
      board.arrows = arrows(state);
      const black = node.turnIsBlack(state.root);
      bar.update(state.found?.lines[0]?.black ?? outcomeShare(node.view) ?? 0.5, state.flip);
      const wanted = editing ? editor.element : normal;
      if (wanted.parentNode !== side) fill(side, wanted);
      if (editing) return editor.update(editing);
      engine.update(state, black ? "black" : "white");
      tree.update(state.root, node);
      opinion.update(state.opinion, black ? "black" : "white");
      listGames(state);
      fill(links, linkTo("games", node.view?.fen), linkTo("openings", node.view?.fen), h("button", { data: { act: "copy-apgn" }, onclick: () => copyText(state) }, icon("copy"), "APGN"));
      share.update({ id: state.game, ply: node.ply, fen: node.view?.fen ?? null, flip: state.flip });
    },
    close() {
      stopKeys();
      stopWatching();
    },
  };

  /** @param {State} state */
  function listGames({ games: all }) {
    const name = (/** @type {any} */ game, /** @type {number} */ i) => `${i + 1}. ${game.tags.Black ?? "?"} – ${game.tags.White ?? "?"}`;
    fill(games, all.length > 1 ? all.map((game, i) => h("button", { onclick: () => act.choose(i) }, name(game, i))) : null);
  }

  /** @param {State} state */
  async function copyText(state) {
    const head = Object.entries({ ...state.tags, SetUp: "1", Position: state.root.fen });
    const text = `${head.map(([tag, value]) => `[${tag} "${value}"]`).join("\n")}\n\n${toText(state.root)} *\n`;
    await navigator.clipboard.writeText(text).then(
      () => toast(t("share.apgn-copied"), "note"),
      () => prompt(t("share.by-hand"), text),
    );
  }
}

/** @param {State} state @returns {import("../lib/types.js").PositionView} */
function positionOf({ node, root, editor }) {
  const still = { fen: node.fen, plies: node.ply, moves: [], threatened: [], outcome: null };
  if (editor) return { ...still, ...editor.marbles, turn: editor.turn, last: null };
  if (node.view) return { ...node.view, last: node.move ?? node.view.last };
  return { ...still, ...node.marbles, turn: node.turnIsBlack(root) ? "black" : "white", last: node.move };
}

/** @param {import("../lib/types.js").PositionView | null} view */
function outcomeShare(view) {
  if (!view?.outcome) return null;
  return view.outcome.winner === "black" ? 1 : view.outcome.winner === "white" ? 0 : 0.5;
}

/** @param {State} state */
function arrows({ found, opinion, editor }) {
  if (editor) return [];
  if (opinion && opinion !== "asked" && opinion.move) return [{ move: opinion.move, kind: "hint" }];
  const kinds = ["best", "second", "third"];
  const lines = found?.lines.slice(0, 3) ?? [];
  return lines.flatMap(({ line }, i) => (line.length ? [{ move: line[0], kind: kinds[i] }] : [])).reverse();
}

/** @param {"games" | "openings"} page @param {string | undefined} fen */
function linkTo(page, fen) {
  const query = fen ? `?${new URLSearchParams({ fen })}` : "";
  return h("a", { class: "button", href: `/${page}${query}`, data: { act: `to-${page}` } }, icon(page === "games" ? "search" : "book"), t(`analyse.${page}`));
}

/** @param {Actions} act */
function enginePanel(act) {
  const on = h("input", { type: "checkbox", name: "engine", onchange: () => act.engine(on.checked) });
  const facts = h("span", { class: "small soft", data: { facts: "" } });
  const count = h("span", { class: "value" });
  const wdl = chances();
  const lines = h("div", { class: "lines", "aria-live": "off" });
  const fewer = h("button", { class: "quiet", "aria-label": t("engine.fewer") }, "−");
  const more = h("button", { class: "quiet", "aria-label": t("engine.more") }, "+");
  const outcome = h("p", { class: "result", hidden: true });
  return {
    element: h(
      "section",
      { class: "card stack", "aria-label": t("engine.title") },
      h("div", { class: "row spread" }, h("label", { class: "tick" }, on, h("strong", {}, t("engine.title"))), h("span", { class: "row" }, fewer, count, more)),
      facts,
      wdl.element,
      outcome,
      lines,
    ),
    /** @param {State} state @param {Color} turn */
    update({ engine, found, lines: wanted, node }, turn) {
      on.checked = engine;
      count.textContent = t("engine.lines", { n: wanted });
      fewer.disabled = wanted <= 1;
      more.disabled = wanted >= 6;
      fewer.onclick = () => act.lines(wanted - 1);
      more.onclick = () => act.lines(wanted + 1);
      facts.textContent = found ? t("watch.facts", { depth: found.depth, nodes: short(found.nodes), nps: short(found.nps) }) : engine ? t("engine.waiting") : t("engine.off");
      wdl.update(found?.lines[0]?.wdl, turn);
      wdl.element.hidden = !engine;
      outcome.hidden = !node.view?.outcome;
      if (node.view?.outcome) {
        facts.textContent = "";
        outcome.textContent = node.view.outcome.winner ? t(`wins.${node.view.outcome.winner}`) : t("wins.nobody");
      }
      // Room for all lines from the start, so that nothing below them moves.
      lines.style.minHeight = `${2.5 * wanted}rem`;
      fill(lines, (found?.lines ?? []).map((line) => engineLine(line, turn)));
    },
  };

  /** @param {import("./analyse.js").Found["lines"][number]} line @param {Color} turn */
  function engineLine({ score, text, line }, turn) {
    const shown = score && (turn === "black" ? score : turnedScore(score));
    return h(
      "div",
      { class: "engine-line" },
      h("span", { class: "value" }, scoreText(shown)),
      h("span", { class: "text" }, text.slice(0, 12).map((move, i) => (i === 0 ? h("button", { onclick: () => act.move(line[0]) }, move) : ` ${move}`))),
    );
  }
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
