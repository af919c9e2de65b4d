// Somebody: ratings with their curves, and games.

import { mini } from "../board/draw.js";
import { fromFen } from "../board/replay.js";
import { get } from "../lib/api.js";
import { fill, h } from "../lib/dom.js";
import { date, t, tOr } from "../lib/i18n.js";
import { seatName } from "../lib/speak.js";
import { curve } from "../parts/ending.js";
import { className } from "./lobby-view.js";

/** @typedef {import("../lib/types.js").ProfileView} ProfileView */
/** @typedef {import("../lib/types.js").PersonRatingView} PersonRatingView */
/** @typedef {import("../lib/types.js").GameSummary} GameSummary */

/** @type {import("../app.js").Open} */
export async function open(root, name) {
  const [profile, { games }] = await Promise.all([get(`/people/${encodeURIComponent(name ?? "")}`), get("/games", { person: name, limit: 20 })]);
  const { person, ratings } = /** @type {ProfileView} */ (profile);
  document.title = `${person.name} · Sumito`;
  fill(
    root,
    h(
      "div",
      { class: "prose person" },
      h("h1", {}, person.name),
      h("p", { class: "small soft" }, [t("person.since", { date: date(person.created) }), tOr(`person.role.${person.role}`, "")].filter(Boolean).join(" · ")),
      ratings.length ? h("ul", { class: "list" }, ratings.map(row)) : h("p", { class: "soft" }, t("person.unrated")),
      h("section", {}, h("h2", {}, t("nav.games")), games.length ? h("ul", { class: "list" }, games.map(game)) : h("p", { class: "soft" }, t("person.no-games"))),
    ),
  );
  return {};
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
