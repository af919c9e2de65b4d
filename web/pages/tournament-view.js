// What the page of a tournament shows: what it is, what one can do, boards, standings, games, the cross table.

import { mini } from "../board/draw.js";
import { fromFen } from "../board/replay.js";
import { fill, h, icon, twice } from "../lib/dom.js";
import { language, number, t } from "../lib/i18n.js";
import { clockText } from "../lib/speak.js";
import { layoutTitle } from "../parts/layouts.js";
import { clockShort } from "./lobby-view.js";

/** @typedef {import("./tournament.js").State} State */
/** @typedef {import("../lib/types.js").TournamentView} TournamentView */
/** @typedef {import("../lib/types.js").TournamentSummary} TournamentSummary */
/** @typedef {import("../lib/types.js").TournamentGame} TournamentGame */
/** @typedef {import("../lib/types.js").StandingView} StandingView */
/** @typedef {import("../lib/types.js").LayoutView} LayoutView */
/** @typedef {import("../lib/types.js").CrossTable} CrossTable */
/** @typedef {{act: (what: string) => void, round: (round: number) => void, cross: (open: boolean) => void}} Actions */

/** What a result gives Black and White. @type {Record<string, string>} */
const RESULTS = { black: "1–0", white: "0–1", draw: "½–½", "black-absent": "−/+", "white-absent": "+/−", unplayed: "−/−" };

/** Day and time. @param {number} ms */
export function moment(ms) {
  return new Intl.DateTimeFormat(language(), { dateStyle: "medium", timeStyle: "short" }).format(ms);
}

/** What a tournament is, in a few words. @param {TournamentSummary} tournament @param {LayoutView | undefined} layout */
export function facts({ system, clock, rated, welcome }, layout) {
  const [unit, n] = system.kind === "swiss" ? ["rounds", system.rounds] : system.kind === "arena" ? ["minutes", system.minutes] : ["cycles", system.cycles];
  const all = [t(`tournament.system.${system.kind}`), t(`tournament.count.${unit}`, { n }), clockShort(clock), layout ? layoutTitle(layout) : t("tournament.layout.random"), t(rated ? "lobby.is-rated" : "lobby.is-casual")];
  return welcome === "both" ? all : [...all, t(`tournament.welcome.${welcome}`)];
}

/**
 * @param {HTMLElement} root
 * @param {import("../lib/types.js").Meta} meta
 * @param {import("../lib/types.js").PersonView | null} person
 * @param {Actions} actions
 */
