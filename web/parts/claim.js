// A card for whoever waits for somebody who has gone: from when on the game may be ended, and how.

import { fill, h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { clockText } from "../lib/speak.js";

/** @typedef {import("../lib/types.js").GameView} GameView */
/** @typedef {import("../lib/types.js").Color} Color */

/** @param {(result: "win" | "draw") => void} claim */
export function claimCard(claim) {
  const text = h("span");
  const button = (/** @type {"win" | "draw"} */ result) => h("button", { class: result === "win" ? "main" : "", data: { act: `claim-${result}` }, onclick: () => claim(result) }, t(`claim.${result}`));
  const buttons = h("div", { class: "row even" }, button("win"), button("draw"));
  const element = h("div", { class: "offer claim", hidden: true }, text, buttons);
  let drawn = "";
  return {
    element,
    /** @param {GameView} game @param {Color | null} mine @param {number} since when it was told, in the page's own time @param {string} name of the other side */
    update(game, mine, since, name) {
      const absent = game.pair?.absent;
      element.hidden = !absent || !mine || absent.color === mine || Boolean(game.position.outcome);
      if (!absent || element.hidden) return;
      const left = absent.claim_in_ms - (performance.now() - since);
      // Whole seconds: tenths would be read out all the time.
      const time = clockText(Math.max(10_000, left)).replace(/^0:10$/, `0:${String(Math.max(0, Math.ceil(left / 1000))).padStart(2, "0")}`);
      const told = left > 0 ? t("claim.wait", { name, time }) : t("claim.now", { name });
      if (told === drawn) return;
      drawn = told;
      fill(text, told);
      buttons.hidden = left > 0;
    },
  };
}
