// About: who plays here, how strong, from which document; version and licence.

import { meta } from "../lib/api.js";
import { fill, h } from "../lib/dom.js";
import { number, t, tOr } from "../lib/i18n.js";
import { agentName } from "../lib/speak.js";
import { summaryOf } from "../parts/agents.js";

/** @typedef {import("../lib/dom.js").Child} Child */

/** @type {import("../app.js").Open} */
export async function open(root) {
  const known = await meta();
  fill(
    root,
    h(
      "div",
      { class: "prose" },
      h("section", {}, h("h1", {}, "Sumito"), h("p", {}, t("about.what")), h("p", { class: "soft" }, t("about.trademark"))),
      h("section", {}, h("h2", {}, t("about.levels")), h("p", { class: "small soft" }, t("about.elo")), levels(known)),
      h("section", {}, h("h2", {}, t("about.agents")), h("p", { class: "small soft" }, t("about.sources")), agents(known)),
      h("section", {}, h("h2", {}, t("about.keys")), keys()),
      h(
        "section",
        {},
        h("h2", {}, t("about.program")),
        h("p", {}, t("about.version", { version: known.version, licence: known.licence })),
        h("p", {}, h("a", { href: "/reference" }, t("about.reference")), " · ", h("a", { href: "/api/v1/openapi.json" }, "openapi.json")),
      ),
    ),
  );
  return {};
}

/** Levels, and agents among them where their strength is known. @param {import("../lib/types.js").Meta} meta */
function levels({ levels: all, ratings }) {
  /** @type {{first: Child, name: Child, elo: number, error: number | null}[]} */
  const rows = [
    ...all.map(({ level, name, elo }) => ({ first: level, name: tOr(`level.${level}`, name), elo, error: null })),
    ...ratings.map(({ spec, elo, error }) => ({ first: "", name: agentName(spec), elo, error })),
  ].sort((a, b) => b.elo - a.elo);
  /** @param {number} value */
  const plain = (value) => number(value, { useGrouping: false });
  return h(
    "div",
    { class: "scroll" },
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, h("th", { class: "number" }, t("setup.level")), h("th", {}, t("about.name")), h("th", { class: "number" }, "Elo"))),
      h("tbody", {}, rows.map(({ first, name, elo, error }) => h("tr", {}, h("td", { class: "number" }, first), h("td", {}, name), h("td", { class: "number" }, error ? `${plain(elo)} ± ${error}` : plain(elo))))),
    ),
  );
}

/** @param {import("../lib/types.js").Meta} meta */
function agents({ agents: all }) {
  /** @param {import("../lib/types.js").Meta["agents"][number]} agent */
  const entry = (agent) => [
    h("dt", {}, h("strong", {}, agentName(agent.name)), " ", h("code", { class: "small soft" }, agent.name)),
    h(
      "dd",
      {},
      tOr(`persona.${agent.name}.text`, ""),
      h("div", { class: "small soft" }, summaryOf(agent)),
      agent.source ? h("div", { class: "small soft" }, agent.source) : null,
      agent.options?.length
        ? h(
            "details",
            { class: "small" },
            h("summary", {}, t("about.options", { n: agent.options.length })),
            h("ul", {}, agent.options.map((each) => h("li", {}, h("code", {}, `${each.name}=${each.default ?? ""}`), ` ${each.help ?? ""}`))),
          )
        : null,
    ),
  ];
  return h("dl", {}, all.map(entry).flat());
}

function keys() {
  /** @type {[string[], string][]} */
  const all = [
    [["←", "→", "↑", "↓"], t("keys.walk")],
    [["Space"], t("keys.select")],
    [["W", "E", "A", "D", "Z", "X"], t("keys.move")],
    [["Esc"], t("keys.cancel")],
    [["F"], t("keys.flip")],
  ];
  return h("table", {}, h("tbody", {}, all.map(([names, text]) => h("tr", {}, h("td", {}, names.map((name) => [h("kbd", {}, name), " "]).flat()), h("td", {}, text)))));
}
