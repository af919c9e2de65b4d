// One's account: to make one, to log in, and to look after it.

import { get, meta, post, put, remove } from "../lib/api.js";
import { isNow, who } from "../lib/account.js";
import { fill, h, say, toast } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { bots, token } from "./account-bots.js";
import { closing, codes, entry, newCodes, newPassword, sessions } from "./account-view.js";

/** @typedef {import("../lib/types.js").PersonView} PersonView */
/** @typedef {import("./account-view.js").Way} Way */

/** @type {import("../app.js").Open} */
export async function open(root, _, query) {
  const { arena } = await meta();
  if (!arena) {
    fill(root, h("div", { class: "prose" }, h("h1", {}, t("nav.account")), h("p", {}, t("cause.arena.off"))));
    return {};
  }
  const person = await who();
  if (person) await own(person);
  else ask(query.has("new") ? "new" : "in");
  return {};

  /** Asks who it is. @param {Way} way */
  function ask(way) {
    fill(root, entry(way, ask, (fields) => enter(way, fields)));
    root.querySelector("input")?.focus();
  }

  /** @param {Way} way @param {Record<string, string>} fields */
  async function enter(way, fields) {
    const path = { in: "/account/login", new: "/account", lost: "/account/recover" }[way];
    const answer = await post(path, fields);
    become(answer.person);
    say(t("account.hello", { name: answer.person.name }));
    if (answer.recovery) show(codes(answer.recovery, () => own(answer.person)));
    else await own(answer.person);
  }

  /** @param {PersonView | null} person */
  function become(person) {
    isNow(person);
    dispatchEvent(new CustomEvent("account"));
  }

  /** @param {PersonView} person */
  async function own(person) {
    const [known, programs] = await Promise.all([get("/account/sessions"), get("/account/bots")]);
    show([
      h("h1", {}, person.name),
      h("p", { class: "row" }, h("button", { data: { act: "log-out" }, onclick: leave }, t("account.log-out")), h("a", { class: "button", href: "/api/v1/account/export", download: "" }, t("account.export")), person.role === "person" ? null : h("a", { class: "button", href: "/moderation" }, t("peace.queue"))),
      sessions(known.sessions, {
        end: (id) => done(remove(`/account/sessions/${id}`, null), person),
        others: () => done(remove("/account/sessions", null), person),
      }),
      bots(programs, {
        make: (fields) => done(post("/account/bots", fields), person),
        close: (name) => done(remove(`/account/bots/${name}`, null), person),
        give: async (name, fields) => {
          const { secret } = await post(`/account/bots/${name}/tokens`, fields);
          show(token(secret, () => own(person)));
        },
        revoke: (name, id) => done(remove(`/account/bots/${name}/tokens/${id}`, null), person),
      }),
      newPassword((fields) => done(put("/account/password", fields), person, t("account.password-changed"))),
      newCodes(known.recovery_codes, async (fields) => {
        const { recovery } = await post("/account/recovery", fields);
        show(codes(recovery, () => own(person)));
      }),
      closing(async (fields) => {
        await post("/account/close", fields);
        become(null);
        toast(t("account.closed"), "note");
        ask("in");
      }),
    ]);
  }

  /** Shows the account anew when something of it has changed. @param {Promise<any>} change @param {PersonView} person @param {string} [text] */
  async function done(change, person, text) {
    await change;
    if (text) toast(text, "note");
    await own(person);
  }

  async function leave() {
    await post("/account/logout");
    become(null);
    ask("in");
  }

  /** @param {import("../lib/dom.js").Child[]} parts */
  function show(parts) {
    fill(root, h("div", { class: "prose account" }, parts));
  }
}
