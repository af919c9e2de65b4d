// Choosing an agent: a level of the flagship, one of the literature, or any spec.

import { h, select } from "../lib/dom.js";
import { number, t, tOr } from "../lib/i18n.js";
import { agentName } from "../lib/speak.js";

/** @typedef {import("../lib/types.js").Meta} Meta */

/** @param {Meta} meta @param {number} level */
export function levelText(meta, level) {
  const known = meta.levels.find((each) => each.level === level);
  if (!known) return String(level);
  return `${tOr(`level.${level}`, known.name)} · ${number(known.elo, { useGrouping: false })}`;
}

/**
 * A field for any agent, by the names that people know; what researchers need is folded away: its options as in a spec, such as `depth=4`, and its source.
 * @param {Meta} meta
 * @param {string} spec
 * @param {{label: string, name: string, change?: (spec: string) => void}} options
 */
export function agentField(meta, spec, { label, name, change }) {
  const [base, rest = ""] = split(spec);
  const levels = /** @type {[string, string][]} */ (
    meta.levels.map(({ level }) => [`sumito:level=${level}`, `${level}. ${levelText(meta, level)}`])
  );
  const agents = /** @type {[string, string][]} */ (meta.agents.map(({ name }) => [name, agentName(name)]));
  const isLevel = levels.some(([value]) => value === spec);
  const chooser = select(
    { name, onchange: changed },
    [
      [t("agents.levels"), levels],
      [t("agents.all"), agents],
    ],
    isLevel ? spec : base,
  );
  const extra = h("input", { type: "text", name: `${name}-options`, value: isLevel ? "" : rest, oninput: () => change?.(value()), spellcheck: "false", autocomplete: "off" });
  const about = h("p", { class: "small soft" });
  const source = h("p", { class: "small soft" });
  const options = h("label", { class: "field" }, h("span", {}, t("agents.options")), extra);
  const expert = h("details", { class: "small", open: !isLevel && rest !== "" }, h("summary", {}, t("agents.expert")), h("div", { class: "stack" }, source, options));
  const element = h("div", { class: "stack" }, h("label", { class: "field" }, h("span", {}, label), chooser), about, expert);
  show();
  return { element, value };

  function changed() {
    extra.value = "";
    show();
    change?.(value());
  }
  function show() {
    const agent = meta.agents.find((each) => each.name === chooser.value);
    const known = agent?.options ?? [];
    options.hidden = !known.length;
    extra.placeholder = known.slice(0, 3).map((each) => `${each.name}=${each.default ?? ""}`).join(",");
    about.textContent = agent ? tOr(`persona.${agent.name}.text`, agent.summary) : "";
    source.textContent = agent ? [agent.name, summaryOf(agent), agent.source].filter(Boolean).join(" — ") : "";
    about.hidden = expert.hidden = !agent;
  }
  function value() {
    const given = expert.hidden || options.hidden ? "" : extra.value.trim();
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
