// Choosing an agent: a level of the flagship, one of the literature, or any spec.

import { h, select } from "../lib/dom.js";
import { number, t, tOr } from "../lib/i18n.js";

/** @typedef {import("../lib/types.js").Meta} Meta */

/** @param {Meta} meta @param {number} level */
export function levelText(meta, level) {
  const known = meta.levels.find((each) => each.level === level);
  if (!known) return String(level);
  return `${tOr(`level.${level}`, known.name)} · ${number(known.elo, { useGrouping: false })}`;
}

/**
 * A field for any agent; the second field takes its options as in a spec, such as `depth=4`.
 * @param {Meta} meta
 * @param {string} spec
 * @param {{label: string, name: string, change?: (spec: string) => void}} options
 */
export function agentField(meta, spec, { label, name, change }) {
  const [base, rest = ""] = split(spec);
  const levels = /** @type {[string, string][]} */ (
    meta.levels.map(({ level }) => [`sumito:level=${level}`, `${level}. ${levelText(meta, level)}`])
  );
  const agents = /** @type {[string, string][]} */ (meta.agents.map((agent) => [agent.name, agent.name]));
  const isLevel = levels.some(([value]) => value === spec);
  const chooser = select(
    { name, onchange: changed },
    [
      [t("agents.levels"), levels],
      [t("agents.all"), agents],
    ],
    isLevel ? spec : base,
  );
  const extra = h("input", { type: "text", name: `${name}-options`, value: isLevel ? "" : rest, "aria-label": t("agents.options"), oninput: () => change?.(value()), spellcheck: "false", autocomplete: "off" });
  const about = h("p", { class: "small soft" });
  const element = h("div", { class: "field" }, h("label", { class: "field" }, h("span", {}, label), chooser), extra, about);
  element.classList.add("stack");
  show();
  return { element, value };

  function changed() {
    extra.value = "";
    show();
    change?.(value());
  }
  function show() {
    const agent = meta.agents.find((each) => each.name === chooser.value);
    const options = agent?.options ?? [];
    extra.hidden = !agent || !options.length;
    extra.placeholder = options.slice(0, 3).map((each) => `${each.name}=${each.default ?? ""}`).join(",");
    about.textContent = agent ? [summaryOf(agent), agent.source].filter(Boolean).join(" — ") : "";
    about.hidden = !agent;
  }
  function value() {
    const given = extra.hidden ? "" : extra.value.trim();
    return given ? `${chooser.value}:${given}` : chooser.value;
  }
}

/** What an agent is, in the language of the person. @param {Meta["agents"][number]} agent */
export function summaryOf({ name, summary }) {
  return tOr(`agent.${name}`, summary);
}

/** @param {string} spec @returns {[string, string]} */
function split(spec) {
  const at = spec.indexOf(":");
  return at < 0 ? [spec, ""] : [spec.slice(0, at), spec.slice(at + 1)];
}
