// A score that says whose it is: the marble of the side that is ahead, and by how much.

import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { scoreText, turnedScore } from "../lib/speak.js";

/** @typedef {import("../lib/types.js").ScoreView} Score */
/** @typedef {import("../lib/types.js").Color} Color */

/**
 * What a score is worth to the side that it speaks of, for putting scores in order: a win is more than any number, a quick one the most.
 * @param {Score | null} score
 */
export function worth(score) {
  if (!score) return Number.NEGATIVE_INFINITY;
  if ("win_in" in score) return 1e9 - score.win_in;
  if ("loss_in" in score) return score.loss_in - 1e9;
  if ("at_cap" in score) return score.at_cap === "win" ? 1e8 : -1e8;
  return "value" in score ? score.value : score.lead;
}

/**
 * Who is ahead, the number without a sign, and both in words.
 * @param {Score} score
 * @param {Color} turn the side that it speaks of
 * @returns {{ahead: Color | null, text: string, words: string}}
 */
export function whose(score, turn) {
  const value = worth(score);
  const other = turn === "black" ? "white" : "black";
  const ahead = value > 0 ? turn : value < 0 ? other : null;
  const text = scoreText(value < 0 ? turnedScore(score) : score);
  if (!ahead) return { ahead, text, words: t("score.even") };
  const color = t(`color.${ahead}`);
  if ("value" in score) return { ahead, text, words: t("score.own", { color, n: text }) };
  if ("lead" in score) return { ahead, text, words: t("score.ahead", { color, n: text }) };
  if ("at_cap" in score) return { ahead, text, words: t("score.wins", { color }) };
  return { ahead, text, words: t("score.wins-in", { color, n: "win_in" in score ? score.win_in : score.loss_in }) };
}

/** The score as it stands in a text: "Black +0.35". @param {Score} score @param {Color} turn */
export function whoseText(score, turn) {
  const { ahead, text } = whose(score, turn);
  return ahead ? `${t(`color.${ahead}`)} ${text}` : text;
}

/** The score with the marble of the side that is ahead. @param {Score | null} score @param {Color} turn */
export function scoreChip(score, turn) {
  if (!score) return h("span", { class: "chip" }, "–");
  const { ahead, text, words } = whose(score, turn);
  const title = "lead" in score ? `${words}. ${t("score.unit")}` : words;
  return h(
    "span",
    { class: "chip", title, data: { ahead: ahead ?? "nobody" } },
    h("span", { class: `dot ${ahead ?? "even"}`, "aria-hidden": "true" }),
    h("span", { "aria-hidden": "true" }, text),
    h("span", { class: "unseen" }, words),
  );
}
