// The API's own document, to read: every path with what it takes and gives.

import { get } from "../lib/api.js";
import { fill, h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";

/** @type {import("../app.js").Open} */
export async function open(root) {
  const document = await get("/openapi.json");
  const schemas = document.components?.schemas ?? {};
  const entries = Object.entries(document.paths ?? {}).flatMap(([path, verbs]) =>
    Object.entries(/** @type {Record<string, any>} */ (verbs)).map(([verb, operation]) => endpoint(path, verb, operation)),
  );
  fill(
    root,
    h(
      "div",
      { class: "prose" },
      h("h1", {}, `${document.info?.title ?? "API"} ${document.info?.version ?? ""}`),
      h("p", {}, document.info?.description ?? ""),
      h("p", {}, h("a", { href: "/api/v1/openapi.json" }, "openapi.json")),
      h("section", {}, entries),
      h("section", {}, h("h2", {}, t("reference.shapes")), Object.entries(schemas).map(([name, schema]) => shape(name, schema))),
    ),
  );
  return {};
}

/** @param {string} path @param {string} verb @param {any} operation */
function endpoint(path, verb, operation) {
  const body = operation.requestBody?.content;
  return h(
    "details",
    { class: "endpoint" },
    h("summary", {}, h("span", { class: "verb" }, verb.toUpperCase()), h("span", { class: "path" }, path), h("span", { class: "soft small" }, operation.summary ?? "")),
    h(
      "div",
      {},
      operation.description ? h("p", {}, operation.description) : null,
      operation.parameters?.length ? parameters(operation.parameters) : null,
      body ? [h("h3", {}, t("reference.body")), Object.entries(body).map(([type, content]) => h("p", {}, h("code", {}, type), " ", named(content)))].flat() : null,
      h("h3", {}, t("reference.answers")),
      h(
        "table",
        {},
        h("tbody", {}, Object.entries(operation.responses ?? {}).map(([status, answer]) => h("tr", {}, h("td", {}, h("code", {}, status)), h("td", {}, answer.description ?? "", " ", Object.values(answer.content ?? {}).map(named))))),
      ),
    ),
  );
}

/** @param {any[]} all */
function parameters(all) {
  return h(
    "table",
    {},
    h(
      "tbody",
      {},
      all.map((each) => h("tr", {}, h("td", {}, h("code", {}, each.name)), h("td", { class: "soft small" }, `${each.in} ${type(each.schema)}${each.required ? ` · ${t("reference.required")}` : ""}`), h("td", {}, each.description ?? ""))),
    ),
  );
}

/** The name of a body's shape, as a link to it. @param {any} content */
function named(content) {
  const name = type(content?.schema);
  return name ? h("code", {}, name) : "";
}

/** @param {any} schema @returns {string} */
function type(schema) {
  if (!schema) return "";
  if (schema.$ref) return schema.$ref.split("/").pop();
  if (schema.type === "array") return `[${type(schema.items)}]`;
  return [schema.type].flat().filter(Boolean).join(" | ");
}

/** @param {string} name @param {any} schema */
function shape(name, schema) {
  return h("details", { class: "endpoint", id: `shape-${name}` }, h("summary", {}, h("span", { class: "path" }, name), h("span", { class: "soft small" }, schema.description ?? "")), h("div", {}, h("pre", {}, JSON.stringify(schema, null, 2))));
}
