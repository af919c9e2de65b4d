// What one can take away: the link, the record, the position as text and as a picture, the game as a film.

import { get, picturePath, publicUrl } from "../lib/api.js";
import { h, toast } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { current } from "../lib/settings.js";

/**
 * @typedef {object} Shared
 * @property {string | null} id the game, if it is stored
 * @property {number} ply
 * @property {string | null} fen `null` to ask the server for it
 * @property {boolean} flip
 * @property {() => string | null | Promise<string | null>} [path] of the link, if it is not the game's own; `null` if it is too long
 * @property {() => string} [apgn] the record, if it is not the stored game
 */

/** A row of buttons that copy and save. */
export function shareTools() {
  /** @type {Shared} */
  let now = { id: null, ply: 0, fen: null, flip: false };
  const link = button("link", copyLink);
  const apgn = h("a", { class: "button", data: { act: "apgn" }, download: "", title: t("share.apgn"), onclick: saveApgn }, t("share.apgn.short"));
  const film = h("a", { class: "button", data: { act: "film" }, download: "", title: t("share.film") }, t("share.film.short"));
  const element = h(
    "div",
    { class: "share" },
    link,
    apgn,
    button("fen", async () => copy(await fen(), "share.fen-copied")),
    button("picture", async () => copy(await publicUrl(picture(await fen())), "share.picture-copied")),
    button("svg", async () => save(picture(await fen()), "svg")),
    button("png", async () => save(await png(), "png")),
    film,
    button("print", () => print()),
  );
  return {
    element,
    link: shareLink,
    /** @param {Shared} shared */
    update(shared) {
      now = shared;
      link.hidden = !shared.id && !shared.path;
      apgn.hidden = !shared.id && !shared.apgn;
      apgn.href = `/api/v1/games/${shared.id}/apgn`;
      apgn.download = `sumito-${shared.id}.apgn`;
      film.hidden = !shared.id;
      film.href = `/api/v1/games/${shared.id}/film.gif${shared.flip ? "?flip=true" : ""}`;
      film.download = `sumito-${shared.id}.gif`;
    },
  };

  /** Of what is shown; `null` if it is too long for an address. */
  async function pathOf() {
    return now.path ? now.path() : `/game/${now.id}`;
  }

  async function copyLink() {
    const path = await pathOf();
    if (path) await copy(await publicUrl(path), "share.link-copied");
    else toast(t("analyse.too-long"));
  }

  /** @param {Event} event */
  function saveApgn(event) {
    if (!now.apgn) return;
    event.preventDefault();
    saveText(now.apgn(), "sumito.apgn");
  }

  /** The board on this page, as it looks. */
  async function png() {
    const board = /** @type {import("../board/board.js").Board} */ (element.closest(".page")?.querySelector("sumito-board"));
    return (await import("./picture.js")).boardPng(board);
  }

  /** By the device's own way where it has one. */
  async function shareLink() {
    if (!navigator.share) return copyLink();
    // Who closes the device's list has not failed.
    await navigator.share({ url: await publicUrl((await pathOf()) ?? "/") }).catch(() => {});
  }

  async function fen() {
    return now.fen ?? (await get(`/games/${now.id}/position`, { ply: now.ply })).fen;
  }
  /** @param {string} text */
  function picture(text) {
    return picturePath({ fen: text, theme: current().theme, flip: now.flip });
  }
}

/** @param {string} name @param {() => void} action */
function button(name, action) {
  return h("button", { data: { act: name }, title: t(`share.${name}`), onclick: action }, t(`share.${name}.short`));
}

/** @param {string} text @param {string} told */
export async function copy(text, told) {
  try {
    await navigator.clipboard.writeText(text);
    toast(t(told), "note");
  } catch {
    // Without the right to the clipboard the text is shown, to be copied by hand.
    prompt(t("share.by-hand"), text);
  }
}

/** @param {string} text @param {string} name of the file */
export function saveText(text, name) {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  save(url, "", name);
  // Firefox reads it a moment after the click.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** @param {string} url @param {string} kind @param {string} [name] */
function save(url, kind, name = `sumito.${kind}`) {
  const link = h("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
}
