// What two people offer each other while they play: the other side's wish with two answers, one's own with a way back.

import { fill, h, icon, say, toast } from "../lib/dom.js";
import { t } from "../lib/i18n.js";

/** @typedef {import("../lib/types.js").Color} Color */
/** @typedef {import("../lib/types.js").GameView} GameView */
/** @typedef {"draw" | "takeback"} Kind */
/** @typedef {{agree: (kind: Kind) => void, decline: (kind: Kind) => void}} Actions */

/** @param {Actions} act */
export function offerCard(act) {
  const element = h("div", { class: "offers", hidden: true });
  let drawn = "";
  /** My own offers that stood, and in which position. @type {{of: string, kinds: Kind[]}} */
  let before = { of: "", kinds: [] };
  /** Whether I take one back myself. */
  let withdrawn = false;
  return {
    element,
    /** @param {GameView} game @param {Color | null} mine @param {string} name of the other side */
    update(game, mine, name) {
      const open = mine && game.pair && !game.position.outcome ? standing(game) : [];
      const key = JSON.stringify([game.id, open, name]);
      element.hidden = open.length === 0;
      if (key === drawn) return;
      drawn = key;
      fill(element, open.map(({ kind, by }) => one(kind, by === mine, name)));
      const asked = open.find(({ by }) => by !== mine);
      if (asked) say(t(`offer.${asked.kind}`, { name }));
      answered(game, open.filter(({ by }) => by === mine).map(({ kind }) => kind), name);
    },
  };

  /** Who has offered something hears that the other side does not want it; all other answers show on the board. @param {GameView} game @param {Kind[]} kinds @param {string} name */
  function answered(game, kinds, name) {
    const of = `${game.id} ${game.moves.length} ${Boolean(game.position.outcome)}`;
    const gone = before.of === of && before.kinds.some((kind) => !kinds.includes(kind));
    if (gone && !withdrawn) toast(t("offer.declined", { name }), "note");
    if (gone) withdrawn = false;
    before = { of, kinds };
  }

  /** @param {Kind} kind @param {boolean} own */
  function decline(kind, own) {
    withdrawn = own;
    act.decline(kind);
  }

  /** @param {Kind} kind @param {boolean} own @param {string} name */
  function one(kind, own, name) {
    const said = h("span", {}, own ? t(`offer.${kind}.own`) : t(`offer.${kind}`, { name }));
    const yes = h("button", { class: "main", data: { act: `agree-${kind}` }, onclick: () => act.agree(kind) }, icon("check"), t("offer.yes"));
    const no = h("button", { data: { act: `decline-${kind}` }, onclick: () => decline(kind, own) }, icon("close"), t(own ? "offer.back" : "offer.no"));
    return h("div", { class: "offer", data: { offer: kind } }, said, h("div", { class: "row even" }, own ? null : yes, no));
  }
}

/** @param {GameView} game @returns {{kind: Kind, by: Color}[]} */
function standing({ offer, pair }) {
  /** @type {{kind: Kind, by: Color}[]} */
  const all = [];
  if (pair?.takeback) all.push({ kind: "takeback", by: pair.takeback.by });
  if (offer) all.push({ kind: "draw", by: offer });
  return all;
}
