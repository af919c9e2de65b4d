// The studies of this device in a dialog: open, rename, take away as a file, delete.

import { mini } from "../board/draw.js";
import { fromFen } from "../board/replay.js";
import { fill, h, icon, toast, twice } from "../lib/dom.js";
import { date, t } from "../lib/i18n.js";
import { dropStudy, renameStudy, studies } from "../lib/studies.js";
import { saveText } from "./share.js";

/** @typedef {import("../lib/studies.js").Study} Study */

/**
 * @param {object} act
 * @param {string | null} act.current the study that is open
 * @param {string} act.fen the position on the board, for the picture of the invitation
 * @param {() => void} act.keep keeps what is on the board
 * @param {(id: string) => void} act.open
 * @param {() => void} act.changed the study that is open was renamed or deleted
 */
export function openStudies({ current, fen, keep, open, changed }) {
  const list = h("div", { class: "stack" });
  const dialog = h(
    "dialog",
    { class: "studies", "aria-labelledby": "studies-title", onclose: () => dialog.remove() },
    h("header", {}, h("h2", { id: "studies-title" }, t("studies.title")), h("button", { class: "quiet", "aria-label": t("close"), onclick: () => dialog.close() }, icon("close"))),
    list,
  );
  document.body.append(dialog);
  dialog.showModal();
  draw();

  function draw() {
    const all = studies();
    fill(list, all.length ? [h("p", { class: "small soft" }, t("studies.where")), h("ul", { class: "study-list" }, all.map(row))] : invitation());
  }

  function invitation() {
    return h(
      "div",
      { class: "empty", data: { empty: "" } },
      mini(fromFen(fen)),
      h("p", {}, t("studies.empty")),
      h("button", { class: "main", data: { act: "keep-first" }, onclick: () => close(keep) }, icon("save"), t("studies.keep")),
    );
  }

  /** @param {Study} study */
  function row(study) {
    const { id, name, fen: shown, moves, changed: when } = study;
    const field = h("input", { type: "text", name: "study-name", value: name, maxlength: 80, "aria-label": t("studies.name"), onchange: () => rename(id, field) });
    const drop = h("button", { class: "quiet", data: { act: "drop-study" }, onclick: () => twice(drop, t("game.sure"), () => remove(id)) }, icon("trash"), t("studies.delete"));
    return h(
      "li",
      { data: { study: id }, "aria-current": id === current ? "true" : null },
      h("button", { class: "study-picture", "aria-label": t("studies.open", { name }), data: { act: "open-study" }, onclick: () => close(() => open(id)) }, mini(fromFen(shown))),
      h(
        "div",
        { class: "stack" },
        field,
        h("div", { class: "small soft" }, `${t("graph.moves", { n: moves })} · ${date(when)}`),
        h("div", { class: "tools" }, h("button", { class: "quiet", data: { act: "export-study" }, onclick: () => saveText(apgn(study), fileName(name)) }, icon("save"), "APGN"), drop),
      ),
    );
  }

  /** @param {string} id @param {HTMLInputElement} field */
  function rename(id, field) {
    const name = field.value.trim() || t("studies.unnamed");
    field.value = name;
    if (!renameStudy(id, name)) toast(t("studies.full"));
    if (id === current) changed();
  }

  /** @param {string} id */
  function remove(id) {
    dropStudy(id);
    if (id === current) changed();
    draw();
  }

  /** @param {() => void} then */
  function close(then) {
    dialog.close();
    then();
  }
}

/** What is behind the first line is a record. @param {Study} study */
function apgn({ text }) {
  return text.slice(text.indexOf("\n") + 1);
}

/** @param {string} name */
function fileName(name) {
  return `${name.replace(/[^\p{L}\p{N} _-]/gu, "").trim().slice(0, 60) || "study"}.apgn`;
}
