// Clocks of one's own that run in games which are not on the screen: a word of it in the bar of every page, with the time left and the way back, and a
// question before another game is begun.

import { get } from "../lib/api.js";
import { rest } from "../lib/clock.js";
import { h, icon } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { claimOf, keepTimed, timed } from "../lib/keys.js";
import { mineIn } from "../lib/seat.js";
import { clockText } from "../lib/speak.js";

/** @typedef {import("../lib/types.js").GameView} GameView */
/** How a game stands: whose clock runs, or that the game is over, and what is left of the time. @typedef {{id: string, state: "yours" | "theirs" | "over", ms: number}} Elsewhere */

/** So often the server is asked how such a game stands, and the time is shown anew. */
const ASK = 5000;
const TICK = 250;
const SHORT = 30_000;

/** What the server said last, and when. @type {Map<string, {game: GameView, told: number}>} */
const known = new Map();
let asking = false;

const word = h("span");
/** The word in the bar. */
export const runningClock = h("a", { class: "button main runs", hidden: true }, icon("back"), word);

setInterval(() => document.hidden || ask(), ASK);
setInterval(show, TICK);

/** Another page is on the screen. */
export function lookForClocks() {
  show();
  return ask();
}

/** Whether another game may begin: at once, but who has a clock that runs in one is asked. @returns {boolean | Promise<boolean>} */
export function mayBegin() {
  return absent().length ? permitted() : true;
}

async function permitted() {
  await ask();
  const running = elsewhere().find(({ state }) => state !== "over");
  return !running || question(running);
}

/** The games with clocks that are not on the screen. */
function absent() {
  return timed().filter((id) => location.pathname !== `/game/${id}`);
}

async function ask() {
  if (asking) return;
  asking = true;
  for (const id of absent()) {
    try {
      known.set(id, { game: await get(`/games/${id}`), told: performance.now() });
    } catch (error) {
      // A game that was deleted has no clock; the page says when the server is gone.
      if (/** @type {import("../lib/api.js").ApiError} */ (error).status === 404) keepTimed(id, false);
    }
  }
  asking = false;
  show();
}

/** What is to be told of, the most urgent first. @returns {Elsewhere[]} */
function elsewhere() {
  const order = ["yours", "over", "theirs"];
  return absent()
    .flatMap((id) => standing(id) ?? [])
    .sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state) || a.ms - b.ms);
}

/** @param {string} id @returns {Elsewhere | null} */
function standing(id) {
  const { game, told } = known.get(id) ?? {};
  if (!game || told === undefined) return null;
  if (game.position.outcome) return { id, state: "over", ms: 0 };
  const color = game.clocks?.running;
  if (!color) return null;
  const mine = mineIn(game, claimOf(id));
  return { id, state: mine && mine !== color ? "theirs" : "yours", ms: rest(game.clocks, told, color) ?? 0 };
}

function show() {
  const [first] = elsewhere();
  runningClock.hidden = !first;
  if (!first) return;
  const { id, state, ms } = first;
  const time = clockText(ms);
  runningClock.href = `/game/${id}`;
  runningClock.dataset.state = state === "yours" && ms < SHORT ? "short" : state;
  word.textContent = t(`clock.${state}`, { time });
  runningClock.title = t(`clock.${state}.back`, { time });
}

/** @param {Elsewhere} running @returns {Promise<boolean>} */
function question({ id, state, ms }) {
  return new Promise((done) => {
    const text = t(`clock.ask.${state}`, { time: clockText(ms) });
    const dialog = h(
      "dialog",
      { class: "stack", "aria-label": t("clock.ask"), onclose: () => (dialog.remove(), done(dialog.returnValue === "new")) },
      h("h2", {}, t("clock.ask")),
      h("p", {}, text),
      h(
        "div",
        { class: "row even" },
        h("a", { class: "button main", href: `/game/${id}`, data: { act: "back-to-clock" }, onclick: () => dialog.close() }, icon("back"), t("clock.ask.back")),
        h("button", { data: { act: "begin-anyway" }, onclick: () => dialog.close("new") }, icon("plus"), t("clock.ask.new")),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
  });
}
