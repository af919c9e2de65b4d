// The texts in the language of the person: one file a language, with the same keys.

import { current } from "./settings.js";

/** Each language with the name that it has for itself, and its file. @type {Record<string, [string, () => Promise<{default: Record<string, string>}>]>} */
const FILES = {
  de: ["Deutsch", () => import("../i18n/de.js")],
  en: ["English", () => import("../i18n/en.js")],
  es: ["Español", () => import("../i18n/es.js")],
  fr: ["Français", () => import("../i18n/fr.js")],
};

/** The languages to choose from, as `[tag, name]`. @type {[string, string][]} */
export const LANGUAGES = Object.entries(FILES).map(([tag, [name]]) => [tag, name]);

/** @type {Record<string, string>} */
let texts = {};
let chosen = "en";
/** The same with the reader's country, if they tell it: days and months are written otherwise in `en-GB` and `en-US`. */
let locale = "en";

/** Loads the texts; must be done before `t` is called. */
export async function load() {
  chosen = pick();
  locale = navigator.languages.find((tag) => tag.slice(0, 2).toLowerCase() === chosen) ?? chosen;
  texts = (await FILES[chosen][1]()).default;
  document.documentElement.lang = chosen;
}

function pick() {
  const wanted = [current().language, ...navigator.languages];
  for (const tag of wanted) {
    const language = tag.slice(0, 2).toLowerCase();
    if (language in FILES) return language;
  }
  return "en";
}

/** The language in use, such as `fr`. */
export function language() {
  return chosen;
}

/**
 * The text for a key, with `{name}` replaced by the values; a missing key shows itself.
 *
 * `one | many` in a text is chosen by the value `n`.
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  let text = texts[key] ?? key;
  if ("n" in values && text.includes(" | ")) {
    const forms = text.split(" | ");
    const plural = new Intl.PluralRules(chosen).select(Number(values.n));
    text = plural === "one" ? forms[0] : forms[1];
  }
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? show(values[name]) : whole));
}

/** The text for a key, or another one if there is none. @param {string} key @param {string} otherwise */
export function tOr(key, otherwise) {
  return texts[key] ?? otherwise;
}

/** @param {string | number} value */
function show(value) {
  return typeof value === "number" ? number(value) : value;
}

/** Formats of the browser, which are slow to make. @type {Map<string, Intl.NumberFormat>} */
const formats = new Map();

/** @param {number} value @param {Intl.NumberFormatOptions} [options] */
export function number(value, options) {
  // Small whole numbers look the same in all our languages; the first page needs no more.
  const plain = !options || options.useGrouping === false;
  if (plain && Number.isInteger(value) && Math.abs(value) < (options ? 1e6 : 1000)) return String(value);
  const key = chosen + JSON.stringify(options);
  const format = formats.get(key) ?? new Intl.NumberFormat(chosen, options);
  formats.set(key, format);
  return format.format(value);
}

/** 12,345,678 as 12.3 M. @param {number} value */
export function short(value) {
  return number(value, { notation: "compact", maximumFractionDigits: 1 });
}

/** @param {string | number} text a date and time */
export function date(text) {
  const when = new Date(text);
  if (Number.isNaN(when.getTime())) return String(text);
  return new Intl.DateTimeFormat(locale, { dateStyle: "medium" }).format(when);
}
