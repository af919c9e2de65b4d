// The part of one's account about bots: their accounts, and the tokens that open those.

import { h, icon, twice } from "../lib/dom.js";
import { date, t } from "../lib/i18n.js";
import { copy } from "../parts/share.js";
import { fold, form } from "./account-view.js";

/** @typedef {import("../lib/types.js").Bots} Bots */
/** @typedef {import("../lib/types.js").BotView} BotView */
/** @typedef {import("../lib/types.js").TokenView} TokenView */
/** @typedef {import("./account-view.js").Send} Send */

/**
 * One's bots.
 * @param {Bots} own
 * @param {{make: Send, close: (name: string) => void, give: (name: string, fields: Record<string, string>) => Promise<void>, revoke: (name: string, id: string) => void}} act
 */
export function bots(own, act) {
  const one = (/** @type {BotView} */ bot) =>
    h(
      "li",
      { class: "stack", data: { bot: bot.name } },
      h(
        "div",
        { class: "row" },
        h("a", { href: `/people/${bot.name}` }, bot.name),
        h("span", { class: "small soft" }, bot.online ? t("bots.online") : t("bots.offline")),
        closing(bot.name),
      ),
      h("ul", { class: "list" }, bot.tokens.map((token) => row(bot.name, token))),
      bot.tokens.length < own.most_tokens
        ? fold(t("bots.token-new"), form({ note: "note" }, t("bots.token-make"), (fields) => act.give(bot.name, fields)))
        : null,
    );

  /** @param {string} name */
  function closing(name) {
    const button = h("button", { class: "quiet", type: "button", data: { act: "close-bot" } }, t("bots.close"));
    button.onclick = () => twice(/** @type {HTMLButtonElement} */ (button), t("game.sure"), () => act.close(name));
    return button;
  }

  /** @param {string} name @param {TokenView} token */
  function row(name, token) {
    const seen = token.seen === null ? t("bots.token-unused") : t("bots.token-seen", { date: date(token.seen) });
    return h(
      "li",
      { class: "row" },
      h("span", {}, token.note || t("bots.token")),
      h("span", { class: "small soft" }, seen),
      h("button", { class: "quiet", type: "button", data: { token: token.id }, onclick: () => act.revoke(name, token.id) }, t("bots.token-revoke")),
    );
  }

  const make = own.bots.length < own.most_bots ? form({ name: "bot" }, t("bots.make"), act.make) : null;
  return fold(t("bots.title"), h("p", { class: "small soft" }, t("bots.text")), h("ul", { class: "list" }, own.bots.map(one)), make);
}

/**
 * A new token, told this once.
 * @param {string} secret
 * @param {() => void} done
 */
export function token(secret, done) {
  return [
    h("h1", {}, t("bots.token")),
    h("p", {}, t("bots.token-text")),
    h("ul", { class: "codes" }, h("li", {}, h("code", {}, secret))),
    h(
      "p",
      { class: "row" },
      h("button", { data: { act: "copy-token" }, onclick: () => copy(secret, "bots.token-copied") }, icon("copy"), t("account.codes.copy")),
      h("button", { class: "main", data: { act: "token-kept" }, onclick: done }, t("account.codes.kept")),
    ),
  ];
}
