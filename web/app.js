// The shell: the bar on top, and which page a path means. Pages are loaded when they are first opened.

import { who } from "./lib/account.js";
import { ApiError, meta } from "./lib/api.js";
import { fill, h, icon, say, toast } from "./lib/dom.js";
import { load, t } from "./lib/i18n.js";
import { back, tryNow, watchLine } from "./lib/line.js";
import { lookForClocks, runningClock } from "./parts/running.js";

/**
 * A page that is open; `close` ends its timers and sockets.
 * @typedef {{close?: () => void}} Page
 * @typedef {(root: HTMLElement, id: string | null, query: URLSearchParams) => Page | Promise<Page>} Open
 */

/** @type {Record<string, () => Promise<{open: Open}>>} */
const PAGES = {
  play: () => import("./pages/play.js"),
  watch: () => import("./pages/watch.js"),
  analyse: () => import("./pages/analyse.js"),
  review: () => import("./pages/review.js"),
  games: () => import("./pages/games.js"),
  openings: () => import("./pages/openings.js"),
  learn: () => import("./pages/learn.js"),
  about: () => import("./pages/about.js"),
  account: () => import("./pages/account.js"),
  lobby: () => import("./pages/lobby.js"),
  people: () => import("./pages/people.js"),
  moderation: () => import("./pages/moderation.js"),
  tournaments: () => import("./pages/tournaments.js"),
  tournament: () => import("./pages/tournament.js"),
  replay: () => import("./pages/replay.js"),
  reference: () => import("./pages/reference.js"),
};

/** The pages of the bar, with their paths. */
const LINKS = {
  play: "/",
  watch: "/watch",
  analyse: "/analyse",
  games: "/games",
  openings: "/openings",
  learn: "/learn",
  about: "/about",
};

/** Shows in the bar how many games wait for one. */
let onTurns = () => {};
addEventListener("turns", () => onTurns());

/** @type {Page | null} */
let page = null;
let turn = 0;
/** Whether the page could not be opened because the server was gone. */
let broken = false;

/** Pages whose path may go on: with a game, or with the step of a lesson. */
const DEEPER = ["play", "watch", "analyse", "review", "learn", "people", "tournament"];

/** `/game/ID` is the play page with a game in it; no name for a path that leads nowhere. @param {string} path @returns {[string, string | null]} */
function route(path) {
  const [first = "", id = null, ...more] = path.split("/").filter(Boolean);
  const name = first === "" || first === "game" ? "play" : first;
  const fits = id === null ? !["review", "people", "tournament"].includes(name) : DEEPER.includes(name) && (name !== "learn" || /^\d+$/.test(id));
  return [name in PAGES && fits && !more.length ? name : "", id];
}

async function show() {
  const mine = ++turn;
  const [name, id] = route(location.pathname);
  bar(name);
  lookForClocks();
  page?.close?.();
  page = null;
  broken = false;
  const root = h("div", { class: `page ${name}` });
  const main = /** @type {HTMLElement} */ (document.getElementById("page"));
  document.title = name && name !== "play" ? `${t(`nav.${name}`)} · Sumito` : "Sumito";
  if (!name) return astray(main, t("lost.title"), t("lost.text"));
  try {
    const { open } = await come(PAGES[name]);
    if (mine !== turn) return;
    main.replaceChildren(root);
    page = await open(root, id, new URLSearchParams(location.search));
    if (mine !== turn) page?.close?.();
    document.documentElement.dataset.ready = name;
    // The page listens and is on the screen: the frame after this one has been drawn.
    requestAnimationFrame(() => setTimeout(() => performance.mark("interactive")));
  } catch (error) {
    if (mine !== turn) return;
    broken = error instanceof ApiError && error.status === 0;
    astray(main, t("error.title"), String(/** @type {Error} */ (error).message));
  }
}

/** Files that come when they are wanted; of a server that is gone, when it is back. @template T @param {() => Promise<T>} wanted */
function come(wanted) {
  return wanted().catch(() => back().then(wanted));
}

