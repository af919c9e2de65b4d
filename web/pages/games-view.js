// What the list of games looks like.

import { mini } from "../board/draw.js";
import { fromFen } from "../board/replay.js";
import { told } from "../lib/api.js";
import { fill, h, icon, select } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { tags } from "../lib/shelf.js";
import { layoutTitle } from "../parts/layouts.js";
import { card } from "./games-card.js";

/** @typedef {import("./games.js").State} State */
/**
 * @typedef {object} Search
 * @property {(query: Record<string, string>) => void} search
 * @property {() => void} more
 * @property {(files: Blob[]) => void} load
 * @property {() => void} save
 */
/** @typedef {Search & import("./games-card.js").Actions} Actions */

/** @param {HTMLElement} root @param {State} first @param {Actions} act */
export function gamesView(root, first, act) {
  const list = h("ul", { class: "game-list" });
  const total = h("p", { class: "soft", role: "status" });
  const wrong = h("p", { class: "told bad", role: "alert", hidden: true });
  const more = h("button", { onclick: act.more, data: { act: "more" } }, t("games.more"));
  const form = filters(first, act);
  const importing = importPanel(act);
  const save = h("button", { class: "quiet", data: { act: "export" }, onclick: act.save }, icon("save"), t("games.export"));
  const none = h("div", { class: "empty", hidden: true });
  fill(
    root,
    h(
      "div",
      { class: "stack" },
      h("div", { class: "row spread" }, h("h1", {}, t("nav.games")), importing.button),
      importing.paper,
      importing.element,
      form,
      wrong,
      h("div", { class: "row spread" }, total, save),
      list,
      none,
      more,
    ),
  );
  const stopDrop = dropFiles(root, act);
  return {
    close: stopDrop,
    /** Gives a file to the person. @param {string} text */
    save(text) {
      const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
      h("a", { href: url, download: "sumito-games.apgn" }).click();
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
    },
    /** @param {State} state */
    update(state) {
      total.textContent = state.busy ? t("games.searching") : t("games.total", { n: state.total });
      fill(list, state.games.map((game) => card(game, state, act)));
      more.hidden = !state.next;
      save.hidden = !state.games.length;
      save.disabled = state.exporting !== null;
      save.lastChild?.replaceWith(state.exporting === null ? t("games.export") : t("games.exporting", { n: state.exporting }));
      none.hidden = state.busy || state.games.length > 0 || !wrong.hidden;
      if (!none.hidden) fill(none, nothing(state));
      importing.update(state.importing);
    },
    /** @param {string} text */
    wrong(text) {
      wrong.textContent = text;
      wrong.hidden = !text;
    },
  };
}

/** What is seen instead of games: why there are none, and one thing to do. @param {State} state */
function nothing({ meta, query }) {
  const sought = Object.values(query).some(Boolean);
  const picture = mini(fromFen(meta.layouts[0].fen));
  if (sought) return [picture, h("h2", {}, t("games.nothing")), h("a", { class: "button", href: "/games" }, t("games.all"))];
  return [picture, h("h2", {}, t("games.none")), h("p", { class: "soft" }, t("games.none.text")), h("a", { class: "button main", href: "/" }, icon("play"), t("learn.play"))];
}

