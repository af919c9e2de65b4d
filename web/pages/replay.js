// A match or a tournament from its file of games, played again: how it stood after each game. The file stays in this browser.

import { fill, h, icon, toast } from "../lib/dom.js";
import { number, t } from "../lib/i18n.js";
import { pack } from "../lib/address.js";

/** A game of the file, and its text. @typedef {{black: string, white: string, points: number | null, text: string}} Played */
/** What a player has done so far; `met` are the games and points against each other one. @typedef {{name: string, games: number, points: number, met: Map<string, [number, number]>}} Line */

/** The largest file, and the most games of it. */
const MOST_BYTES = 100_000_000;
const MOST_GAMES = 50_000;
/** What a result gives Black. @type {Record<string, number>} */
const RESULTS = { "1-0": 1, "0-1": 0, "1/2-1/2": 0.5 };
/** The whole of it is played again in so many steps of so many milliseconds. */
const STEPS = 150;
const STEP = 100;
/** Games that are listed, the last ones. */
const LISTED = 12;

/** The games of a text in APGN. @param {string} text @returns {Played[]} */
export function games(text) {
  const parts = text.replaceAll("\r\n", "\n").split(/\n\s*\n(?=\[)/).slice(0, MOST_GAMES);
  return parts.flatMap((part) => {
    const tag = (/** @type {string} */ name) => new RegExp(`^\\[${name} "((?:[^"\\\\]|\\\\.)*)"\\]`, "m").exec(part)?.[1].replace(/\\(.)/g, "$1");
    const [black, white, result] = [tag("Black"), tag("White"), tag("Result")];
    return black && white ? [{ black, white, points: RESULTS[result ?? ""] ?? null, text: part.trim() }] : [];
  });
}

/** The standings after games, the first one first. @param {Played[]} played @returns {Line[]} */
export function stand(played) {
  /** @type {Map<string, Line>} */
  const lines = new Map();
  const line = (/** @type {string} */ name) => lines.get(name) ?? /** @type {Line} */ (lines.set(name, { name, games: 0, points: 0, met: new Map() }).get(name));
  for (const { black, white, points } of played) {
    for (const [own, other, won] of /** @type {const} */ ([[black, white, points], [white, black, points === null ? null : 1 - points]])) {
      const it = line(own);
      if (won === null) continue;
      it.games += 1;
      it.points += won;
      const [games, sum] = it.met.get(other) ?? [0, 0];
      it.met.set(other, [games + 1, sum + won]);
    }
  }
  const share = (/** @type {Line} */ { games, points }) => (games ? points / games : 0);
  return [...lines.values()].sort((a, b) => share(b) - share(a) || b.points - a.points || a.name.localeCompare(b.name));
}

/** @type {import("../app.js").Open} */
export function open(root) {
  /** @type {Played[]} */
  let all = [];
  let timer = 0;
  const file = h("input", { type: "file", name: "file", accept: ".apgn,.pgn,.txt,text/plain", class: "unseen", tabindex: -1, "aria-hidden": "true", onchange: () => read(file.files?.[0]) });
  const choose = h("button", { class: "main", data: { act: "file" }, onclick: () => file.click() }, icon("plus"), t("replay.choose"));
  const slider = h("input", { type: "range", name: "until", min: 0, "aria-label": t("tournament.games"), oninput: () => (stop(), show()) });
  const play = h("button", { data: { act: "play" }, onclick: () => (timer ? stop() : start()) });
  const told = h("p", { class: "small soft", role: "status" });
  const standings = h("div", { class: "wide-table", tabindex: 0, role: "region", "aria-label": t("tournament.standings") });
  const list = h("ul", { class: "list" });
  const body = h("div", { hidden: true }, h("div", { class: "row even" }, slider), h("div", { class: "row" }, play, told), standings, h("h2", {}, t("tournament.games")), list);
  fill(root, h("div", { class: "prose tournament" }, h("h1", {}, t("nav.replay")), h("p", {}, t("replay.intro")), h("p", {}, choose, file), body));
  return { close: () => clearInterval(timer) };

  /** @param {File | undefined} chosen */
  async function read(chosen) {
    if (!chosen) return;
    if (chosen.size > MOST_BYTES) return toast(t("replay.large"));
    all = games(await chosen.text());
    if (!all.length) return toast(t("replay.empty"));
    body.hidden = false;
    slider.max = slider.value = String(all.length);
    stop();
    show();
  }

  function start() {
    if (Number(slider.value) >= all.length) slider.value = "0";
    fill(play, icon("pause"), t("replay.stop"));
    timer = setInterval(() => {
      slider.value = String(Number(slider.value) + Math.max(1, Math.round(all.length / STEPS)));
      if (Number(slider.value) >= all.length) stop();
      show();
    }, STEP);
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    fill(play, icon("play"), t("replay.play"));
  }

  function show() {
    const n = Number(slider.value);
    const played = all.slice(0, n);
    told.textContent = t("replay.of", { done: n, all: all.length });
    fill(standings, table(stand(played)));
    fill(list, played.slice(-LISTED).reverse().map(row));
  }

  /** @param {Played} game */
  function row(game) {
    const result = game.points === null ? "*" : game.points === 1 ? "1–0" : game.points === 0 ? "0–1" : "½–½";
    return h("li", { class: "row spread" }, h("button", { class: "quiet", onclick: () => analyse(game) }, `${game.black} – ${game.white}`), h("strong", {}, result));
  }

  /** On the analysis board, with all that the file says about the moves. @param {Played} game */
  async function analyse({ text }) {
    const fragment = await pack(`-\n${text}`);
    if (fragment) (await import("../app.js")).go(`/analyse#${fragment}`);
    else toast(t("analyse.too-long"));
  }
}

/** @param {Line[]} lines */
function table(lines) {
  const head = h("tr", {}, [t("tournament.place"), t("tournament.player"), t("tournament.points"), t("tournament.games"), ...lines.map((_, at) => at + 1)].map((text) => h("th", { scope: "col" }, text)));
  const body = lines.map(({ name, games, points, met }, at) => {
    const cells = lines.map((other) => {
      const [, won] = met.get(other.name) ?? [0, null];
      return h("td", {}, other.name === name ? "×" : won === null ? "" : number(won));
    });
    return h("tr", {}, h("td", {}, at + 1), h("th", { scope: "row" }, name), h("td", {}, h("strong", {}, number(points))), h("td", {}, games), cells);
  });
  return h("table", { class: "cross" }, h("thead", {}, head), h("tbody", {}, body));
}
