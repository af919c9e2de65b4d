// What the play page says: whose turn it is, below the board and in the tab's title, how a game ended, and its address.

import { other } from "../board/replay.js";
import { t } from "../lib/i18n.js";
import { mineIn } from "../lib/seat.js";
import { agentName, levelName, outcomeText, seatName } from "../lib/speak.js";
import { freeSeat } from "../parts/friend.js";

/** @typedef {import("./play.js").State} State */
/** @typedef {import("../lib/types.js").Color} Color */

/** The name of who plays a colour. @param {State} state @param {Color} color */
export function nameOf(state, color) {
  const { game, setup } = state;
  if (game) {
    const mine = mineIn(game, state.key);
    if (mine === color) return t("seat.you");
    if (freeSeat(game) === color) return t("seat.free");
    return game.pair && mine && !game[color].name ? t("seat.friend") : seatName(game[color], color);
  }
  const mine = setup.opponent === "human" || (color === "white") === state.flip;
  if (mine) return setup.opponent === "human" ? t(`color.${color}`) : t("seat.you");
  if (setup.opponent === "friend") return t("seat.friend");
  return setup.opponent === "level" ? levelName(setup.level) : agentName(setup.spec);
}

/**
 * Whose turn it is, or what else there is to say.
 * @param {State} state
 * @param {string} player whose marbles may be moved here
 * @returns {import("../board/types.js").Caption | null}
 */
export function captionOf(state, player) {
  const { position: at, history, game } = state;
  if (!at) return null;
  if (state.note) return { text: state.note, turn: null };
  if (history && state.ply < history.length) return { text: t("turn.past", { ply: state.ply, all: history.length }), turn: null };
  if (at.outcome) return { text: endOf(state).title, turn: null };
  if (state.lost) return { text: t("game.lost"), turn: null };
  if (state.premove) return { text: t("premove.chosen", { move: state.premove.move }), turn: null };
  const { turn } = at;
  if (freeSeat(game)) return { text: t(state.key !== null ? "friend.waiting" : "friend.invited"), turn: null };
  if (!game && state.setup.opponent === "friend") return { text: t("friend.first"), turn: null };
  const people = game ? game.black.kind === "human" && game.white.kind === "human" && !mineIn(game, state.key) : state.setup.opponent === "human";
  if (people || (game && state.key === null)) return { text: t(`turn.${turn}`), turn };
  if (player === turn) return { text: t("turn.you"), turn };
  if (!game && !state.asked && !state.waiting) return { text: t("turn.start"), turn };
  return { text: t("turn.thinking", { name: nameOf(state, turn) }), turn, busy: true };
}

/** The tab's title. @param {State} state @param {string} player */
export function titleOf(state, player) {
  const caption = state.game && captionOf({ ...state, note: null, lost: false }, player);
  return caption ? `${caption.text} · Sumito` : "Sumito";
}

/**
 * "You won, 6 to 4", and why.
 * @param {State} state
 * @returns {{title: string, why: string, mine: Color | null, won: boolean}}
 */
export function endOf({ game, key, position: at }) {
  if (!at?.outcome) return { title: "", why: "", mine: null, won: false };
  const { winner } = at.outcome;
  const { who, why } = outcomeText(at.outcome);
  const mine = mineIn(game, key);
  const won = winner !== null && winner === mine;
  const first = mine ?? winner ?? "black";
  const told = mine === null || winner === null ? who : t(won ? "end.won" : "end.lost");
  const [ours, theirs] = [at.score[first], at.score[other(first)]];
  return { title: at.outcome.reason === "ejections" ? t("end.score", { told, ours, theirs }) : told, why, mine, won };
}

/** The address of a game as it is shown; an earlier position is part of it. @param {State} state */
export function pathOf({ game, history, ply }) {
  return `/game/${game?.id}${history && ply < history.length ? `?ply=${ply}` : ""}`;
}
