// What the page of one's account shows: forms, sessions, codes.

import { ApiError } from "../lib/api.js";
import { h, icon, twice } from "../lib/dom.js";
import { date, t } from "../lib/i18n.js";
import { copy } from "../parts/share.js";

/** To log in, to make an account, to replace a lost password. @typedef {"in" | "new" | "lost"} Way */
/** @typedef {import("../lib/types.js").SessionView} SessionView */
/** @typedef {(fields: Record<string, string>) => Promise<void>} Send */

/** What a field is for the browser, which fills in what it knows. @type {Record<string, Record<string, any>>} */
const FIELDS = {
  name: { autocomplete: "username", autocapitalize: "none", spellcheck: false, maxlength: 20 },
  password: { type: "password", autocomplete: "current-password", maxlength: 200 },
  current: { type: "password", autocomplete: "current-password", maxlength: 200 },
  chosen: { type: "password", autocomplete: "new-password", maxlength: 200 },
  fresh: { type: "password", autocomplete: "new-password", maxlength: 200 },
  code: { autocomplete: "one-time-code", autocapitalize: "none", spellcheck: false, maxlength: 20 },
  bot: { autocomplete: "off", autocapitalize: "none", spellcheck: false, maxlength: 20 },
  note: { autocomplete: "off", maxlength: 60, required: false },
};

/** The fields of a form, and what each is called in a request. @typedef {Record<string, keyof typeof FIELDS>} Asked */

/** @type {Record<Way, Asked>} */
const WAYS = {
  in: { name: "name", password: "password" },
  new: { name: "name", password: "chosen" },
  lost: { name: "name", code: "code", password: "fresh" },
};

/**
 * A form that says below the field at fault what is wrong with it.
 * @param {Asked} asked
 * @param {string} button
 * @param {Send} send
 */
export function form(asked, button, send) {
  const inputs = Object.entries(asked).map(([name, kind]) => {
    const why = h("p", { class: "small wrong", id: `why-${name}`, hidden: true });
    const input = h("input", { name, required: true, "aria-describedby": why.id, ...FIELDS[kind] });
    return { name, why, input, label: h("label", { class: "field" }, h("span", {}, t(`account.${kind}`)), input, why) };
  });
  const submit = h("button", { class: "main", type: "submit" }, button);
  return h("form", { class: "stack", onsubmit }, inputs.map(({ label }) => label), h("div", {}, submit));

  /** @param {SubmitEvent} event */
  async function onsubmit(event) {
    event.preventDefault();
    submit.disabled = true;
    for (const { why, input } of inputs) {
      why.hidden = true;
      input.removeAttribute("aria-invalid");
    }
    try {
      await send(Object.fromEntries(inputs.map(({ name, input }) => [name, input.value])));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const at = inputs.find(({ name }) => name === error.field) ?? inputs[inputs.length - 1];
      at.why.textContent = error.message;
      at.why.hidden = false;
      at.input.setAttribute("aria-invalid", "true");
      at.input.focus();
    } finally {
      submit.disabled = false;
    }
  }
}

/**
 * Asks somebody who is not logged in who it is.
 * @param {Way} way
 * @param {(way: Way) => void} choose
 * @param {Send} send
 */
export function entry(way, choose, send) {
  const others = /** @type {Way[]} */ (Object.keys(WAYS)).filter((other) => other !== way);
  return h(
    "div",
    { class: "prose account" },
    h("h1", {}, t(`account.${way}.title`)),
    h("p", { class: "soft" }, t(`account.${way}.text`)),
    form(WAYS[way], t(`account.${way}.button`), send),
    h("p", { class: "row" }, others.map((other) => h("button", { class: "quiet", type: "button", data: { act: `way-${other}` }, onclick: () => choose(other) }, t(`account.${other}.title`)))),
  );
}

/**
 * Codes for a lost password, told this once.
 * @param {string[]} all
 * @param {() => void} done
 */
export function codes(all, done) {
  return [
    h("h1", {}, t("account.codes")),
    h("p", {}, t("account.codes.text")),
    h("ul", { class: "codes" }, all.map((code) => h("li", {}, h("code", {}, code)))),
    h(
      "p",
      { class: "row" },
      h("button", { data: { act: "copy-codes" }, onclick: () => copy(all.join("\n"), "account.codes.copied") }, icon("copy"), t("account.codes.copy")),
      h("button", { class: "main", data: { act: "codes-kept" }, onclick: done }, t("account.codes.kept")),
    ),
  ];
}

/**
 * Where one is logged in.
 * @param {SessionView[]} all
 * @param {{end: (id: string) => void, others: () => void}} act
 */
export function sessions(all, act) {
  const row = (/** @type {SessionView} */ session) =>
    h(
      "li",
      { class: "row" },
      h("span", {}, session.device || t("account.device")),
      h("span", { class: "small soft" }, session.here ? t("account.here") : date(session.seen)),
      session.here ? null : h("button", { class: "quiet", data: { session: session.id }, onclick: () => act.end(session.id) }, t("account.log-out")),
    );
  const others = all.length > 1 ? h("button", { data: { act: "log-out-others" }, onclick: act.others }, t("account.log-out-others")) : null;
  return h("section", {}, h("h2", {}, t("account.sessions")), h("ul", { class: "list" }, all.map(row)), others);
}

/** @param {Send} send */
export function newPassword(send) {
  return fold(t("account.password-change"), form({ current: "current", password: "fresh" }, t("account.password-change"), send));
}

/** @param {number} left @param {Send} send */
export function newCodes(left, send) {
  const text = h("p", { class: "small soft" }, t("account.codes.left", { n: left }));
  return fold(t("account.codes"), text, form({ password: "current" }, t("account.codes.new"), send));
}

/** @param {Send} send */
export function closing(send) {
  const asked = form({ password: "current" }, t("account.close"), send);
  const button = /** @type {HTMLButtonElement} */ (asked.querySelector("button"));
  button.className = "";
  button.type = "button";
  button.onclick = () => asked.reportValidity() && twice(button, t("game.sure"), () => asked.requestSubmit());
  return fold(t("account.close"), h("p", { class: "small soft" }, t("account.close.text")), asked);
}

/** @param {string} title @param {...import("../lib/dom.js").Child} parts */
export function fold(title, ...parts) {
  return h("details", { class: "more" }, h("summary", {}, title), h("div", { class: "stack" }, parts));
}
