// What the lobby shows: clocks to choose from, and the searches of others.

import { mini } from "../board/draw.js";
import { fromFen } from "../board/replay.js";
import { moveTime } from "../lib/clock.js";
import { fill, h, icon, select } from "../lib/dom.js";
import { date, t, tOr } from "../lib/i18n.js";
import { seatName } from "../lib/speak.js";
import { layoutTitle } from "../parts/layouts.js";

/** @typedef {import("./lobby.js").State} State */
/** @typedef {import("../lib/types.js").SeekView} SeekView */
/** @typedef {import("../lib/types.js").ClockView} ClockView */
/** @typedef {{seek: (clock: ClockView) => void, accept: (id: string) => void, cancel: (id?: string) => void, choose: (change: Partial<State>) => void}} Actions */

/** Minutes for the game and seconds for each move. @type {[number, number][]} */
export const CLOCKS = [[1, 0], [2, 1], [3, 0], [3, 2], [5, 0], [5, 3], [10, 0], [15, 10]];
/** Days for each move. */
const DAYS = [1, 2, 3, 5, 7, 10, 14];
const DAY = 86_400_000;

/** @param {number} minutes @param {number} seconds @returns {ClockView} */
export function clock(minutes, seconds) {
  return { kind: "game", base_ms: minutes * 60_000, increment_ms: seconds * 1000 };
}

/** "5 + 3" @param {ClockView} view */
export function clockShort(view) {
  return view.kind === "move" ? moveTime(view.ms) : `${view.base_ms / 60_000}\u00a0+\u00a0${view.increment_ms / 1000}`;
}

/**
 * @param {HTMLElement} root
 * @param {import("../lib/types.js").Meta} meta
 * @param {import("../lib/types.js").PersonView | null} person
 * @param {Actions} act
 * @param {HTMLElement | null} bots those that are here, for somebody who may play with them
 */
