// The choices for a new game. Nothing has to be chosen: the first move on the board begins it.

import { fill, h, icon, select } from "../lib/dom.js";
import { t, tOr } from "../lib/i18n.js";
import { seatName } from "../lib/speak.js";
import { agentField, levelText } from "./agents.js";
import { layoutButton } from "./layouts.js";

/** @typedef {import("../lib/keys.js").Setup} Setup */
/** @typedef {{change: (wish: Partial<Setup>) => void, start: () => void}} Actions */

/** @param {Actions} act */
export function setupPanel(act) {
  const element = h("div", { class: "stack" });
  let drawn = "";
  return {
    element,
    /** @param {{setup: Setup, meta: import("../lib/types.js").Meta | null, unfinished: import("../lib/types.js").GameView | null}} state */
    update({ setup, meta, unfinished }) {
      const key = JSON.stringify([setup, Boolean(meta), unfinished?.id]);
      if (key === drawn) return;
      drawn = key;
      const focus = focused(element);
      fill(element, unfinished ? resume(unfinished) : null, meta ? card(setup, meta, act) : null);
      if (focus) /** @type {HTMLElement | null} */ (element.querySelector(focus))?.focus();
    },
  };
}

/** How to find the focused field again after drawing. @param {HTMLElement} element */
function focused(element) {
  const active = document.activeElement;
  if (!active || !element.contains(active)) return null;
  const name = active.getAttribute("name");
  if (name) return `[name="${name}"]`;
  const choice = active.getAttribute("data-choice");
  return choice && `[data-choice="${choice}"]`;
}

/** @param {import("../lib/types.js").GameView} game */
function resume(game) {
  const seat = game.black.kind === "agent" ? game.black : game.white;
  return h(
    "a",
    { class: "button", href: `/game/${game.id}`, data: { act: "resume" } },
    icon("play"),
    t("setup.resume", { name: seatName(seat, "white") }),
  );
}

/** @param {Setup} setup @param {import("../lib/types.js").Meta} meta @param {Actions} act */
function card(setup, meta, act) {
  const layout = layoutButton(meta.layouts, ({ name }) => act.change({ layout: name }));
  layout.update(setup.layout);
  /**
   * @template {keyof Setup} K
   * @param {K} name
   * @param {Setup[K][]} values
   */
  const segments = (name, values) =>
    h(
      "div",
      { class: "segments", role: "group", "aria-label": t(`setup.${name}`) },
      values.map((value) =>
        h(
          "button",
          {
            "aria-pressed": String(setup[name] === value),
            data: { choice: `${name}-${value}` },
            onclick: () => act.change(/** @type {Partial<Setup>} */ ({ [name]: value })),
          },
          t(`setup.${name}.${value}`),
        ),
      ),
    );
  const rules = /** @type {[string, string][]} */ (
    meta.rules.map(({ name }) => [name, tOr(`rules.${name}`, name)])
  );
  return h(
    "section",
    { class: "card stack", "aria-label": t("setup.title") },
    segments("opponent", ["level", "agent", "human"]),
    setup.opponent === "level" ? levels(setup, meta, act) : null,
    setup.opponent === "agent"
      ? agentField(meta, setup.spec, { label: t("setup.agent"), name: "agent", change: (spec) => act.change({ spec }) }).element
      : null,
    setup.opponent === "human" ? null : segments("color", ["black", "random", "white"]),
    layout.element,
    segments("clock", ["none", "move", "game"]),
    clock(setup, act),
    h(
      "label",
      { class: "field" },
      h("span", {}, t("setup.rules")),
      select({ name: "rules", onchange: (/** @type {Event} */ e) => act.change({ rules: /** @type {HTMLSelectElement} */ (e.target).value }) }, rules, setup.rules),
    ),
    h("button", { class: "main", data: { act: "start" }, onclick: act.start }, icon("play"), t("setup.start")),
    h("p", { class: "small soft" }, t("setup.how")),
  );
}

/** @param {Setup} setup @param {import("../lib/types.js").Meta} meta @param {Actions} act */
function levels(setup, meta, act) {
  return h(
    "div",
    { class: "stack" },
    h(
      "div",
      { class: "levels", role: "group", "aria-label": t("setup.level") },
      meta.levels.map(({ level }) =>
        h(
          "button",
          {
            "aria-pressed": String(level === setup.level),
            "aria-label": `${level}: ${levelText(meta, level)}`,
            title: levelText(meta, level),
            data: { choice: `level-${level}` },
            onclick: () => act.change({ level }),
          },
          level,
        ),
      ),
    ),
    h("div", { class: "chosen-level" }, h("strong", {}, levelText(meta, setup.level).split(" · ")[0]), h("span", { class: "soft" }, `Elo ${levelText(meta, setup.level).split(" · ")[1] ?? ""}`)),
  );
}

/** @param {Setup} setup @param {Actions} act */
function clock(setup, act) {
  /** @param {"seconds" | "minutes" | "increment"} name @param {number[]} values */
  const field = (name, values) =>
    h(
      "label",
      { class: "field" },
      h("span", {}, t(`setup.${name}`)),
      select(
        { name, onchange: (/** @type {Event} */ e) => act.change({ [name]: Number(/** @type {HTMLSelectElement} */ (e.target).value) }) },
        values.map((value) => [String(value), String(value)]),
        String(setup[name]),
      ),
    );
  if (setup.clock === "move") return field("seconds", [5, 10, 15, 30, 60, 120]);
  if (setup.clock === "game") return h("div", { class: "row even" }, field("minutes", [1, 3, 5, 10, 15, 30, 60]), field("increment", [0, 1, 2, 3, 5, 10, 30]));
  return null;
}
