// A game in the list: its last position, who played, how it stands, when; and what its owner or reader can do with it.

import { mini } from "../board/draw.js";
import { fromFen } from "../board/replay.js";
import { h, icon, twice } from "../lib/dom.js";
import { date, t, tOr } from "../lib/i18n.js";
import { isWaiting } from "../lib/invitations.js";
import { keyOf } from "../lib/keys.js";
import { noteOf, tagsOf } from "../lib/shelf.js";
import { movesText, seatName } from "../lib/speak.js";
import { layoutTitle } from "../parts/layouts.js";

/** @typedef {import("./games.js").State} State */
/** @typedef {import("../lib/types.js").GameSummary} GameSummary */
/** @typedef {{forget: (id: string) => void, note: (id: string, note: import("../lib/shelf.js").Note) => void}} Actions */

/** @param {GameSummary} game @param {State} state @param {Actions} act */
export function card(game, { meta, query }, act) {
  const layout = meta.layouts.find(({ name }) => name === game.layout);
  const winner = game.result;
  const { name, tags = [] } = noteOf(game.id);
  /** @param {"black" | "white"} color */
  const player = (color) =>
    h(
      "div",
      { class: winner === color ? "won" : "" },
      h("span", { class: `dot ${color}` }),
      h("span", {}, seatName(game[color], color)),
      winner === color ? icon("check") : null,
      game.damaged ? null : h("strong", { class: "score", title: t("player.count", { n: game.score[color] }) }, game.score[color]),
    );
  const facts = [
    layout ? layoutTitle(layout) : null,
    movesText(game.plies),
    game.damaged ? t("games.damaged") : winner === null ? t(game.source === "import" ? "games.result.unknown" : "games.result.none") : winner === "draw" ? t("games.result.draw") : null,
    isWaiting(game) ? t("friend.waiting") : tOr(`games.source.${game.source}`, game.source),
    date(game.created),
  ].filter(Boolean);
  const ply = query.fen && game.ply !== undefined ? `?ply=${game.ply}` : "";
  const href = game.source === "watch" && winner === null ? `/watch/${game.id}` : ply ? `/analyse/${game.id}${ply}` : `/game/${game.id}`;
  return h(
    "li",
    {},
    h(
      "a",
      { href, data: { game: game.id } },
      game.fen ? mini(fromFen(game.fen)) : null,
      h("div", { class: "names" }, name ? h("div", { class: "title" }, name) : null, player("white"), player("black"), h("div", { class: "small soft" }, h("span", {}, facts.join("\u00a0· ")))),
    ),
    h(
      "div",
      { class: "under" },
      tags.map((tag) => h("a", { class: "tag", href: `/games?tag=${encodeURIComponent(tag)}` }, tag)),
      h("button", { class: "quiet small", data: { act: "note", id: game.id }, onclick: () => openNote(game.id, act) }, icon("edit"), t("games.note")),
      keyOf(game.id) ? forgetButton(game.id, act) : null,
    ),
  );
}

/** @param {string} id @param {Actions} act */
function forgetButton(id, act) {
  const button = h("button", { class: "quiet small", data: { act: "delete", id }, onclick: () => twice(button, t("game.sure"), () => act.forget(id)) }, icon("trash"), t("games.delete"));
  return button;
}

/** Asks for a name and tags. @param {string} id @param {Actions} act */
function openNote(id, act) {
  const { name = "", tags = [] } = noteOf(id);
  const called = h("input", { name: "called", value: name, maxlength: 80, autocomplete: "off" });
  const tagged = h("input", { name: "tagged", value: tags.join(", "), maxlength: 200, autocomplete: "off", placeholder: t("games.tags.example") });
  const dialog = h(
    "dialog",
    { "aria-label": t("games.note"), onclose: () => dialog.remove() },
    h("header", {}, h("h2", {}, t("games.note")), h("button", { class: "quiet", "aria-label": t("close"), onclick: () => dialog.close() }, icon("close"))),
    h(
      "form",
      { class: "stack", onsubmit: keep },
      h("label", { class: "field" }, h("span", {}, t("games.name")), called),
      h("label", { class: "field" }, h("span", {}, t("games.tags")), tagged),
      h("p", { class: "small soft" }, t("games.note.kept")),
      h("button", { class: "main", data: { act: "keep" } }, t("games.keep")),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  called.focus();

  /** @param {Event} event */
  function keep(event) {
    event.preventDefault();
    dialog.close();
    act.note(id, { name: called.value.trim(), tags: tagsOf(tagged.value) });
  }
}
