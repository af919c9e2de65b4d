// A task of the review: which mistakes are asked about, and whether an answer is as good as the best move.

import { ApiError, position } from "../lib/api.js";
import { read, write } from "../lib/settings.js";
import { connect } from "../lib/socket.js";

/** @typedef {import("../lib/types.js").Color} Color */
/** @typedef {import("../lib/types.js").GameView} GameView */
/** @typedef {import("../lib/types.js").ReviewedMove} Judged */

/** Whose mistakes are asked about; `null` while nobody has said. @typedef {Color | "both" | null} Asked */

/** A smaller loss is no inaccuracy for the server either. */
const INACCURACY = 0.05;
/** Searches differ by so much: within it the best move is searched again, as shortly as the answer was. */
const DOUBT = 0.2;

const KEY = "sumito.review-sides";
const KEPT = 200;

/** The side of the only person in a game, or what was chosen for it before. @param {GameView} game @returns {Asked} */
export function sideOf({ id, black, white }) {
  const chosen = read(KEY, /** @type {Record<string, Asked>} */ ({}))[id];
  if (chosen) return chosen;
  if (black.kind !== white.kind) return black.kind === "human" ? "black" : "white";
  return black.kind === "agent" ? "both" : null;
}

/** @param {string} id of a game @param {Asked} side */
export function keepSide(id, side) {
  const others = Object.entries(read(KEY, /** @type {Record<string, Asked>} */ ({}))).filter(([each]) => each !== id);
  write(KEY, Object.fromEntries([...others, [id, side]].slice(-KEPT)));
}

/** The moves to mend. @param {Judged[]} moves @param {Asked} side */
export function mistakes(moves, side) {
  return moves.filter(({ judgement, mover }) => (judgement === "mistake" || judgement === "blunder") && isAsked(mover, side));
}

/** @param {Color} mover @param {Asked} side */
export function isAsked(mover, side) {
  return side === null || side === "both" || side === mover;
}

/**
 * What an answer gives away against the best move, in expected points; less than an inaccuracy is nothing.
 * @param {{fen: string, moves: string[], rules: object}} before the position of the task
 * @param {Color} turn
 * @param {Judged} judged
 * @param {{lines: import("../lib/types.js").ReviewedLine[]} | undefined} known what the review found there
 * @param {string} move
 */
export async function lossOf(before, turn, judged, known, move) {
  if (move === judged.best) return 0;
  const line = known?.lines.find(({ moves }) => moves[0] === move);
  if (line) return Math.max(0, judged.best_expected - line.expected);
  const answer = await after(before, turn, move);
  const loss = judged.best_expected - answer;
  if (loss < INACCURACY || loss > DOUBT) return Math.max(0, loss);
  return Math.max(0, Math.min(loss, (await after(before, turn, judged.best)) - answer));
}

/** @param {number} loss */
export function isAsGood(loss) {
  return loss < INACCURACY;
}

/**
 * What a move gives to its mover: the result if it ends the game, else what a short search of the position after it says.
 * @param {{fen: string, moves: string[], rules: object}} before
 * @param {Color} turn
 * @param {string} move
 */
async function after(before, turn, move) {
  const from = { ...before, moves: [...before.moves, move] };
  const { outcome } = await position(from);
  if (outcome) return outcome.winner === null ? 0.5 : Number(outcome.winner === turn);
  return 1 - (await expected(from));
}

/**
 * What the side to move can expect, by a short search.
 * @param {{fen: string, moves: string[], rules: object}} from
 * @returns {Promise<number>}
 */
function expected(from) {
  return new Promise((found, failed) => {
    /** @type {number | null} */
    let share = null;
    /** @param {() => void} tell */
    const end = (tell) => {
      socket.close();
      tell();
    };
    const socket = connect("/analysis", {
      open: () => socket.send({ type: "start", id: 1, ...from, lines: 1, limit: { time_ms: 600 } }),
      message: ({ type, lines, error }) => {
        if (type === "lines" && lines[0]?.wdl) share = lines[0].wdl.win + lines[0].wdl.draw / 2;
        else if (type === "error") end(() => failed(new ApiError(400, error)));
        else if (type === "done") end(() => (share === null ? failed(new ApiError(500, {})) : found(share ?? 0)));
      },
      lost: () => end(() => failed(new ApiError(0, { code: "offline" }))),
    });
  });
}
