// The graph of a game that is being played, for those who want it: open it, and the engine looks at each position for a moment.
// All moves are measured by the same engine, whoever plays.

import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { read, write } from "../lib/settings.js";
import { connect } from "../lib/socket.js";
import { evaluationGraph } from "./graph.js";

/** @typedef {import("../lib/types.js").GameView} GameView */
/** @typedef {import("../lib/history.js").History} History */

/** Enough for a curve; a review looks five times as long. */
const NODES = 4000;

/**
 * @param {(ply: number) => void} go
 * @param {{key?: string, note?: string, seen?: (game: GameView) => void, found?: () => void}} [options] under which name it is kept whether it
 * is open; what is said below it besides; who is told that it was looked at, and that a position is known
 */
export function liveGraph(go, { key = "sumito.graph", note = "", seen, found } = {}) {
  const graph = evaluationGraph(go);
  const element = h(
    "details",
    { class: "card", data: { part: "graph" }, open: read(key, false), ontoggle: toggled },
    h("summary", {}, t("graph.live")),
    graph.element,
    h("p", { class: "small soft" }, `${t("graph.by")} ${note}`),
  );
  /** @type {ReturnType<typeof connect> | null} */
  let socket = null;
  /** @type {{game: GameView, past: History, ply: number} | null} */
  let now = null;
  let of = "";
  /** `null` where it is to be asked, `undefined` where there was no answer. @type {(number | null | undefined)[]} */
  let shares = [];
  /** The moves that led to each value: a move that is taken back takes its value along. @type {string[]} */
  let names = [];
  /** The ply that is being looked at. @type {number | null} */
  let asked = null;
  return {
    element,
    update,
    close,
    /** What Black can expect after a ply, if that is seen here. @param {number} ply */
    share: (ply) => (element.open ? (shares[ply] ?? null) : null),
  };

  /** @param {GameView} game @param {History} past @param {number} ply the one that is shown */
  function update(game, past, ply) {
    now = { game, past, ply };
    const moves = past.moves.map(({ move }) => move);
    const same = of === game.id ? names.findIndex((name, i) => name !== moves[i]) : 0;
    if (same >= 0) shares.length = Math.min(shares.length, of === game.id ? same + 1 : 0);
    of = game.id;
    names = moves;
    while (shares.length <= moves.length) shares.push(null);
    shares.length = moves.length + 1;
    const { outcome } = game.position;
    if (outcome && game.moves.length === moves.length) shares[moves.length] = outcome.winner === null ? 0.5 : Number(outcome.winner === "black");
    if (!element.open) return;
    seen?.(game);
    graph.update({ shares, moves, ply, whiteFirst: past.first === "white" });
    ask();
  }

  /** Asks about the last position that is not known, so that the newest comes first. */
  function ask() {
    if (asked !== null || !now || !element.open) return;
    const ply = shares.lastIndexOf(null);
    if (ply < 0) return;
    const { game } = now;
    socket ??= connect("/analysis", { message: hear, open: ask, lost: () => (asked = null) });
    const sent = socket.send({ type: "start", id: ply, fen: game.start_fen, rules: game.rules, moves: names.slice(0, ply), lines: 1, limit: { nodes: NODES } });
    if (sent) asked = ply;
  }

  /** @param {any} message */
  function hear({ type, id, lines }) {
    if (id !== asked || asked === null) return;
    // What was taken back meanwhile is forgotten.
    if (type === "lines" && id < shares.length && typeof lines[0]?.black === "number") shares[id] = lines[0].black;
    if (type !== "done" && type !== "error") return;
    if (shares[id] === null) shares[id] = undefined;
    asked = null;
    if (now) update(now.game, now.past, now.ply);
    found?.();
  }

  function toggled() {
    write(key, element.open);
    if (!element.open) close();
    else if (now) update(now.game, now.past, now.ply);
  }

  function close() {
    socket?.close();
    socket = null;
    asked = null;
  }
}
