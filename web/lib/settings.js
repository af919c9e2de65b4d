// What a person likes, kept in this browser alone.

/**
 * @typedef {object} Settings
 * @property {"wood" | "night" | "contrast" | "colour-blind"} theme how board and marbles look
 * @property {"auto" | "light" | "dark"} mode
 * @property {string} language empty for the browser's own
 * @property {string} name the person's own, for the games that they play here
 * @property {boolean} sound
 * @property {boolean} coordinates
 * @property {boolean} threats whether marbles in danger are marked
 * @property {boolean} motion
 * @property {boolean} chat whether what others say is shown
 * @property {boolean} notify whether the browser tells of one's turn
 * @property {boolean} confirm whether moves by finger are confirmed
 */

/** @type {Settings} */
const DEFAULTS = {
  theme: "wood",
  mode: "auto",
  language: "",
  name: "",
  sound: false,
  coordinates: true,
  threats: false,
  motion: true,
  chat: true,
  notify: false,
  confirm: false,
};

const KEY = "sumito.settings";
/** @type {Settings} */
const settings = { ...DEFAULTS, ...read(KEY, {}) };
/** @type {Set<(settings: Settings) => void>} */
const listeners = new Set();

/** The settings now. @returns {Readonly<Settings>} */
export function current() {
  return settings;
}

/** @param {Partial<Settings>} change */
export function change(change) {
  Object.assign(settings, change);
  write(KEY, settings);
  apply();
  for (const listener of listeners) listener(settings);
}

/**
 * Calls back after every change; the answer ends that.
 * @param {(settings: Settings) => void} listener
 */
export function watch(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function apply() {
  const root = document.documentElement;
  root.dataset.theme = settings.theme;
  if (settings.mode === "auto") delete root.dataset.mode;
  else root.dataset.mode = settings.mode;
}

/** Whether marbles should be seen moving. */
export function motion() {
  return settings.motion && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * Reads something that this browser keeps.
 * @template T
 * @param {string} key
 * @param {T} otherwise
 * @returns {T}
 */
export function read(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(key) || "null") ?? otherwise;
  } catch {
    return otherwise;
  }
}

/**
 * @param {string} key
 * @param {unknown} value
 */
export function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Private windows may keep nothing; the page works all the same.
  }
}
