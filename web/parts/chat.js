// What is said in a game between two people: the players hear each other, those who look on hear each other. Off by one click.

import { who } from "../lib/account.js";
import { ApiError, get, post } from "../lib/api.js";
import { fill, h, icon, toast } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { change, current } from "../lib/settings.js";

/** @typedef {import("../lib/types.js").ChatLineView} ChatLineView */
/** @typedef {import("../lib/types.js").Color} Color */
/** Where one is, and as whom: a game, its key if one has it, one's seat. @typedef {{id: string, key: string | null, seat: Color | null}} Place */

const LONGEST = 140;

/** @param {() => void} news called when something was said that is not in sight */
export function chatPanel(news) {
  const log = h("ul", { class: "said", role: "log", "aria-label": t("chat.title"), tabindex: "0" });
  const field = h("input", { name: "say", maxlength: LONGEST, autocomplete: "off", placeholder: t("chat.label"), "aria-label": t("chat.label") });
  const form = h("form", { class: "typed", onsubmit: say }, field, h("button", {}, t("chat.send")));
  const login = h("a", { class: "small", href: "/account", hidden: true }, t("chat.log-in"));
  const room = h("span", { class: "small soft" });
  const off = h("button", { class: "quiet", data: { act: "chat-off" }, "aria-label": t("chat.off"), title: t("chat.off"), onclick: () => turn(false) }, icon("close"));
  const on = h("button", { class: "quiet", data: { act: "chat-on" }, onclick: () => turn(true) }, t("chat.on"));
  const element = h("section", { class: "card chat stack", hidden: true, "aria-label": t("chat.title") });
  /** @type {Place | null} */
  let place = null;
  /** @type {ChatLineView[]} */
  let lines = [];
  let mayTalk = false;
  /** Whether the lines of this place are being asked for, or are there. */
  let known = "";

  return {
    element,
    field,
    /** @param {Place | null} now nothing in a game in which nobody talks */
    update(now) {
      const of = now ? `${now.id} ${now.seat}` : "";
      place = now;
      element.hidden = !now;
      if (of === known) return;
      known = of;
      lines = [];
      draw();
      if (now) read();
    },
    /** Something was said. @param {ChatLineView} line */
    add(line) {
      if (!place || lines.some((other) => same(other, line))) return;
      lines.push(line);
      draw();
      if (current().chat && !mine(line) && !log.checkVisibility()) news();
    },
    /** What was missed while the line was down. */
    read,
  };

  async function read() {
    const from = place;
    if (!from) return;
    try {
      const told = await get(`/games/${from.id}/chat`, {}, from.key);
      mayTalk = from.seat !== null || (await who()) !== null;
      if (from.id !== place?.id || from.seat !== place.seat) return;
      lines = told.lines;
      draw();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }

  /** @param {SubmitEvent} event */
  async function say(event) {
    event.preventDefault();
    const text = field.value.trim();
    if (!text || !place) return;
    try {
      const line = await post(`/games/${place.id}/chat`, { text }, place.key);
      if (field.value.trim() === text) field.value = "";
      if (!lines.some((other) => same(other, line))) lines.push(line);
      draw();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // What was not taken stays, to be sent again.
      toast(error.message);
    }
  }

  /** @param {boolean} wanted */
  function turn(wanted) {
    change({ chat: wanted });
    draw();
    (wanted ? field : on).focus();
  }

  function draw() {
    if (!current().chat) return fill(element, on);
    room.textContent = t(place?.seat ? "chat.players" : "chat.spectators");
    form.hidden = !mayTalk && !place?.seat;
    login.hidden = !form.hidden || known === "";
    const atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
    fill(log, lines.length ? lines.map(row) : h("li", { class: "soft" }, t("chat.silence")));
    if (log.parentNode !== element) fill(element, h("header", { class: "row spread" }, room, off), log, form, login);
    if (atEnd) log.scrollTop = log.scrollHeight;
  }

  /** @param {ChatLineView} line */
  function row(line) {
    const name = mine(line) ? t("seat.you") : line.name || t(line.side ? `color.${line.side}` : "seat.human");
    return h("li", {}, h("b", {}, name), " ", line.text);
  }

  /** @param {ChatLineView} line */
  function mine(line) {
    return line.side !== null && line.side === place?.seat;
  }
}

/** Whether two lines are one: it comes as an answer and over the line. @param {ChatLineView} a @param {ChatLineView} b */
function same(a, b) {
  return a.at === b.at && a.text === b.text && a.name === b.name && a.side === b.side;
}
