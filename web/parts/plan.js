// Conditional moves: what one will answer, told while the other side is to move in a game that takes days.

import { ApiError, get, put } from "../lib/api.js";
import { h, toast } from "../lib/dom.js";
import { t } from "../lib/i18n.js";

/** @typedef {import("../lib/types.js").GameView} GameView */
/** @typedef {import("../lib/types.js").Color} Color */

const DAY = 86_400_000;

export function planPanel() {
  const field = h("textarea", { name: "plan", rows: 3, spellcheck: false, autocapitalize: "none", placeholder: "a1b2 i5h5", "aria-label": t("plan.title") });
  const wrong = h("p", { class: "small wrong", hidden: true });
  const form = h("form", { class: "stack", onsubmit: save }, h("p", { class: "small soft" }, t("plan.text")), field, wrong, h("div", {}, h("button", {}, t("plan.save"))));
  const element = h("details", { class: "card", data: { part: "plan" }, hidden: true }, h("summary", {}, t("plan.title")), form);
  /** @type {{id: string, key: string | null} | null} */
  let place = null;
  let known = "";
  return {
    element,
    /** @param {GameView} game @param {string | null} key @param {Color | null} seat */
    update(game, key, seat) {
      const { clock, pair, position } = game;
      const slow = !clock || (clock.kind === "move" && clock.ms >= DAY);
      element.hidden = !pair || !seat || !slow || Boolean(position.outcome) || position.turn === seat || [pair.black, pair.white].includes("free");
      if (element.hidden) return;
      place = { id: game.id, key };
      const of = `${game.id} ${game.moves.length}`;
      if (of === known) return;
      known = of;
      read();
    },
  };

  async function read() {
    if (!place) return;
    const { lines } = await get(`/games/${place.id}/plan`, {}, place.key).catch(() => ({ lines: [] }));
    if (document.activeElement !== field) show(lines);
  }

  /** @param {string[][]} lines */
  function show(lines) {
    field.value = lines.map((line) => line.join(" ")).join("\n");
    if (lines.length) element.open = true;
  }

  /** @param {SubmitEvent} event */
  async function save(event) {
    event.preventDefault();
    if (!place) return;
    const lines = field.value.split("\n").map((line) => line.trim().toLowerCase().split(/\s+/).filter(Boolean)).filter((line) => line.length);
    wrong.hidden = true;
    try {
      show((await put(`/games/${place.id}/plan`, { lines }, place.key)).lines);
      toast(t("plan.saved"), "note");
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const at = /^lines\[(\d+)\]/.exec(error.field ?? "");
      wrong.textContent = at ? `${Number(at[1]) + 1}: ${error.message}` : error.message;
      wrong.hidden = false;
    }
  }
}
