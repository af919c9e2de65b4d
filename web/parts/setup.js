// What a visitor sees beside the board: what the game is, a game at once, a lesson; and the many choices, folded away. Nothing has to be chosen: the
// first move on the board begins a game.

import { adapt } from "../lib/adapt.js";
import { fill, h, icon, select } from "../lib/dom.js";
import { t, tOr } from "../lib/i18n.js";
import { setup as kept, lastGame, suited } from "../lib/keys.js";
import { motion, read, write } from "../lib/settings.js";
import { agentName, levelName } from "../lib/speak.js";
import { agentField, levelText } from "./agents.js";
import { demonstrate, pointOut } from "./demo.js";
import { layoutButton, layoutTitle } from "./layouts.js";
import { lapsedButton, resumeButton } from "./resume.js";

/** @typedef {import("../lib/keys.js").Setup} Setup */
/** @typedef {import("../lib/types.js").Meta} Meta */
/** @typedef {{change: (wish: Partial<Setup>) => void, start: () => void, lapse: () => void}} Actions */
/** @typedef {import("../lib/adapt.js").Left} Left */

/** What a quick game is played with; the level is the one that suits. */
const QUICK = { opponent: "level", layout: "belgian-daisy", clock: "none", rules: "official" };
/** A line of three that the demo moves. */
const SHOWN = "a1b2";

/** @param {Actions} act */
export function setupPanel(act) {
  const element = h("div", { class: "start stack" });
  let drawn = "";
  let level = suited();
  /** The level before the last games changed it: whoever has chosen another keeps that. @type {number | null} */
  let before = null;
  let again = () => {};
  /** @type {ReturnType<typeof resumeButton> | null} */
  let resume = null;
  adapt().then((now) => {
    if (now === level) return;
    before = level;
    level = now;
    again();
  });
  /** Ends the demo, if there is to be one: for people who have never played here. @type {(() => void) | null} */
  let demo = null;
  return {
    element,
    /** @param {{setup: Setup, meta: Meta | null, left: Left, position: unknown}} state */
    update(state) {
      const { setup, meta, left } = state;
      again = () => this.update(state);
      if (before !== null) {
        const follows = setup.level === before;
        before = null;
        if (follows) return void act.change({ level });
      }
      if (meta && state.position) demo ??= show(setup);
      const key = JSON.stringify([setup, Boolean(meta), left.open?.id, left.told, left.lapsed?.id, level]);
      if (key === drawn) return;
      drawn = key;
      const focus = focused(element);
      resume = left.open && resumeButton(left.open, left.told, act.lapse);
      const back = [resume?.element ?? null, left.lapsed && lapsedButton(left.lapsed)];
      const parts = (/** @type {Meta} */ meta) => (setup.opponent === "friend" ? withFriend(setup, meta, act) : [...welcome(setup, meta, back, level, act), more(setup, meta, act)]);
      fill(element, meta ? parts(meta) : null);
      if (focus) refocus(element, focus);
      this.tick();
    },
    /** The clock of the game to go on with runs. */
    tick() {
      if (resume?.element.isConnected) resume.tick();
    },
  };
}

/** Shows once how to move, to those who have never played here. @param {Setup} setup */
function show(setup) {
  const board = document.querySelector("sumito-board");
  const plain = setup.layout === QUICK.layout && setup.color === "black" && setup.opponent === "level";
  if (!board || !plain || lastGame()) return () => {};
  return motion() ? demonstrate(board, SHOWN) : pointOut(board, SHOWN);
}

/**
 * What the game is, and the ways into it.
 * @param {Setup} setup @param {Meta} meta @param {(HTMLElement | null)[]} back to the games before; the first is one to go on with
 * @param {number} level @param {Actions} act
 */
function welcome(setup, meta, back, level, act) {
  const [open] = back;
  const learned = read("sumito.learn", /** @type {boolean[]} */ ([])).some(Boolean);
  const chosen = setup.color !== "black" || differs(setup, { ...QUICK, level });
  const main = `${open ? "button" : "button main"} tall`;
  const quickly = [t("start.quick"), t("start.against", { name: levelName(level) })];
  // As many buttons in any case, of the same heights: what is below must not slide when something is chosen there.
  return [
    h("p", { class: "lead" }, t("start.what")),
    ...back,
    chosen
      ? h("button", { class: main, data: { act: "begin" }, onclick: act.start }, icon("play"), h("span", {}, t("setup.start"), h("small", {}, inShort(setup, meta))))
      : h("button", { class: main, data: { act: "quick" }, onclick: quick }, icon("play"), h("span", {}, quickly[0], h("small", {}, quickly[1]))),
    chosen
      ? h("button", { data: { act: "quick" }, onclick: quick }, quickly.join(" "))
      : null,
    h("button", { data: { act: "friend" }, onclick: () => act.change({ opponent: "friend" }) }, icon("people"), t("start.friend")),
    chosen
      ? null
      : h("a", { class: "button", href: "/learn", data: { act: "learn" } }, icon("book"), t(learned ? "start.learned" : "start.learn")),
    h("p", { class: "small soft" }, t("setup.how")),
  ];

  async function quick() {
    const wish = /** @type {Partial<Setup>} */ ({ ...QUICK, level });
    if (differs(setup, wish)) await act.change(wish);
    act.start();
  }
}

