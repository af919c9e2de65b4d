// Speaks JSON with the server. Every failure is an `ApiError` that says what was wrong and with which field.

import { t, tOr } from "./i18n.js";
import { back, heard, patient } from "./line.js";

/** @typedef {import("./types.js").GameView} GameView */
/** @typedef {import("./types.js").PositionView} PositionView */
/** @typedef {import("./types.js").MoveView} MoveView */

const BASE = "/api/v1";

/** What the server says was wrong. */
export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {{code?: string, values?: Record<string, any>, kind?: string, message?: string, field?: string | null}} error
   */
  constructor(status, error) {
    super(told(error) || `HTTP ${status}`);
    this.status = status;
    this.code = error.code || "unknown";
    this.kind = error.kind || "unknown";
    this.field = error.field || null;
  }
}

/**
 * What was wrong in the reader's words, with the move at fault where there are several.
 * @param {{code?: string, values?: Record<string, any>, message?: string, field?: string | null}} error
 * @param {boolean} [game] whether it is about a whole game, where also the first move has a number
 */
export function told(error, game = false) {
  const why = said(error) || error.message || "";
  const move = Number(/^moves\[(\d+)\]$/.exec(error.field ?? "")?.[1] ?? -1);
  if (error.field === "variations") return t("fault.variation", { why });
  return move > 0 || (game && move === 0) ? t("fault.move", { n: move + 1, why }) : why;
}

/**
 * A cause in the reader's words, if it is one that readers can do something about.
 * @param {{code?: string, values?: Record<string, any>}} error
 */
function said({ code, values = {} }) {
  if (!code) return "";
  if (code === "offline") return t("error.offline");
  if (!tOr(`cause.${code}`, "")) return t("cause.other");
  const named = Object.entries(values).map(([name, value]) => [name, word(name, value)]);
  return t(`cause.${code}`, Object.fromEntries(named));
}

/** Colours and reasons have words of their own. @param {string} name @param {any} value */
function word(name, value) {
  if (name === "turn" || name === "color") return tOr(`color.${value}`, value);
  if (name === "reason") return tOr(`reason.${value}`, "");
  if (name === "part") return t(`part.${value}`);
  if (Array.isArray(value)) return value.join(", ");
  // Rows are lettered as the board's edge is.
  if (name === "row") return String(value).toLowerCase();
  return typeof value === "number" ? value : String(value);
}

/** So often something is asked again of a server that answers otherwise. */
const TRIES = 3;

/**
 * @param {string} path
 * @param {RequestInit} [init]
 * @param {boolean} [changes] whether it changes anything: if not, it waits for a server that is gone, and is asked again
 */
async function ask(path, init = {}, changes = false) {
  let answer = await sent(path, init);
  for (let i = 1; !answer && i < TRIES && !changes; i++) {
    await back();
    answer = await sent(path, init);
  }
  if (!answer) {
    back();
    throw new ApiError(0, { code: "offline", message: "offline" });
  }
  const { response, body } = answer;
  if (!response.ok) throw new ApiError(response.status, body.error ?? { message: String(body) });
  return body;
}

/** The answer with all of its body, or nothing if the server is gone. @param {string} path @param {RequestInit} init */
async function sent(path, init) {
  const { signal, done } = patient();
  try {
    const response = await fetch(path.startsWith("/api/") ? path : BASE + path, { ...init, signal });
    // A gateway speaks for a server that is gone, but not in JSON.
    if ([502, 503, 504].includes(response.status) && !isJson(response)) return null;
    const body = isJson(response) ? await response.json() : await response.text();
    heard();
    return { response, body };
  } catch {
    return null;
  } finally {
    done();
  }
}

/** @param {Response} response */
function isJson(response) {
  // Lines of JSON are none as a whole.
  return /\bjson\b/.test(response.headers.get("content-type") || "");
}

/**
 * @param {string} path
 * @param {Record<string, any>} [query] empty values are left out
 * @param {string | null} [key] the right to see what is for players alone
 */
export function get(path, query = {}, key = null) {
  const given = Object.entries(query).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  const text = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
  return ask(text ? `${path}?${text}` : path, key ? { headers: { authorization: `Bearer ${key}` } } : {});
}

/**
 * @param {string} path
 * @param {object} body
 * @param {string | null} [key] the right to move in a game
 */
export function post(path, body = {}, key = null) {
  return ask(path, { method: "POST", headers: headers(key), body: JSON.stringify(body) }, path !== "/positions");
}

/** @param {string} path @param {object} body @param {string | null} [key] the right to it in a game */
export function put(path, body, key = null) {
  return ask(path, { method: "PUT", headers: headers(key), body: JSON.stringify(body) }, true);
}

/** What goes with a body. @param {string | null} key @returns {Record<string, string>} */
function headers(key) {
  const type = { "content-type": "application/json" };
  return key ? { ...type, authorization: `Bearer ${key}` } : type;
}

/** @param {string} path @param {string | null} key the right to delete it, if it takes one */
export function remove(path, key) {
  return ask(path, { method: "DELETE", headers: key ? { authorization: `Bearer ${key}` } : {} }, true);
}

/** @param {string | Blob} text games to import */
export function upload(text) {
  return ask("/imports", { method: "POST", headers: { "content-type": "text/plain" }, body: text }, true);
}

/**
 * What the program put into the page, so that nothing has to be asked for before the first move; nothing of it when the
 * pages come from a folder.
 * @type {{meta?: import("./types.js").Meta, layout?: string, rules?: string, position?: PositionView}}
 */
const first = JSON.parse(document.getElementById("first")?.textContent || "{}");

/** @type {Promise<import("./types.js").Meta> | null} */
let known = first.meta ? Promise.resolve(first.meta) : null;

/** Agents, levels, layouts and the like; asked for once. */
export function meta() {
  known ??= get("/meta").catch((error) => {
    known = null;
    throw error;
  });
  return /** @type {Promise<import("./types.js").Meta>} */ (known);
}

/**
 * A position with its legal moves.
 * @param {{fen?: string, layout?: string, moves?: string[], rules?: string | object}} from
 * @returns {Promise<PositionView>}
 */
export async function position(from) {
  const { fen, moves, layout, rules } = from;
  if (first.position && !fen && !moves && layout === first.layout && rules === first.rules) return first.position;
  return (await post("/positions", from)).position;
}

/** @param {string} path a WebSocket below the API, such as `/analysis` */
export function socketUrl(path) {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  return `${scheme}//${location.host}${BASE}${path}`;
}

/** An address that others can open: the server's public one, if it knows it. @param {string} path */
export async function publicUrl(path) {
  return ((await meta()).public_url ?? location.origin) + path;
}

/** The path of a picture. @param {{fen: string, move?: string, theme?: string, flip?: boolean}} query */
export function picturePath({ fen, move, theme, flip }) {
  const query = new URLSearchParams({ fen });
  if (move) query.set("move", move);
  if (theme) query.set("theme", theme);
  if (flip) query.set("flip", "true");
  return `${BASE}/picture.svg?${query}`;
}
