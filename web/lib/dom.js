// Makes elements. Text is always set as text, never as markup.

import { append, assign, fill, s } from "../board/svg.js";
import { place } from "./toast.js";

export { assign, fill, s };

/** @typedef {import("../board/svg.js").Child} Child */

/**
 * Makes an HTML element: `h("button", {class: "quiet", onclick: go}, "Go")`.
 * The properties are those of `s`.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} [props]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  assign(element, props);
  append(element, children);
  return element;
}

/**
 * A `<select>`; options are `[value, text]` or `[group, options]` where the second is a list.
 * @param {Record<string, any>} props
 * @param {Array<[string, string | Array<[string, string]>]>} options
 * @param {string} value
 */
export function select(props, options, value) {
  /** @param {[string, string]} pair */
  const option = ([key, text]) => h("option", { value: key, selected: key === value }, text);
  return h(
    "select",
    props,
    options.map(([key, text]) =>
      typeof text === "string" ? option([key, text]) : h("optgroup", { label: key }, text.map(option)),
    ),
  );
}

/** So long a sentence stands after it was begun to be spoken, and so long for each letter: a slow voice says a dozen a second. */
const HEARD = 2000;
const LETTER = 80;
let heard = 0;

/** Says something to screen readers. It is gone when it was heard: whoever reads the page does not meet it again. @param {string} text */
export function say(text) {
  const live = document.getElementById("live");
  clearTimeout(heard);
  // A new element is spoken also if it says what the one before it said.
  live?.replaceChildren(h("div", {}, text));
  heard = setTimeout(() => live?.replaceChildren(), HEARD + LETTER * text.length);
}

/**
 * Shows a note for a few seconds.
 * @param {string} text
 * @param {"error" | "note"} kind
 */
export function toast(text, kind = "error") {
  const note = h("div", { class: "notice" }, h("div", { class: `toast ${kind}` }, text));
  // One after the other, so that they do not cover each other either.
  const toasts = document.getElementById("toasts");
  toasts?.replaceChildren(note);
  const move = () => place(note);
  move();
  window.addEventListener("scroll", move, { passive: true });
  window.addEventListener("resize", move);
  setTimeout(() => {
    note.remove();
    window.removeEventListener("scroll", move);
    window.removeEventListener("resize", move);
  }, 5000);
}

/**
 * Does what a button says when it is pressed a second time; after the first its text is a question, until something else is pressed.
 * A double click is one press.
 * @param {HTMLButtonElement} button its text comes last
 * @param {string} question
 * @param {() => void} action
 */
export function twice(button, question, action) {
  const known = asked.get(button);
  known?.();
  if (known) return action();
  const text = button.lastChild?.textContent ?? "";
  const asking = new AbortController();
  const { signal } = asking;
  function restore() {
    asking.abort();
    asked.delete(button);
    button.lastChild?.replaceWith(text);
    delete button.dataset.sure;
  }
  asked.set(button, restore);
  button.dataset.sure = "asked";
  button.lastChild?.replaceWith(question);
  button.addEventListener("click", (event) => event.detail > 1 && event.stopImmediatePropagation(), { signal, capture: true });
  document.addEventListener("pointerdown", (event) => !button.contains(/** @type {Node} */ (event.target)) && restore(), { signal, capture: true });
  document.addEventListener("keydown", (event) => event.key === "Escape" && restore(), { signal });
}

/** How to take the question of a button back. @type {WeakMap<HTMLButtonElement, () => void>} */
const asked = new WeakMap();

/**
 * A picture of a button, drawn by a path in a box of 24 by 24.
 * @param {keyof typeof ICONS} name
 */
export function icon(name) {
  return s("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d: ICONS[name] }));
}

const ICONS = {
  first: "M18 6l-6 6 6 6M10 6l-6 6 6 6",
  back: "M15 6l-6 6 6 6",
  next: "M9 6l6 6-6 6",
  last: "M6 6l6 6-6 6M14 6l6 6-6 6",
  flip: "M7 4v13M7 4L4 7M7 4l3 3M17 20V7M17 20l-3-3M17 20l3-3",
  undo: "M9 7L4 12l5 5M4 12h10a6 6 0 0 1 6 6",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.5 10.9c.5.4.9 1 .9 1.6h5.2c0-.6.4-1.2.9-1.6A6 6 0 0 0 12 3z",
  flag: "M6 21V4M6 4h11l-2 4 2 4H6",
  draw: "M5 9h14M5 15h14",
  again: "M4 12a8 8 0 1 1 2.5 5.8M4 20v-5h5",
  plus: "M12 5v14M5 12h14",
  people: "M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM2 21v-2a5 5 0 0 1 5-5h4a5 5 0 0 1 5 5v2M16 3.5a4 4 0 0 1 0 7.5M18.5 14.5A5 5 0 0 1 22 19v2",
  play: "M8 5l11 7-11 7z",
  pause: "M8 5v14M16 5v14",
  step: "M6 5l9 7-9 7zM18 5v14",
  gear: "M4 7h10M18 7h2M4 17h2M10 17h10M14 4.5v5M8 14.5v5",
  share: "M12 15V4M8 8l4-4 4 4M5 13v6h14v-6",
  save: "M12 4v11M8 11l4 4 4-4M5 20h14",
  copy: "M9 9h10v11H9zM5 15V4h10",
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l4 4",
  chart: "M4 20h16M6 16l4-6 4 3 5-8",
  book: "M5 4h6a2 2 0 0 1 2 2v14a2 2 0 0 0-2-2H5zM19 4h-4a2 2 0 0 0-2 2v14a2 2 0 0 1 2-2h4z",
  close: "M6 6l12 12M18 6L6 18",
  edit: "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3",
  trash: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
  menu: "M4 7h16M4 12h16M4 17h16",
  check: "M5 13l4 4L19 7",
  engine: "M12 3v3M12 18v3M3 12h3M18 12h3M8 8h8v8H8z",
};