/** What there is to choose for a game with a friend elsewhere, and the way to its link. @param {Setup} setup @param {Meta} meta @param {Actions} act */
function withFriend(setup, meta, act) {
  const { color, layout, clock, rules } = fields(setup, meta, act);
  return [
    h("h2", {}, t("start.friend")),
    h("p", {}, t("friend.how")),
    h("section", { class: "stack", "aria-label": t("setup.title") }, color, layout, clock, rules),
    h("button", { class: "main tall", data: { act: "invite" }, onclick: act.start }, icon("share"), t("friend.make")),
    h("button", { class: "quiet", data: { act: "alone" }, onclick: () => act.change({ opponent: kept().opponent }) }, icon("back"), t("friend.alone")),
  ];
}

/** @param {Setup} setup @param {object} wish */
function differs(setup, wish) {
  return Object.entries(wish).some(([name, value]) => setup[/** @type {keyof Setup} */ (name)] !== value);
}

/** What is chosen: "Learner (level 3) · White · Belgian Daisy". @param {Setup} setup @param {Meta} meta */
function inShort(setup, meta) {
  const layout = meta.layouts.find(({ name }) => name === setup.layout);
  const opponent = setup.opponent === "human" ? t("setup.opponent.human") : setup.opponent === "level" ? levelName(setup.level) : agentName(setup.spec);
  const chosen = [
    opponent,
    setup.opponent === "human" ? "" : t(`setup.color.${setup.color}`),
    layout ? layoutTitle(layout) : "",
    setup.clock === "none" ? "" : t(`setup.clock.${setup.clock}`),
    setup.rules === QUICK.rules ? "" : tOr(`rules.${setup.rules}`, setup.rules),
  ];
  return chosen.filter(Boolean).join(" · ");
}

/** The choices, folded away; what is chosen is seen all the same. @param {Setup} setup @param {Meta} meta @param {Actions} act */
function more(setup, meta, act) {
  const element = h(
    "details",
    { class: "more", open: read("sumito.more", false), ontoggle: () => write("sumito.more", element.open) },
    h("summary", { data: { act: "more" }, onclick: () => element.open || requestAnimationFrame(() => element.scrollIntoView({ block: "nearest" })) }, h("span", {}, t("start.more"), h("small", { class: "soft" }, inShort(setup, meta)))),
    card(setup, meta, act),
  );
  return element;
}

/** @param {HTMLElement} element @param {string} selector */
function refocus(element, selector) {
  const field = /** @type {HTMLElement | null} */ (element.querySelector(selector));
  field?.focus();
  // Who types goes on at the end.
  if (field instanceof HTMLInputElement) field.setSelectionRange(field.value.length, field.value.length);
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

/** The choices that every kind of game has. @param {Setup} setup @param {Meta} meta @param {Actions} act */
function fields(setup, meta, act) {
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
  return {
    opponent: segments("opponent", ["level", "agent", "human"]),
    color: segments("color", ["black", "random", "white"]),
    layout: layout.element,
    clock: [segments("clock", ["none", "move", "game"]), clock(setup, act)],
    rules: h(
      "label",
      { class: "field" },
      h("span", {}, t("setup.rules")),
      select({ name: "rules", onchange: (/** @type {Event} */ e) => act.change({ rules: /** @type {HTMLSelectElement} */ (e.target).value }) }, rules, setup.rules),
    ),
  };
}

/** @param {Setup} setup @param {Meta} meta @param {Actions} act */
function card(setup, meta, act) {
  const all = fields(setup, meta, act);
  return h(
    "section",
    { class: "stack", "aria-label": t("setup.title") },
    all.opponent,
    setup.opponent === "level" ? levels(setup, meta, act) : null,
    setup.opponent === "agent"
      ? agentField(meta, setup.spec, { label: t("setup.agent"), name: "agent", change: (spec) => act.change({ spec }) }).element
      : null,
    setup.opponent === "human" ? null : all.color,
    all.layout,
    all.clock,
    all.rules,
    h("button", { class: "main", data: { act: "start" }, onclick: act.start }, icon("play"), t("setup.start")),
    setup.opponent === "level" ? h("p", { class: "small soft" }, t("setup.rated")) : null,
  );
}

/** @param {Setup} setup @param {Meta} meta @param {Actions} act */
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