export function tournamentView(root, meta, person, actions) {
  const title = h("h1", {});
  const about = h("p", { class: "small soft" });
  const when = h("p", { class: "when", role: "status" });
  const buttons = h("div", { class: "row" });
  const boards = h("div", { class: "boards" });
  const standings = h("div", {});
  const games = h("div", {});
  const cross = h("div", { class: "wide-table", tabindex: 0, role: "region", "aria-label": t("tournament.cross") });
  const crossed = h("details", { data: { part: "cross" }, ontoggle: () => actions.cross(crossed.open) }, h("summary", {}, t("tournament.cross")), cross);
  const files = h("p", { class: "row small" });
  /** Positions of the games that are shown. @type {Map<string, string>} */
  const positions = new Map();
  /** What was drawn last, so that nothing that is in use is drawn anew. */
  let drawn = { buttons: "", boards: "", standings: "" };
  /** @type {State | null} */
  let last = null;
  fill(root, h("div", { class: "prose tournament" }, h("p", { class: "small" }, h("a", { href: "/tournaments" }, t("nav.tournaments"))), title, about, when, buttons, boards, h("section", {}, h("h2", {}, t("tournament.standings")), standings), h("section", {}, games), crossed, files));
  const timer = setInterval(() => last && tick(last.tournament), 1000);
  return { update, board, close: () => clearInterval(timer) };

  /** @param {State} state */
  function update(state) {
    last = state;
    const { tournament } = state;
    const layout = meta.layouts.find(({ name }) => name === tournament.layout);
    title.textContent = tournament.name;
    about.textContent = [...facts(tournament, layout), tournament.by && t("tournament.by", { name: tournament.by })].filter(Boolean).join(" · ");
    tick(tournament);
    const own = person ? tournament.standings.find(({ name }) => name === person.name) : undefined;
    again("buttons", [tournament.stage, own?.here, own?.game, own === undefined, tournament.round], () => fill(buttons, choices(tournament, own)));
    again("boards", tournament.playing, () => fill(boards, tournament.playing.filter(({ game }) => game && positions.has(game)).slice(0, 4).map(shown)));
    again("standings", [tournament.standings, tournament.tie_breaks], () => fill(standings, tournament.standings.length ? table(tournament) : h("p", { class: "soft" }, t("tournament.nobody"))));
    fill(games, tournament.round ? list(state) : null);
    crossed.hidden = tournament.system.kind === "arena" || !tournament.round;
    fill(cross, state.cross ? crossTable(state.cross, tournament) : null);
    fill(files, tournament.round ? [file("apgn"), file("csv")] : null);

    /** @param {"apgn" | "csv"} kind */
    function file(kind) {
      return h("a", { class: "button quiet", href: `/api/v1/tournaments/${tournament.id}/${kind}`, download: "" }, icon("save"), t(`tournament.file.${kind}`));
    }
  }

  /** Draws a part if it is another one than before. @param {keyof typeof drawn} part @param {unknown} what @param {() => void} draw */
  function again(part, what, draw) {
    const now = JSON.stringify(what);
    if (drawn[part] === now) return;
    drawn[part] = now;
    draw();
  }

  /** A game that is followed has another position. @param {string} game @param {string} fen */
  function board(game, fen) {
    positions.set(game, fen);
    const there = boards.querySelector(`[data-game="${game}"] svg`);
    if (there) there.replaceWith(mini(fromFen(fen)));
    else if (last) {
      drawn.boards = "";
      update(last);
    }
  }

  /** What time it is in the tournament. @param {TournamentView} tournament */
  function tick({ stage, starts, ends, round, rounds, system }) {
    const left = (/** @type {number} */ until) => clockText(Math.max(0, until - Date.now()));
    const soon = starts - Date.now() < 24 * 3_600_000;
    const text = {
      planned: soon ? t("tournament.starts-in", { time: left(starts) }) : t("tournament.starts-at", { time: moment(starts) }),
      running: system.kind === "arena" ? t("tournament.ends-in", { time: left(ends ?? 0) }) : t("tournament.round", { round, rounds: rounds ?? round }),
      paused: t("tournament.stage.paused"),
      over: t("tournament.ended", { time: moment(ends ?? 0) }),
      cancelled: t("tournament.stage.cancelled"),
    }[stage];
    if (when.textContent !== text) when.textContent = text;
    // Seconds that go by are not to be spoken one by one.
    when.setAttribute("aria-live", stage === "planned" || system.kind === "arena" ? "off" : "polite");
  }

  /** What the person here can do. @param {TournamentView} tournament @param {StandingView | undefined} own */
  function choices(tournament, own) {
    const { stage, late, system, by, round, rounds } = tournament;
    if (stage === "over" || stage === "cancelled") return [];
    if (!person) return [h("a", { class: "button main", href: "/account" }, t("tournament.log-in"))];
    const act = (/** @type {string} */ what, /** @type {string} */ kind = "") => h("button", { class: kind, data: { act: what }, onclick: () => actions.act(what) }, t(`tournament.act.${what}`));
    const all = [];
    const opens = stage === "planned" || (late && system.kind !== "round-robin");
    if (own?.game) all.push(h("a", { class: "button main", href: `/game/${own.game}`, data: { act: "own" } }, icon("play"), t("tournament.own-game")));
    if (own?.here) all.push(act("withdraw"));
    else if (own) all.push(h("button", { class: "main", data: { act: "join" }, onclick: () => actions.act("join") }, t("tournament.act.back")));
    else if (opens) all.push(act("join", "main"));
    if (own?.here && system.kind === "swiss" && stage !== "planned" && round + 1 < (rounds ?? 0)) all.push(act("bye"));
    if (by !== person.name && person.role === "person") return all;
    if (stage === "planned") all.push(act("start"));
    if (stage === "running") all.push(act("pause"));
    if (stage === "paused") all.push(act("resume"));
    const cancel = h("button", { class: "quiet", data: { act: "cancel" }, onclick: () => twice(cancel, t("game.sure"), () => actions.act("cancel")) }, t("tournament.act.cancel"));
    return [...all, cancel];
  }

  /** A game as it is played. @param {TournamentGame} game */
  function shown({ game, black, white }) {
    const fen = positions.get(game ?? "");
    return h("a", { class: "card board", href: `/game/${game}`, data: { game } }, fen ? mini(fromFen(fen)) : null, h("span", { class: "small" }, `${black} – ${white}`));
  }

  /** @param {TournamentView} tournament */
  function table({ standings, tie_breaks, system }) {
    const [decides] = tie_breaks;
    const head = h("tr", {}, [t("tournament.place"), t("tournament.player"), t("tournament.points"), t(`tournament.tie.${decides}`), t("tournament.games")].map((text) => h("th", { scope: "col" }, text)));
    return h("table", { class: "standings" }, h("thead", {}, head), h("tbody", {}, standings.map(line)));

    /** @param {StandingView} line */
    function line({ place, name, bot, rating, here, points, tie_breaks, games, doubled, game }) {
      const marks = [bot ? t("tournament.bot") : "", here ? "" : t("tournament.away"), doubled && system.kind === "arena" ? t("tournament.double") : ""].filter(Boolean).join(" · ");
      const who = name ? h("a", { href: `/people/${name}` }, name) : h("span", { class: "soft" }, t("tournament.closed"));
      return h(
        "tr",
        { class: person && name === person.name ? "own" : "" },
        h("td", {}, place),
        h("td", {}, who, " ", h("span", { class: "small soft" }, [rating, marks].filter(Boolean).join(" · ")), game ? h("a", { class: "small playing", href: `/game/${game}` }, t("tournament.plays")) : null),
        h("td", {}, h("strong", {}, number(points))),
        h("td", {}, decides === "performance" ? String(tie_breaks[0] ?? 0) : number(tie_breaks[0] ?? 0)),
        h("td", {}, games),
      );
    }
  }

  /** The games of a round. @param {State} state */
  function list({ tournament, round }) {
    if (!round) return h("button", { class: "quiet", data: { act: "games" }, onclick: () => actions.round(tournament.round) }, icon("search"), t("tournament.show-games"));
    const step = (/** @type {number} */ to, /** @type {"back" | "next"} */ way) => h("button", { class: "quiet", disabled: to < 1 || to > tournament.round, "aria-label": t(`tournament.round.${way}`), onclick: () => actions.round(to) }, icon(way));
    return [
      h("h2", { class: "row" }, step(round.round - 1, "back"), t("tournament.games-of", { round: round.round }), step(round.round + 1, "next")),
      h("ul", { class: "list games-of" }, round.games.map(({ game, black, white, result }) => {
        const names = `${black} – ${white}`;
        return h("li", { class: "row spread" }, game ? h("a", { href: `/game/${game}` }, names) : h("span", {}, names), h("strong", {}, result ? RESULTS[result] : "*"));
      })),
    ];
  }

  /** @param {CrossTable} cross @param {TournamentView} tournament */
  function crossTable({ rows }, { system, rounds }) {
    const each = system.kind === "round-robin" ? rows.map((_, at) => at + 1) : Array.from({ length: rounds ?? 0 }, (_, at) => at + 1);
    const head = h("tr", {}, [t("tournament.place"), t("tournament.player"), ...each, t("tournament.points")].map((text) => h("th", { scope: "col" }, text)));
    const body = rows.map((row, at) => {
      const cells = system.kind === "round-robin" ? row.cells.map((games, other) => (other === at ? "×" : games.map(({ points }) => (points === null ? "*" : points === 0.5 ? "½" : points)).join(" "))) : each.map((_, round) => row.rounds[round] ?? "");
      return h("tr", {}, h("td", {}, at + 1), h("th", { scope: "row" }, row.name), cells.map((cell) => h("td", {}, cell)), h("td", {}, h("strong", {}, number(row.points))));
    });
    return h("table", { class: "cross" }, h("thead", {}, head), h("tbody", {}, body));
  }
}
