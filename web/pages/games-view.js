// What the list of games looks like.

import { mini } from "../board/draw.js";
import { fromFen } from "../board/replay.js";
import { fill, h, icon, select, twice } from "../lib/dom.js";
import { date, t, tOr } from "../lib/i18n.js";
import { keyOf } from "../lib/keys.js";
import { seatName } from "../lib/speak.js";
import { layoutTitle } from "../parts/layouts.js";

/** @typedef {import("./games.js").State} State */
/** @typedef {import("../lib/types.js").GameSummary} GameSummary */

/**
 * @param {HTMLElement} root
 * @param {State} first
 * @param {{search: (query: Record<string, string>) => void, more: () => void, load: (file: Blob) => void, forget: (id: string) => void}} act
 */
export function gamesView(root, first, act) {
  const list = h("ul", { class: "game-list" });
  const total = h("p", { class: "soft", role: "status" });
  const wrong = h("p", { class: "told bad", role: "alert", hidden: true });
  const more = h("button", { onclick: act.more, data: { act: "more" } }, t("games.more"));
  const form = filters(first, act);
  const importing = importPanel(act);
  fill(root, h("div", { class: "stack" }, h("div", { class: "row spread" }, h("h1", {}, t("nav.games")), importing.button), importing.element, form, wrong, total, list, more));
  return {
    /** @param {State} state */
    update(state) {
      total.textContent = state.busy ? t("games.searching") : t("games.total", { n: state.total });
      fill(list, state.games.map((game) => item(game, state, act)));
      more.hidden = !state.next;
      importing.update(state.importing);
    },
    /** @param {string} text */
    wrong(text) {
      wrong.textContent = text;
      wrong.hidden = !text;
    },
  };
}

/** @param {State} state @param {{search: (query: Record<string, string>) => void}} act */
function filters({ meta, query }, act) {
  /** @param {string} name @param {Record<string, any>} [props] */
  const field = (name, props = {}) => label(name, h("input", { name, value: query[name], autocomplete: "off", spellcheck: "false", ...props }));
  /** @param {string} name @param {[string, string][]} options */
  const choice = (name, options) => label(name, select({ name }, [["", t("games.any")], ...options], query[name]));
  /** @param {string} name @param {HTMLElement} input */
  const label = (name, input) => h("label", { class: "field" }, h("span", {}, t(`games.${name}`)), input);
  const results = /** @type {[string, string][]} */ (["black", "white", "draw", "none"].map((name) => [name, t(`games.result.${name}`)]));
  const sources = /** @type {[string, string][]} */ (["play", "watch", "import"].map((name) => [name, t(`games.source.${name}`)]));
  const sorts = /** @type {[string, string][]} */ (["newest", "oldest", "longest", "shortest"].map((name) => [name, t(`games.sort.${name}`)]));
  const layouts = /** @type {[string, string][]} */ (meta.layouts.map((each) => [each.name, layoutTitle(each)]));
  const rare = ["min_plies", "max_plies", "opening", "fen", "agent"].some((name) => query[name]);
  let timer = 0;
  const form = h(
    "form",
    { class: "card stack", role: "search", onsubmit: submit, oninput: soon },
    h("div", { class: "filters" }, field("player", { type: "search" }), choice("layout", layouts), choice("result", results), choice("source", sources), label("sort", select({ name: "sort" }, sorts, query.sort || "newest"))),
    h(
      "details",
      { open: rare },
      h("summary", {}, t("games.finer")),
      h("div", { class: "filters" }, field("agent"), field("min_plies", { type: "number", min: 0 }), field("max_plies", { type: "number", min: 0 }), field("opening", { placeholder: "a1b2,i9h8" }), h("div", { class: "wide" }, field("fen", { placeholder: "ss1SS/sssSSS/…" }))),
    ),
  );
  /** @param {Event} [event] */
  function submit(event) {
    event?.preventDefault();
    clearTimeout(timer);
    const data = new FormData(form);
    const wanted = Object.fromEntries([...data].map(([name, value]) => [name, String(value).trim()]));
    if (wanted.sort === "newest") wanted.sort = "";
    act.search(wanted);
  }
  function soon() {
    clearTimeout(timer);
    timer = setTimeout(submit, 350);
  }
  return form;
}

/** @param {GameSummary} game @param {State} state @param {{forget: (id: string) => void}} act */
function item(game, { meta, query }, act) {
  const layout = meta.layouts.find(({ name }) => name === game.layout);
  const winner = game.result;
  /** @param {"black" | "white"} color */
  const name = (color) =>
    h("div", { class: winner === color ? "won" : "" }, h("span", { class: `dot ${color}` }), h("span", {}, seatName(game[color], color)), winner === color ? icon("check") : null);
  const facts = [
    layout ? layoutTitle(layout) : null,
    t("games.plies", { n: game.plies }),
    game.damaged ? t("games.damaged") : winner === null ? t(game.source === "import" ? "games.result.unknown" : "games.result.none") : winner === "draw" ? t("games.result.draw") : null,
    tOr(`games.source.${game.source}`, game.source),
    date(game.created),
  ].filter(Boolean);
  const ply = query.fen && game.ply !== undefined ? `?ply=${game.ply}` : "";
  const href = game.source === "watch" && winner === null ? `/watch/${game.id}` : ply ? `/analyse/${game.id}${ply}` : `/game/${game.id}`;
  return h(
    "li",
    {},
    h("a", { href, data: { game: game.id } }, game.fen ? mini(fromFen(game.fen)) : null, h("div", { class: "names" }, name("white"), name("black"), h("div", { class: "small soft" }, h("span", {}, facts.join("\u00a0· "))))),
    keyOf(game.id) ? forgetButton(game.id, act) : null,
  );
}

/** @param {string} id @param {{forget: (id: string) => void}} act */
function forgetButton(id, act) {
  const button = h("button", { class: "quiet small", data: { act: "delete", id }, onclick: () => twice(button, t("game.sure"), () => act.forget(id)) }, icon("trash"), t("games.delete"));
  return button;
}

/** @param {{load: (file: Blob) => void}} act */
function importPanel(act) {
  const file = h("input", { type: "file", name: "import", accept: ".apgn,.pgn,.txt,text/plain", class: "unseen", tabindex: -1, "aria-hidden": "true", onchange: () => file.files?.[0] && act.load(file.files[0]) });
  const button = h("span", {}, h("button", { data: { act: "import" }, onclick: () => file.click() }, icon("plus"), t("import.button")), file);
  const bar = h("progress", { max: 1, value: 0, "aria-label": t("import.button") });
  const text = h("p", { role: "status" });
  const refused = h("ul", { class: "small" });
  const element = h("div", { class: "card stack", hidden: true, data: { import: "" } }, bar, text, refused);
  return {
    button,
    element,
    /** @param {any} state */
    update(state) {
      element.hidden = !state;
      if (!state) return;
      element.dataset.import = state.state;
      bar.hidden = state.state !== "running";
      bar.value = state.whole ? state.done / state.whole : 0;
      text.textContent = [t("import.done", { n: state.imported }), state.duplicates ? t("import.duplicates", { n: state.duplicates }) : "", state.refused_count ? t("import.refused", { n: state.refused_count }) : "", state.error ?? ""].filter(Boolean).join(" · ");
      fill(refused, state.refused.slice(0, 10).map((/** @type {any} */ each) => h("li", {}, t("import.line", { game: each.game, line: each.line, why: each.why }))));
    },
  };
}
