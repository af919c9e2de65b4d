// The games that somebody comes back to: one to go on with, its clock running, and one whose clock has run out meanwhile.

import { rest } from "../lib/clock.js";
import { h, icon } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { claimOf } from "../lib/keys.js";
import { mineIn } from "../lib/seat.js";
import { clockText, outcomeText, seatName } from "../lib/speak.js";

/** @typedef {import("../lib/types.js").GameView} GameView */
/** @typedef {import("../lib/types.js").Color} Color */

/** So long the server is given to end a game whose time is up. */
const GRACE = 500;

/**
 * @param {GameView} game
 * @param {number} told when its clocks were told
 * @param {() => void} lapse called when the time is up
 */
export function resumeButton(game, told, lapse) {
  const name = opponent(game);
  const left = h("small", { hidden: true });
  const running = game.clocks?.running;
  let over = false;
  return {
    element: h(
      "a",
      { class: "button main tall", href: `/game/${game.id}`, data: { act: "resume" } },
      icon("play"),
      h("span", {}, name ? t("setup.resume", { name }) : t(game.pair ? "setup.resume.friend" : "setup.resume.two"), left),
    ),
    tick() {
      if (!running) return;
      const ms = rest(game.clocks, told, running) ?? 0;
      left.hidden = false;
      left.textContent = t("clock.left", { name: whose(game, running), time: clockText(ms) });
      if (over || ms > -GRACE) return;
      over = true;
      lapse();
    },
  };
}

/** A game that was lost, or won, by its clock. @param {GameView} game */
export function lapsedButton(game) {
  const { outcome } = game.position;
  if (!outcome) return null;
  const mine = mineIn(game, claimOf(game.id));
  const told = mine && outcome.winner ? t(outcome.winner === mine ? "end.won" : "end.lost") : outcomeText(outcome).who;
  const why = [outcomeText(outcome).why, opponent(game)].filter(Boolean).join(" ");
  return h("a", { class: "button tall", href: `/game/${game.id}`, data: { act: "lapsed" } }, icon("flag"), h("span", {}, told, h("small", {}, why)));
}

/** @param {GameView} game */
function opponent(game) {
  const mine = mineIn(game, claimOf(game.id));
  if (!mine) return "";
  const seat = game[mine === "black" ? "white" : "black"];
  return game.pair ? seat.name : seatName(seat, "white");
}

/** @param {GameView} game @param {Color} color */
function whose(game, color) {
  const mine = mineIn(game, claimOf(game.id));
  if (mine === color) return t("seat.you");
  return (mine && opponent(game)) || t(mine ? "seat.friend" : `color.${color}`);
}
