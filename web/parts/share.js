// What one can take away: the link, the record, the position as text and as a picture.

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
 */

/** A row of buttons that copy and save. */
export function shareTools() {
  /** @type {Shared} */
  let now = { id: null, ply: 0, fen: null, flip: false };
  const link = button("link", copyLink);
  const apgn = h("a", { class: "button", data: { act: "apgn" }, download: "" }, "APGN");
  const element = h(
    "div",
    { class: "share" },
    link,
    apgn,
    button("fen", async () => copy(await fen(), "share.fen-copied")),
    button("picture", async () => copy(await publicUrl(picture(await fen())), "share.picture-copied")),
    button("svg", async () => save(picture(await fen()), "svg")),
    button("png", async () => save(await png(picture(await fen())), "png")),
  );
  return {
    element,
    link: shareLink,
    /** @param {Shared} shared */
    update(shared) {
      now = shared;
      link.hidden = apgn.hidden = !shared.id;
      apgn.href = `/api/v1/games/${shared.id}/apgn`;
      apgn.download = `sumito-${shared.id}.apgn`;
    },
  };

  async function copyLink() {
    copy(await publicUrl(`/game/${now.id}`), "share.link-copied");
  }
  /** By the device's own way where it has one. */
  async function shareLink() {
    if (!navigator.share) return copyLink();
    // Who closes the device's list has not failed.
    await navigator.share({ url: await publicUrl(`/game/${now.id}`) }).catch(() => {});
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
async function copy(text, told) {
  try {
    await navigator.clipboard.writeText(text);
    toast(t(told), "note");
  } catch {
    // Without the right to the clipboard the text is shown, to be copied by hand.
    prompt(t("share.by-hand"), text);
  }
}

/** @param {string} url @param {string} kind */
function save(url, kind) {
  const link = h("a", { href: url, download: `sumito.${kind}` });
  document.body.append(link);
  link.click();
  link.remove();
}

/** A picture as PNG, twice the size for sharp screens. @param {string} url */
async function png(url) {
  const text = await (await fetch(url)).text();
  const image = new Image();
  const source = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  await new Promise((done, fail) => {
    image.onload = done;
    image.onerror = () => fail(new Error(t("error.title")));
    image.src = source;
  });
  const canvas = h("canvas", { width: image.width * 2, height: image.height * 2 });
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(source);
  return canvas.toDataURL("image/png");
}
