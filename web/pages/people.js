// Somebody: ratings with their curves, games, how they did against whom, and with which openings.

import { mini } from "../board/draw.js";
import { fromFen } from "../board/replay.js";
import { who } from "../lib/account.js";
import { get } from "../lib/api.js";
import { fill, h } from "../lib/dom.js";
import { date, t, tOr } from "../lib/i18n.js";
import { agentName, seatName } from "../lib/speak.js";
import { curve } from "../parts/ending.js";
import { peaceTools } from "../parts/peace.js";
import { className } from "./lobby-view.js";

/** @typedef {import("../lib/types.js").ProfileView} ProfileView */
/** @typedef {import("../lib/types.js").PersonRatingView} PersonRatingView */
/** @typedef {import("../lib/types.js").GameSummary} GameSummary */

/** @type {import("../app.js").Open} */
export async function open(root, name) {
  const path = `/people/${encodeURIComponent(name ?? "")}`;
  const [profile, { opponents, openings }, { games }] = await Promise.all([get(path), get(`${path}/record`), get("/games", { person: name, limit: 20 })]);
  const { person, ratings } = /** @type {ProfileView} */ (profile);
  document.title = `${person.name} · Sumito`;
  const me = await who();
  fill(
    root,
    h(
      "div",
      { class: "prose person" },
      h("h1", {}, person.name),
      h("p", { class: "small soft" }, [t("person.since", { date: date(person.created) }), tOr(`person.role.${person.role}`, "")].filter(Boolean).join(" · ")),
      ratings.length ? h("ul", { class: "list" }, ratings.map(row)) : h("p", { class: "soft" }, t("person.unrated")),
      me && me.name !== person.name ? peaceTools(person.name) : null,
      part("person.opponents", opponents.map(opponent)),
      part("person.openings", openings.map(opening)),
      h("section", {}, h("h2", {}, t("nav.games")), games.length ? h("ul", { class: "list" }, games.map(game)) : h("p", { class: "soft" }, t("person.no-games"))),
    ),
  );
  return {};
}

/** @param {string} title @param {import("../lib/dom.js").Child[]} rows */
function part(title, rows) {
  return rows.length ? h("section", {}, h("h2", {}, t(title)), h("ul", { class: "list" }, rows)) : null;
}

/** @param {import("../lib/types.js").AgainstView} against */
function opponent({ name, agent, score }) {
  const who = name ? h("a", { href: `/people/${name}` }, name) : h("span", {}, agent ? agentName(agent) : t("person.guests"));
  return h("li", { class: "row spread" }, who, counted(score));
}

/** @param {import("../lib/types.js").FavouriteView} favourite */
function opening({ color, layout, moves, fen, score }) {
  const words = h("span", {}, h("span", { class: `dot ${color}` }), ` ${tOr(`layout.${layout}`, layout)}`, h("div", { class: "small soft" }, moves.join(" ")));
  return h("li", { class: "row spread" }, h("a", { class: "row", href: `/analyse?fen=${encodeURIComponent(fen)}` }, mini(fromFen(fen)), words), counted(score));
}

/** "3–1–2", in words for whoever asks. @param {import("../lib/types.js").ScoreCountView} score */
function counted({ won, drawn, lost }) {
  return h("strong", { title: t("person.score", { won, drawn, lost }), "aria-label": t("person.score", { won, drawn, lost }), role: "img" }, `${won}–${drawn}–${lost}`);
}

/** @param {PersonRatingView} rating */
function row(rating) {
  const values = rating.curve.map(([, value]) => value);
  return h(
    "li",
    { class: "row" },
    h("strong", {}, className(rating.class)),
    h("span", {}, `${rating.value}${rating.provisional ? "?" : ""}`),
    h("span", { class: "small soft" }, `± ${2 * rating.deviation} · ${t("person.games", { n: rating.games })}`),
    values.length > 1 ? curve(values) : null,
  );
}

/** @param {GameSummary} game */
function game(game) {
  const won = game.result === "draw" ? "½–½" : game.result === "black" ? "1–0" : game.result === "white" ? "0–1" : "";
  return h(
    "li",
    {},
    h("a", { class: "row", href: `/game/${game.id}` }, game.fen ? mini(fromFen(game.fen)) : null, h("span", {}, `${seatName(game.black, "black")} – ${seatName(game.white, "white")}`), h("strong", {}, won), h("span", { class: "small soft" }, date(game.created))),
  );
}
