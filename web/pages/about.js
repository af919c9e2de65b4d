// About: who plays here, how strong, from which document; version and licence.

import { meta } from "../lib/api.js";
import { fill, h } from "../lib/dom.js";
import { number, t, tOr } from "../lib/i18n.js";

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

/** @param {import("../lib/types.js").Meta} meta */
function levels({ levels: all }) {
  return h(
    "div",
    { class: "scroll" },
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, h("th", { class: "number" }, t("setup.level")), h("th", {}, t("about.name")), h("th", { class: "number" }, "Elo"))),
      h("tbody", {}, all.map(({ level, name, elo }) => h("tr", {}, h("td", { class: "number" }, level), h("td", {}, tOr(`level.${level}`, name)), h("td", { class: "number" }, number(elo, { useGrouping: false }))))),
    ),
  );
}

/** @param {import("../lib/types.js").Meta} meta */
function agents({ agents: all }) {
  /** @param {import("../lib/types.js").Meta["agents"][number]} agent */
  const entry = ({ name, summary, source, options }) => [
    h("dt", {}, h("code", {}, name)),
    h(
      "dd",
      {},
      summary,
      source ? h("div", { class: "small soft" }, source) : null,
      options?.length
        ? h(
            "details",
            { class: "small" },
            h("summary", {}, t("about.options", { n: options.length })),
            h("ul", {}, options.map((each) => h("li", {}, h("code", {}, `${each.name}=${each.default ?? ""}`), ` ${each.help ?? ""}`))),
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
