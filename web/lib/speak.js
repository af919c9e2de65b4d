// Positions and moves in words, for labels and screen readers.

import { moverOf } from "../board/replay.js";
import { number, t, tOr } from "./i18n.js";

/** @typedef {import("./types.js").MoveView} MoveView */
/** @typedef {import("./types.js").PositionView} PositionView */
/** @typedef {import("./types.js").ScoreView} Score */
/** @typedef {import("./types.js").Color} Color */

/** What the board says. @returns {import("../board/labels.js").Labels} */
export function boardLabels() {
  return { board: t("board.label"), cell: cellLabel, move: moveLabel, reason: reasonText };
}

/** "Two against two: no push." @param {import("../board/types.js").Reason} reason */
function reasonText({ cause, ours = 0, theirs = 0, join, arrows }) {
  const text = t(`why.${cause}`, { ours: tOr(`count.${ours}`, String(ours)), theirs: tOr(`count.${theirs}`, String(theirs)) });
  const sentence = text.charAt(0).toLocaleUpperCase() + text.slice(1);
  if (!join) return sentence;
  return `${sentence} ${arrows ? t("why.push") : t("why.join")}`;
}

/**
 * @param {string} cell
 * @param {Color | null} marble
 * @param {boolean} threatened
 */
function cellLabel(cell, marble, threatened) {
  const label = `${cell}, ${t(`cell.${marble ?? "empty"}`)}`;
  return threatened ? `${label}, ${t("cell.threatened")}` : label;
}

/** "a1 b2 up right, pushes 2 marbles" @param {MoveView} move */
function moveLabel(move) {
  const parts = [`${move.marbles.join(" ")} ${t(`direction.${move.direction}`)}`];
  if (move.pushed.length) parts.push(t("move.pushes", { n: move.pushed.length }));
  if (move.ejected) parts.push(t("move.ejects"));
  return parts.join(", ");
}

/**
 * "Black: a1 b2 up right"
 * @param {MoveView} move
 * @param {import("../board/types.js").Marbles} before or after
 * @param {Color} [mover]
 */
export function announce(move, before, mover) {
  return `${t(`color.${mover ?? moverOf(before, move)}`)}: ${moveLabel(move)}`;
}

/** The value of a position in a few signs: `+0.35`, `#4`. @param {Score | null | undefined} score */
export function scoreText(score) {
  if (!score) return "";
  if ("win_in" in score) return `#${score.win_in}`;
  if ("loss_in" in score) return `#-${score.loss_in}`;
  if ("at_cap" in score) return score.at_cap === "win" ? "1" : "0";
  // An agent of the literature may count in a unit of its own.
  if ("value" in score) return number(score.value, { maximumFractionDigits: 2, signDisplay: "exceptZero" });
  const value = score.lead;
  const sign = value > 0 ? "+" : value < 0 ? "−" : "";
  return sign + number(Math.abs(value), { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}

/** The same score as the other side sees it. @param {Score} score @returns {Score} */
export function turnedScore(score) {
  if ("win_in" in score) return { loss_in: score.win_in };
  if ("loss_in" in score) return { win_in: score.loss_in };
  if ("at_cap" in score) return { at_cap: score.at_cap === "win" ? "loss" : "win" };
  if ("value" in score) return { value: -score.value };
  return { lead: -score.lead };
}

/** How a game ended, in words. @param {import("./types.js").OutcomeView} outcome */
export function outcomeText(outcome) {
  const who = outcome.winner ? t(`wins.${outcome.winner}`) : t("wins.nobody");
  const why = tOr(`reason.${outcome.reason}`, outcome.text);
  return { who, why };
}

/** The name of a seat. @param {import("./types.js").Seat} seat @param {Color} color */
export function seatName(seat, color) {
  if (seat.kind === "agent" && seat.level) return levelName(seat.level, seat.name);
  if (seat.kind === "human" && (!seat.name || seat.name === "human")) return t("seat.human");
  if (seat.kind === "agent" && seat.spec) return agentName(seat.spec);
  return seat.name || t(`color.${color}`);
}

/** The name of an agent among people: "The Classic", with its options if it has any. @param {string} spec */
export function agentName(spec) {
  const [base, ...options] = spec.split(":");
  const name = tOr(`persona.${base}`, base);
  return options.length ? `${name} (${options.join(":")})` : name;
}

/** @param {number} level @param {string} [otherwise] */
export function levelName(level, otherwise = String(level)) {
  return t("level.name", { name: tOr(`level.${level}`, otherwise), n: level });
}

/** "3 moves": one is one turn of one player, wherever moves are counted. @param {number} n */
export function movesText(n) {
  return t("moves.count", { n });
}

/** A player as a record names them; our levels and agents by their names here. @param {string} tag */
export function playerName(tag) {
  const level = /^sumito(?:, level |:level=)(\d+)/i.exec(tag);
  if (level) return levelName(Number(level[1]));
  if (tag === "?") return t("seat.human");
  return tOr(`persona.${tag.split(":")[0]}`, "") ? agentName(tag) : tag;
}

/** A clock's rest: `4:05`, or `9.3` in the last ten seconds. @param {number} ms */
export function clockText(ms) {
  const left = Math.max(0, ms);
  if (left < 10_000) return number(Math.floor(left / 100) / 10, { minimumFractionDigits: 1 });
  const seconds = Math.floor(left / 1000);
  const tail = String(seconds % 60).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  if (minutes >= 24 * 60) return t("clock.days", { days: Math.floor(minutes / (24 * 60)), hours: Math.floor(minutes / 60) % 24 });
  return minutes < 60 ? `${minutes}:${tail}` : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${tail}`;
}