export function lobbyView(root, meta, person, act, bots) {
  const mine = h("div", { class: "clocks" });
  const list = h("ul", { class: "list seeks" });
  const layouts = /** @type {[string, string][]} */ ([["random", t("lobby.random")], ...meta.layouts.map((layout) => [layout.name, layoutTitle(layout)])]);
  const rated = h("input", { type: "checkbox", name: "rated", checked: true, onchange: () => act.choose({ rated: rated.checked }) });
  const layout = select({ name: "layout", onchange: () => act.choose({ layout: layout.value }) }, layouts, "belgian-daisy");
  const days = h("div", { class: "days" }, DAYS.map((n) => h("button", { data: { days: n }, "aria-label": t("clock.days-move", { n }), onclick: () => act.seek({ kind: "move", ms: n * DAY }) }, String(n))));
  const waiting = h("ul", { class: "list", hidden: true });
  const playing = h("ul", { class: "list playing" });
  const games = h("section", { hidden: true }, h("h2", {}, t("lobby.mine")), playing);
  const now = h("ul", { class: "list now" });
  const playedNow = h("section", { hidden: true }, h("h2", {}, t("lobby.now")), now);
  const over = h("ul", { class: "list" });
  const results = h("section", { hidden: true }, h("h2", {}, t("lobby.results")), over);
  const terms = [mine, h("details", { class: "more" }, h("summary", {}, t("lobby.days")), h("div", { class: "stack" }, h("p", { class: "small soft" }, t("lobby.days.text")), days)), waiting, h("label", { class: "field" }, h("span", {}, t("setup.layout")), layout), h("label", { class: "tick" }, rated, t("lobby.rated"))];
  fill(
    root,
    h(
      "div",
      { class: "prose lobby" },
      h("h1", {}, t("lobby.title")),
      h("p", {}, h("a", { href: "/tournaments" }, t("nav.tournaments"))),
      person ? h("div", { class: "stack" }, terms) : h("p", {}, h("a", { class: "button main", href: "/account" }, t("lobby.log-in"))),
      games,
      h("section", {}, h("h2", {}, t("lobby.others")), list),
      bots,
      playedNow,
      results,
    ),
  );
  return { update };

  /** @param {State} state */
  function update(state) {
    const own = state.seeks.find((seek) => seek.own && !seek.waits);
    const kept = state.seeks.filter((seek) => seek.own && seek.waits);
    fill(waiting, kept.map(patient));
    waiting.hidden = !kept.length;
    playedNow.hidden = !state.now.length;
    fill(now, state.now.map(board));
    results.hidden = !state.results.length;
    fill(over, state.results.map(board));
    games.hidden = !state.playing.length;
    fill(playing, state.playing.map(game));
    fill(mine, own ? searching(own) : CLOCKS.map((pair) => choice(pair, state.lost)));
    const others = state.seeks.filter((seek) => !seek.own);
    fill(list, others.length ? others.map(row) : h("li", { class: "soft" }, t(state.lost ? "gone.text" : "lobby.nobody")));
  }

  /** @param {[number, number]} pair @param {boolean} lost nothing can be sent */
  function choice([minutes, seconds], lost) {
    const name = `${minutes}\u00a0+\u00a0${seconds}`;
    return h("button", { class: "tall", data: { clock: `${minutes}+${seconds}` }, "aria-label": t("clock.game", { minutes, seconds }), disabled: lost, onclick: () => act.seek(clock(minutes, seconds)) }, name);
  }

  /** @param {SeekView} seek */
  function searching(seek) {
    return h(
      "div",
      { class: "card row spread", role: "status" },
      h("span", { class: "thinking" }, t("lobby.searching", { clock: clockShort(seek.clock) })),
      h("button", { data: { act: "cancel" }, onclick: () => act.cancel() }, icon("close"), t("cancel")),
    );
  }

  /** One's own search that waits. @param {SeekView} seek */
  function patient(seek) {
    return h("li", { class: "row spread" }, h("span", {}, t("lobby.waiting", { clock: clockShort(seek.clock) })), h("button", { data: { cancel: seek.id }, onclick: () => act.cancel(seek.id) }, icon("close"), t("cancel")));
  }

  /** A game of others, as it is now or ended. @param {import("../lib/types.js").GameSummary} game */
  function board({ id, fen, black, white, result }) {
    const score = result === "draw" ? "½–½" : result === "black" ? "1–0" : result === "white" ? "0–1" : "";
    return h("li", {}, h("a", { class: "row", href: `/game/${id}` }, fen ? mini(fromFen(fen)) : null, h("span", {}, `${seatName(black, "black")} – ${seatName(white, "white")}`), h("strong", {}, score)));
  }

  /** A game that one plays. @param {import("../lib/types.js").PlayingView} playing */
  function game({ game, color, turn, due }) {
    const other = color === "black" ? "white" : "black";
    const facts = [turn ? t("lobby.your-turn") : "", due && turn ? t("lobby.due", { date: date(due) }) : ""];
    return h(
      "li",
      {},
      h("a", { class: "row", href: `/game/${game.id}`, data: { turn: String(turn) } }, game.fen ? mini(fromFen(game.fen)) : null, h("span", {}, seatName(game[other], other)), h("strong", {}, facts.filter(Boolean).join(" · "))),
    );
  }

  /** @param {SeekView} seek */
  function row(seek) {
    const known = meta.layouts.find(({ name }) => name === seek.layout);
    const facts = [clockShort(seek.clock), known ? layoutTitle(known) : seek.layout, t(seek.rated ? "lobby.is-rated" : "lobby.is-casual"), seek.color ? t(`lobby.has.${seek.color}`) : ""];
    return h(
      "li",
      { class: "row spread" },
      h("span", {}, h("a", { href: `/people/${seek.name}` }, seek.name), " ", h("span", { class: "soft" }, `${seek.rating}${seek.provisional ? "?" : ""}`), h("div", { class: "small soft" }, facts.filter(Boolean).join(" · "))),
      person ? h("button", { class: "main", data: { seek: seek.id }, onclick: () => act.accept(seek.id) }, t("lobby.play")) : null,
    );
  }
}

/** The class of a clock in words. @param {string} name */
export function className(name) {
  return tOr(`class.${name}`, name);
}