/** Files can be dropped anywhere on the page. @param {HTMLElement} root @param {Actions} act */
function dropFiles(root, act) {
  /** @param {DragEvent} event */
  const over = (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    root.classList.add("dropping");
  };
  /** @param {DragEvent} event */
  const away = (event) => event.relatedTarget || root.classList.remove("dropping");
  /** @param {DragEvent} event */
  const drop = (event) => {
    root.classList.remove("dropping");
    const files = [...(event.dataTransfer?.files ?? [])];
    if (!files.length) return;
    event.preventDefault();
    act.load(files);
  };
  window.addEventListener("dragover", over);
  window.addEventListener("dragleave", away);
  window.addEventListener("drop", drop);
  return () => {
    window.removeEventListener("dragover", over);
    window.removeEventListener("dragleave", away);
    window.removeEventListener("drop", drop);
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
  const known = [...new Set([...tags(), query.tag].filter(Boolean))];
  const rare = ["layout", "result", "source", "sort", "min_plies", "max_plies", "opening", "fen", "agent"].some((name) => query[name]);
  let timer = 0;
  const form = h(
    "form",
    { class: "card stack", role: "search", onsubmit: submit, oninput: soon },
    h(
      "div",
      { class: "filters" },
      field("player", { type: "search" }),
      known.length ? choice("tag", known.map((tag) => [tag, tag])) : null,
      h("label", { class: "tick" }, h("input", { type: "checkbox", name: "mine", value: "yes", checked: query.mine === "yes" }), t("games.mine")),
    ),
    h(
      "details",
      { open: rare },
      h("summary", {}, t("games.finer")),
      h("div", { class: "filters" }, choice("layout", layouts), choice("result", results), choice("source", sources), label("sort", select({ name: "sort" }, sorts, query.sort || "newest")), field("agent"), field("min_plies", { type: "number", min: 0 }), field("max_plies", { type: "number", min: 0 }), field("opening", { placeholder: "a1b2,i9h8" }), h("div", { class: "wide" }, field("fen", { placeholder: "ss1SS/sssSSS/…" }))),
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

/** @param {Actions} act */
function importPanel(act) {
  const file = h("input", { type: "file", name: "import", multiple: true, accept: ".apgn,.pgn,.txt,text/plain", class: "unseen", tabindex: -1, "aria-hidden": "true", onchange: chosen });
  const pasted = h("textarea", { name: "pasted", rows: 5, placeholder: "1. a1b2 i5h5 2. b2c3 …", "aria-label": t("import.paste") });
  const paper = h("form", { class: "card stack", hidden: true, onsubmit: read }, pasted, h("div", {}, h("button", { class: "main", data: { act: "read" } }, t("import.read"))));
  const paste = h("button", { class: "quiet", data: { act: "paste" }, onclick: () => ((paper.hidden = !paper.hidden), pasted.focus()) }, icon("edit"), t("import.paste"));
  const button = h("span", { class: "row" }, paste, h("button", { data: { act: "import" }, title: t("import.how"), onclick: () => file.click() }, icon("plus"), t("import.button")), file);
  const bar = h("progress", { max: 1, value: 0, "aria-label": t("import.button") });
  const text = h("p", { role: "status" });
  const refused = h("ul", { class: "small" });
  const away = h("button", { class: "quiet", "aria-label": t("close"), onclick: () => (element.hidden = true) }, icon("close"));
  const element = h("div", { class: "card stack", hidden: true, data: { import: "" } }, bar, h("div", { class: "row spread" }, text, away), refused);
  /** @type {unknown} */
  let seen = null;
  function chosen() {
    act.load([...(file.files ?? [])]);
    // The same file can be chosen again.
    file.value = "";
  }
  /** @param {Event} event */
  function read(event) {
    event.preventDefault();
    if (!pasted.value.trim()) return;
    act.load([new Blob([pasted.value])]);
    paper.hidden = true;
    pasted.value = "";
  }
  return {
    button,
    paper,
    element,
    /** @param {State["importing"]} state */
    update(state) {
      // Who has put it away is not told the same again.
      if (state !== seen) element.hidden = !state;
      seen = state;
      if (!state) return;
      away.hidden = state.state === "running";
      element.dataset.import = state.state;
      bar.hidden = state.state !== "running";
      bar.value = state.whole ? state.done / state.whole : 0;
      text.textContent = [t("import.done", { n: state.imported }), state.duplicates ? t("import.duplicates", { n: state.duplicates }) : "", state.refused_count ? t("import.refused", { n: state.refused_count }) : "", state.error ?? ""].filter(Boolean).join(" · ");
      fill(refused, state.refused.slice(0, 10).map(({ game, line, error }) => h("li", {}, t("import.line", { game, line, why: told(error, true) }))));
    },
  };
}
