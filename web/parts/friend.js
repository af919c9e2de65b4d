// A game that waits for a second person: whoever began it has a link to send, whoever opens that link is asked to join.

import { fill, h, icon, toast, twice } from "../lib/dom.js";
import { publicUrl } from "../lib/api.js";
import { moveTime } from "../lib/clock.js";
import { t, tOr } from "../lib/i18n.js";
import { copy } from "./share.js";

/** @typedef {import("../lib/types.js").GameView} GameView */
/** @typedef {import("../lib/types.js").Color} Color */
/** @typedef {{join: () => void, abort: () => void}} Actions */

/** The seat that nobody has taken yet. @param {GameView | null} game @returns {Color | null} */
export function freeSeat(game) {
  if (!game?.pair) return null;
  return game.pair.black === "free" ? "black" : game.pair.white === "free" ? "white" : null;
}

/** @param {Actions} act */
export function friendPanel(act) {
  const element = h("div", { class: "stack friend" });
  let drawn = "";
  return {
    element,
    /** @param {GameView} game @param {boolean} mine whether the person here began it */
    update(game, mine) {
      const key = `${game.id} ${mine}`;
      if (key === drawn) return;
      drawn = key;
      fill(element, mine ? waiting(game, act) : invited(game, act));
    },
  };
}

/** What the one who began sees. @param {GameView} game @param {Actions} act */
function waiting(game, act) {
  const field = h("input", { name: "link", readonly: true, "aria-label": t("friend.link"), onfocus: () => field.select() });
  const copied = h("button", { class: "main", data: { act: "copy-link" }, onclick: () => copy(field.value, "share.link-copied") }, icon("copy"), t("friend.copy"));
  const share = h("button", { data: { act: "share-link" }, hidden: !("share" in navigator), onclick: pass }, icon("share"), t("end.share"));
  const off = h("button", { class: "quiet", data: { act: "abort" }, onclick: () => twice(off, t("game.sure"), act.abort) }, icon("close"), t("game.abort"));
  const local = h("p", { class: "small", hidden: true }, t("friend.local"));
  publicUrl(`/game/${game.id}`).then((url) => {
    field.value = url;
    local.hidden = !isLocal(new URL(url).hostname);
  });
  return [
    h("h2", {}, t("friend.send")),
    h("p", {}, t("friend.watch")),
    field,
    h("div", { class: "row even" }, copied, share),
    local,
    h("p", { class: "small soft" }, inShort(game)),
    h("p", { class: "small soft" }, t("friend.stay")),
    h("div", {}, off),
  ];

  async function pass() {
    // Who closes the device's list has not failed.
    await navigator.share({ title: t("friend.title"), url: field.value }).catch((error) => error.name === "AbortError" || toast(t("error.title")));
  }
}

/** Whether a name means the machine on which it is said. @param {string} host */
function isLocal(host) {
  return host === "localhost" || host === "[::1]" || host.startsWith("127.");
}

/** What whoever opens the link sees. Nobody gets a seat by looking: that takes a button. @param {GameView} game @param {Actions} act */
function invited(game, act) {
  const color = freeSeat(game) ?? "white";
  const host = game[color === "black" ? "white" : "black"].name;
  return [
    h("h2", {}, host ? t("friend.by", { name: host }) : t("friend.invited")),
    h("p", { class: "soft" }, inShort(game)),
    h("button", { class: "main tall", data: { act: "join" }, onclick: act.join }, h("span", { class: `dot ${color}` }), t(`friend.join.${color}`)),
    h("p", { class: "small soft" }, t("friend.watch")),
  ];
}

/** "Belgian Daisy · 10 min + 5 s" @param {GameView} game */
function inShort({ layout, clock, rules }) {
  const parts = [layout ? tOr(`layout.${layout}`, layout) : "", clockWords(clock), rules.preset && rules.preset !== "official" ? tOr(`rules.${rules.preset}`, rules.preset) : ""];
  return parts.filter(Boolean).join(" · ");
}

/** @param {import("../lib/types.js").ClockView | null} clock */
function clockWords(clock) {
  if (!clock) return t("setup.clock.none");
  if (clock.kind === "move") return moveTime(clock.ms);
  return t("clock.game", { minutes: clock.base_ms / 60_000, seconds: clock.increment_ms / 1000 });
}
