// What waits for the moderators, and what they have done.

import { who } from "../lib/account.js";
import { get, post } from "../lib/api.js";
import { fill, h, toast, twice } from "../lib/dom.js";
import { date, t } from "../lib/i18n.js";

/** @typedef {import("../lib/types.js").KeptReport} KeptReport */
/** @typedef {import("../lib/types.js").AuditLine} AuditLine */

/** @type {import("../app.js").Open} */
export async function open(root) {
  if (!(await who())) fill(root, h("p", {}, h("a", { class: "button main", href: "/account" }, t("account.in.title"))));
  else await draw();
  return {};

  async function draw() {
    /** @type {[{reports: KeptReport[]}, {lines: AuditLine[]}]} */
    const [{ reports }, { lines }] = await Promise.all([get("/moderation/reports"), get("/moderation/audit")]);
    fill(
      root,
      h(
        "div",
        { class: "prose moderation" },
        h("h1", {}, t("peace.queue")),
        h("ul", { class: "list reports" }, reports.length ? reports.map(row) : h("li", { class: "soft" }, t("peace.none"))),
        h("section", {}, h("h2", {}, t("peace.log")), h("ul", { class: "list" }, lines.map(line))),
      ),
    );
  }

  /** @param {string} path @param {object} [body] */
  async function act(path, body = {}) {
    await post(`/moderation/${path}`, body);
    toast(t("peace.done"), "note");
    await draw();
  }

  /** @param {KeptReport} report */
  function row({ id, at, by, about, all, game, reason, text }) {
    const person = encodeURIComponent(about);
    /** @param {string} name @param {string} path @param {object} [body] */
    const surely = (name, path, body) => {
      const button = h("button", { data: { act: name }, onclick: () => twice(button, t("game.sure"), () => act(path, body)) }, t(`peace.${name}`));
      return button;
    };
    return h(
      "li",
      { class: "stack" },
      h("div", {}, about ? h("a", { href: `/people/${person}` }, about) : "–", " · ", h("strong", {}, t(`peace.reason.${reason}`)), " · ", h("span", { class: "small soft" }, `${by || t("peace.machine")}, ${date(at)} · ${t("peace.count", { n: all })}`)),
      h("div", {}, text),
      game ? h("div", {}, h("a", { href: `/game/${game}` }, `/game/${game}`)) : null,
      h(
        "div",
        { class: "row" },
        h("button", { class: "main", data: { act: "settle" }, onclick: () => act(`reports/${id}/settle`) }, t("peace.settle")),
        about ? [surely("mute", `people/${person}/mute`, { hours: 24 }), surely("close", `people/${person}/close`)] : null,
        game ? surely("void", `games/${game}/void`) : null,
      ),
    );
  }

  /** @param {AuditLine} line */
  function line({ at, by, action, about, detail }) {
    return h("li", { class: "small" }, [date(at), by || t("peace.machine"), action, about, detail].filter(Boolean).join(" · "));
  }
}
