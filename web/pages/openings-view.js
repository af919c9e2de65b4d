// What the opening explorer looks like: a board, the way to it, and a table of what was played.

import { mini } from "../board/draw.js";
import { fromFen } from "../board/replay.js";
import { fill, h, icon, select } from "../lib/dom.js";
import { number, t } from "../lib/i18n.js";
import { pageBoard } from "../parts/board.js";
import { parts } from "../parts/evaluation.js";
import { walker, walkKeys } from "../parts/movelist.js";

/** @typedef {import("./openings.js").State} State */
/** @typedef {import("./openings.js").Choice} Choice */

/**
 * @param {HTMLElement} root
 * @param {{move: (move: import("../lib/types.js").MoveView, after?: string) => void, to: (where: "first" | "back" | "next" | "last") => void, flip: () => void, back: (length: number) => void, filter: (wanted: Record<string, string>) => void}} act
 */
export function openingsView(root, act) {
  const { board, stopWatching } = pageBoard({ player: "both", move: (move) => act.move(move) });
  const trail = h("div", { class: "row small" });
  const total = h("p", { class: "soft small", role: "status" });
  const table = h("table", { class: "explorer" });
  const none = h("div", { class: "empty" });
  const stopKeys = walkKeys(act);
  const form = filters(act.filter);
  const links = h("div", { class: "tools" });
  fill(
    root,
    h("h1", { class: "unseen" }, t("nav.openings")),
    h("div", { class: "desk" }, h("div", { class: "middle study-middle" }, h("div", { class: "frame" }, board), walker(act)), h("aside", { class: "side", "aria-label": t("side.label") }, h("section", { class: "card stack" }, trail, total, h("div", { class: "scroll" }, table), none), form, links)),
  );
  /** @type {unknown} */
  let shown = null;

  return {
    /** @param {State} state */
    update(state) {
      board.flip = state.flip;
      const { found, path } = state;
      if (!found) return;
      if (found !== shown) {
        board.position = { ...found.position, last: path[path.length - 1].move };
        shown = found;
      }
      fill(trail, path.map(({ move }, i) => h("button", { class: "quiet", onclick: () => act.back(i + 1) }, move ? move.move : t("openings.start"))));
      total.textContent = t("openings.total", { n: found.games });
      fill(table, head(), h("tbody", {}, found.moves.slice(0, 40).map(row)));
      total.hidden = table.hidden = !found.games;
      none.hidden = found.games > 0;
      if (!found.games) fill(none, nothing(state, found.position.fen));
      const query = new URLSearchParams({ fen: found.position.fen });
      fill(links, h("a", { class: "button", href: `/games?${query}` }, icon("search"), t("analyse.games")), h("a", { class: "button", href: `/analyse?${query}` }, icon("engine"), t("game.analyse")));
    },
    /** Shows a move before the server has counted what follows it. @param {State} state */
    moved({ found }) {
      board.arrows = [];
      if (found) board.position = found.position;
    },
    close() {
      stopKeys();
      stopWatching();
    },
  };

  /** What is seen instead of moves: why there are none, and one thing to do. @param {State} state @param {string} fen */
  function nothing({ path, filter }, fen) {
    const picture = mini(fromFen(fen));
    if (path.length > 1) return [picture, h("h2", {}, t("openings.new")), h("button", { class: "main", data: { act: "start" }, onclick: () => act.back(1) }, t("walk.first"))];
    if (Object.values(filter).some(Boolean)) return [picture, h("h2", {}, t("games.nothing"))];
    const links = h("div", { class: "row" }, h("a", { class: "button main", href: "/" }, icon("play"), t("learn.play")), h("a", { class: "button", href: "/games" }, t("import.button")));
    return [picture, h("h2", {}, t("openings.new")), h("p", { class: "soft" }, t("openings.none.text")), links];
  }

  /** @param {Choice} choice */
  function row(choice) {
    const { move, games, black_wins, draws, white_wins, average_plies, after_fen } = choice;
    const arrow = [{ move, kind: "best" }];
    return h(
      "tr",
      { class: "choice", data: { move: move.move }, onclick: () => act.move(move, after_fen), onmouseenter: () => (board.arrows = arrow), onmouseleave: () => (board.arrows = []) },
      h("td", {}, h("button", { onfocus: () => (board.arrows = arrow), onblur: () => (board.arrows = []) }, move.move)),
      h("td", { class: "number" }, number(games)),
      h("td", {}, h("div", { class: "stat wdl", title: t("openings.results", { black: black_wins, draws, white: white_wins }) }, parts(black_wins, draws, white_wins, 0.25))),
      h("td", { class: "number soft" }, average_plies === null ? "" : number(Math.round(average_plies))),
    );
  }
}

function head() {
  return h("thead", {}, h("tr", {}, h("th", {}, t("openings.move")), h("th", { class: "number" }, t("openings.games")), h("th", {}, t("openings.result")), h("th", { class: "number", title: t("openings.plies") }, "⌀")));
}

/** @param {(wanted: Record<string, string>) => void} filter */
function filters(filter) {
  const player = h("input", { type: "search", name: "player", placeholder: t("games.player"), "aria-label": t("games.player"), onchange: changed });
  const source = select({ name: "source", "aria-label": t("games.source"), onchange: changed }, [["", t("openings.all")], .../** @type {[string, string][]} */ (["play", "watch", "import"].map((name) => [name, t(`games.source.${name}`)]))], "");
  function changed() {
    filter({ player: player.value.trim(), source: source.value });
  }
  return h("div", { class: "row even" }, player, source);
}
