// What one does about somebody on their page: not to meet them any more, to tell the moderators.

import { ApiError, get, post, put, remove } from "../lib/api.js";
import { fill, h, select, toast } from "../lib/dom.js";
import { t } from "../lib/i18n.js";

/** @param {string} name of somebody else than oneself */
export function peaceTools(name) {
  const path = `/people/${encodeURIComponent(name)}/block`;
  const block = h("button", { class: "quiet", data: { act: "block" }, onclick: turn }, t("peace.block"));
  const reasons = /** @type {[string, string][]} */ (["engine", "farming", "abuse", "other"].map((reason) => [reason, t(`peace.reason.${reason}`)]));
  const reason = select({ name: "reason" }, reasons, "engine");
  const text = h("input", { name: "text", maxlength: 140, required: true, autocomplete: "off" });
  const game = new URLSearchParams(location.search).get("game");
  const form = h(
    "form",
    { class: "stack", onsubmit: send },
    h("label", { class: "field" }, h("span", {}, t("peace.reason")), reason),
    h("label", { class: "field" }, h("span", {}, t("peace.text")), text),
    h("div", {}, h("button", { type: "submit" }, t("peace.send"))),
  );
  const element = h("section", { class: "stack peace" }, h("div", {}, block), h("details", { class: "more" }, h("summary", { data: { act: "report" } }, t("peace.report")), form));
  let blocked = false;
  get("/account/blocked").then(({ names }) => draw(names.includes(name)));
  return element;

  /** @param {boolean} now */
  function draw(now) {
    blocked = now;
    fill(block, t(now ? "peace.unblock" : "peace.block"));
    block.setAttribute("aria-pressed", String(now));
  }

  async function turn() {
    await (blocked ? remove(path, null) : put(path, {}));
    draw(!blocked);
  }

  /** @param {SubmitEvent} event */
  async function send(event) {
    event.preventDefault();
    try {
      await post("/reports", { person: name, game, reason: reason.value, text: text.value });
      text.value = "";
      toast(t("peace.sent"), "note");
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      toast(error.message);
    }
  }
}
