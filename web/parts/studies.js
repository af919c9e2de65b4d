// The studies of this device in a dialog: open, rename, take away as a file, delete.

import { mini } from "../board/draw.js";
import { fromFen } from "../board/replay.js";
import { fill, h, icon, toast, twice } from "../lib/dom.js";
import { drafts, dropDraft, recordOf } from "../lib/drafts.js";
import { date, t } from "../lib/i18n.js";
import { movesText } from "../lib/speak.js";
import { dropStudy, nameOf, renameStudy, studies } from "../lib/studies.js";
import { saveText } from "./share.js";

/** @typedef {import("../lib/studies.js").Study} Study */

/**
 * @param {object} act
 * @param {string | null} act.current the study or draft that is open
 * @param {string} act.fen the position on the board, for the picture of the invitation
 * @param {() => void} act.keep keeps what is on the board
 * @param {(id: string) => void} act.open
 * @param {() => void} act.changed one was renamed or deleted
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
    const left = drafts().filter(({ id }) => id !== current);
    fill(
      list,
      all.length ? [h("p", { class: "small soft" }, t("studies.where")), h("ul", { class: "study-list" }, all.map(row))] : invitation(),
      left.length ? [h("h3", {}, t("drafts.title")), h("ul", { class: "study-list" }, left.map(draftRow))] : null,
    );
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
    const { id, text } = study;
    const field = h("input", { type: "text", name: "study-name", value: nameOf(study), maxlength: 80, "aria-label": t("studies.name"), onchange: () => rename(study, field) });
    const save = h("button", { class: "quiet", data: { act: "export-study" }, onclick: () => saveText(recordOf(text), fileName(nameOf(study))) }, icon("save"), "APGN");
    return h(
      "li",
      { data: { study: id }, "aria-current": id === current ? "true" : null },
      picture(study),
      h("div", { class: "stack" }, field, facts(study), h("div", { class: "tools" }, save, dropButton("drop-study", () => dropStudy(id)))),
    );
  }

  /** One that was left without being kept. @param {Study} draft */
  function draftRow(draft) {
    const { id } = draft;
    return h("li", { data: { draft: id } }, picture(draft), h("div", { class: "stack" }, h("div", {}, nameOf(draft)), facts(draft), h("div", { class: "tools" }, dropButton("drop-draft", () => dropDraft(id)))));
  }

  /** @param {Study} study */
  function picture(study) {
    return h("button", { class: "study-picture", "aria-label": t("studies.open", { name: nameOf(study) }), data: { act: "open-study" }, onclick: () => close(() => open(study.id)) }, mini(fromFen(study.fen)));
  }

  /** @param {string} act @param {() => void} remove */
  function dropButton(act, remove) {
    const drop = h("button", { class: "quiet", data: { act }, onclick: () => twice(drop, t("game.sure"), removed) }, icon("trash"), t("studies.delete"));
    function removed() {
      remove();
      changed();
      draw();
    }
    return drop;
  }

  /** Who wipes a name out has the one that it began with. @param {Study} study @param {HTMLInputElement} field */
  function rename(study, field) {
    const name = field.value.trim();
    field.value = nameOf({ ...study, name });
    if (!renameStudy(study.id, name)) toast(t("studies.full"));
    if (study.id === current) changed();
  }

  /** @param {() => void} then */
  function close(then) {
    dialog.close();
    then();
  }
}

/** @param {Study} study */
function facts({ moves, changed: when }) {
  return h("div", { class: "small soft" }, `${movesText(moves)} · ${date(when)}`);
}

/** @param {string} name */
function fileName(name) {
  return `${name.replace(/[^\p{L}\p{N} _-]/gu, "").trim().slice(0, 60) || "study"}.apgn`;
}
