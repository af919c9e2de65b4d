// Tournaments: those that are planned or under way, those that are over, and a form for another one.

import { ApiError, get, meta, post } from "../lib/api.js";
import { who } from "../lib/account.js";
import { fill, h, icon, select, toast } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { layoutTitle } from "../parts/layouts.js";
import { CLOCKS, clock } from "./lobby-view.js";
import { facts, moment } from "./tournament-view.js";

/** @typedef {import("../lib/types.js").TournamentSummary} TournamentSummary */
/** @typedef {import("../lib/types.js").Meta} Meta */

/** What there is to choose as the number of each system, and what is chosen at first. @type {Record<string, {unit: string, least: number, most: number, usual: number}>} */
const SYSTEMS = {
  swiss: { unit: "rounds", least: 1, most: 30, usual: 5 },
  arena: { unit: "minutes", least: 1, most: 240, usual: 45 },
  "round-robin": { unit: "cycles", least: 1, most: 2, usual: 1 },
};

/** @type {import("../app.js").Open} */
export async function open(root) {
  const known = await meta();
  if (!known.arena) {
    fill(root, h("div", { class: "prose" }, h("h1", {}, t("nav.tournaments")), h("p", {}, t("cause.arena.off"))));
    return {};
  }
  const [person, coming, past] = await Promise.all([who(), get("/tournaments"), get("/tournaments", { over: true })]);
  const lists = /** @type {[string, TournamentSummary[]][]} */ ([["tournament.coming", coming.tournaments], ["tournament.past", past.tournaments]]);
  fill(
    root,
    h(
      "div",
      { class: "prose tournaments" },
      h("h1", {}, t("nav.tournaments")),
      person ? h("details", { class: "card" }, h("summary", {}, t("tournament.new")), form(known)) : h("p", {}, h("a", { class: "button main", href: "/account" }, t("tournament.log-in"))),
      lists.map(([title, list]) => h("section", {}, h("h2", {}, t(title)), list.length ? h("ul", { class: "list" }, list.map(row)) : h("p", { class: "soft" }, t("tournament.none")))),
      h("p", {}, h("a", { href: "/replay" }, t("nav.replay"))),
    ),
  );
  return {};

  /** @param {TournamentSummary} tournament */
  function row(tournament) {
    const layout = known.layouts.find(({ name }) => name === tournament.layout);
    return h(
      "li",
      { class: "row spread" },
      h("span", {}, h("a", { href: `/tournament/${tournament.id}` }, tournament.name), h("div", { class: "small soft" }, facts(tournament, layout).join(" · "))),
      h("span", { class: "small soft when" }, tournament.stage === "planned" ? moment(tournament.starts) : t(`tournament.stage.${tournament.stage}`), h("div", {}, t("tournament.players", { n: tournament.entered }))),
    );
  }
}

/** Asks what a new tournament is to be. @param {Meta} known */
function form(known) {
  const name = h("input", { name: "name", required: true, maxlength: 60, autocomplete: "off" });
  const system = select({ name: "system", onchange: choose }, Object.keys(SYSTEMS).map((kind) => [kind, t(`tournament.system.${kind}`)]), "swiss");
  const unit = h("span", {});
  const number = h("input", { name: "number", type: "number", required: true, step: 1 });
  const layouts = /** @type {[string, string][]} */ ([["random", t("tournament.layout.random")], ...known.layouts.map((layout) => [layout.name, layoutTitle(layout)])]);
  const layout = select({ name: "layout" }, layouts, "belgian-daisy");
  const clocks = CLOCKS.map(([minutes, seconds]) => /** @type {[string, string]} */ ([`${minutes}+${seconds}`, t("clock.game", { minutes, seconds })]));
  const time = select({ name: "clock" }, clocks, "5+3");
  const welcome = select({ name: "welcome" }, ["both", "people", "bots"].map((who) => [who, t(`tournament.welcome.${who}`)]), "both");
  const starts = h("input", { name: "starts", type: "datetime-local", required: true, value: local(Date.now() + 10 * 60_000) });
  const rated = h("input", { name: "rated", type: "checkbox", checked: true });
  const late = h("input", { name: "late", type: "checkbox", checked: true });
  const wrong = h("p", { class: "small wrong", role: "alert", hidden: true });
  const submit = h("button", { class: "main", type: "submit" }, icon("plus"), t("tournament.plan"));
  /** @param {string} text @param {HTMLElement} input */
  const field = (text, input) => h("label", { class: "field" }, h("span", {}, text), input);
  choose();
  return h(
    "form",
    { class: "stack", onsubmit: send },
    field(t("tournament.name"), name),
    h("div", { class: "filters" }, field(t("tournament.system"), system), h("label", { class: "field" }, unit, number), field(t("setup.layout"), layout), field(t("tournament.clock"), time), field(t("tournament.welcome"), welcome), field(t("tournament.starts"), starts)),
    h("label", { class: "tick" }, rated, t("lobby.rated")),
    h("label", { class: "tick" }, late, t("tournament.late")),
    wrong,
    h("div", {}, submit),
  );

  function choose() {
    const { unit: what, least, most, usual } = SYSTEMS[system.value];
    unit.textContent = t(`tournament.unit.${what}`);
    Object.assign(number, { min: String(least), max: String(most), value: String(usual) });
  }

  /** @param {SubmitEvent} event */
  async function send(event) {
    event.preventDefault();
    submit.disabled = true;
    wrong.hidden = true;
    const [minutes, seconds] = time.value.split("+").map(Number);
    try {
      const planned = await post("/tournaments", {
        name: name.value,
        system: { kind: system.value, [SYSTEMS[system.value].unit]: Number(number.value) },
        layout: layout.value,
        clock: clock(minutes, seconds),
        rated: rated.checked,
        welcome: welcome.value,
        late: late.checked,
        starts: new Date(starts.value).getTime(),
      });
      (await import("../app.js")).go(`/tournament/${planned.id}`);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      wrong.textContent = error.message;
      wrong.hidden = false;
      if (error.status === 0) toast(error.message);
    } finally {
      submit.disabled = false;
    }
  }
}

/** A moment as such a field writes it, in the time of this place. @param {number} ms */
function local(ms) {
  return new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