/** A page that cannot be shown says why, and where else to go. @param {HTMLElement} main @param {string} title @param {string} text */
function astray(main, title, text) {
  document.title = `${title} · Sumito`;
  const links = h("div", { class: "row" }, h("a", { class: "button main", href: "/" }, t("lost.home")), h("a", { class: "button", href: "/games" }, t("nav.games")));
  fill(main, h("div", { class: "empty" }, h("img", { src: picture(), alt: "" }), h("h1", {}, title), h("p", { class: "soft" }, text), links));
  document.documentElement.dataset.ready = "lost";
}

function picture() {
  return new URL("./icon.svg", import.meta.url).href;
}

/** @param {string} name the page that is open */
function bar(name) {
  const links = Object.entries(LINKS).map(([page, href]) =>
    h("a", { href, "aria-current": page === name ? "page" : null }, t(`nav.${page}`)),
  );
  const { lobby, account } = arena(name);
  links.splice(1, 0, lobby);
  const inner = h(
    "div",
    { class: "bar" },
    h("a", { class: "brand", href: "/" }, h("img", { src: picture(), alt: "" }), "Sumito"),
    h("nav", { id: "nav", "aria-label": t("nav.label") }, links),
    runningClock,
    h(
      "button",
      { class: "quiet menu", "aria-controls": "nav", "aria-expanded": "false", "aria-label": t("nav.menu"), onclick: toggle },
      icon("menu"),
    ),
    account,
    h("button", { class: "quiet", id: "settings", "aria-label": t("settings.title"), title: t("settings.title"), onclick: settings }, icon("gear")),
  );
  fill(/** @type {HTMLElement} */ (document.getElementById("bar")), inner);

  /** @param {Event} event */
  function toggle(event) {
    const open = inner.classList.toggle("open");
    /** @type {HTMLElement} */ (event.currentTarget).setAttribute("aria-expanded", String(open));
  }
}

/** The ways to other people and to one's account, where there are accounts. @param {string} name the page that is open */
function arena(name) {
  const current = (/** @type {string} */ page) => (page === name ? "page" : null);
  const lobby = h("a", { href: "/lobby", hidden: true, "aria-current": current("lobby") }, t("nav.lobby"));
  const account = h("a", { class: "account", href: "/account", hidden: true, "aria-current": current("account") }, t("account.in.title"));
  meta()
    .then(async ({ arena }) => {
      lobby.hidden = account.hidden = !arena;
      const person = arena ? await who() : null;
      if (!person) return;
      account.textContent = person.name;
      const { turns, watchTurns } = await import("./lib/turns.js");
      watchTurns();
      const tell = () => (lobby.dataset.turns = turns() ? String(turns()) : "");
      tell();
      onTurns = tell;
    })
    // The page says that the server is gone.
    .catch(() => {});
  return { lobby, account };
}

async function settings() {
  const { openSettings } = await come(() => import("./parts/settings.js"));
  openSettings(async () => {
    await load();
    await show();
  });
}

/**
 * Opens a page of ours.
 * @param {string} href
 * @param {boolean} [instead] in the place of this one in the history
 */
export function go(href, instead = false) {
  if (instead) history.replaceState(null, "", href);
  else history.pushState(null, "", href);
  window.scrollTo(0, 0);
  return show();
}

document.addEventListener("click", (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const link = /** @type {Element} */ (event.target).closest("a");
  if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
  if (link.pathname.startsWith("/api/")) return;
  event.preventDefault();
  go(link.href).then(() => document.getElementById("page")?.focus({ preventScroll: true }));
});
window.addEventListener("popstate", () => show());
window.addEventListener("account", () => bar(route(location.pathname)[0]));
watchLine((gone) => {
  const bar = /** @type {HTMLElement} */ (document.getElementById("gone"));
  fill(bar, gone ? h("div", {}, h("span", {}, t("gone.text")), h("button", { class: "quiet", onclick: tryNow }, t("gone.now"))) : null);
  if (gone) return;
  say(t("gone.back"));
  if (broken) show();
});
window.addEventListener("unhandledrejection", (event) => {
  const { reason } = event;
  if (!(reason instanceof ApiError)) return toast(t("error.title"));
  // What the server refuses is told to the person; it is no fault of the page.
  event.preventDefault();
  toast(reason.message);
});

// The page's files come while the texts do.
PAGES[route(location.pathname)[0]]?.().catch(() => {});
await load();
await show();
