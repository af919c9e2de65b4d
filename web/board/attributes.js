// The attributes of `<sumito-board>`; each sets the property of the same name.

import { fromFen, turnOf } from "./replay.js";

/** @typedef {import("./board.js").Board} Board */

/** A bare attribute says yes, and so does any value but `false`. @param {string | null} value @param {boolean} otherwise */
const yes = (value, otherwise) => (value === null ? otherwise : value !== "false");

/** @type {Record<string, (board: Board, value: string | null) => void>} */
export const ATTRIBUTES = {
  /** A position as text, without moves to make. E.g. `fen="ss1SS/sssSSS/1ss1SS1/8/9/8/1SS1ss1/SSSsss/SS1ss 0 0 b 0 1"` */
  fen: (board, value) => (board.position = value === null ? null : { ...fromFen(value), turn: turnOf(value) }),
  /** Whose marbles a person may move. E.g. `player="black"`, `player="both"` */
  player: (board, value) => (board.player = value ?? ""),
  /** Whether White sits below. E.g. `flip` */
  flip: (board, value) => (board.flip = yes(value, false)),
  /** Whether letters and numbers are on the rim. E.g. `coordinates="false"` */
  coordinates: (board, value) => (board.coordinates = yes(value, true)),
  /** Whether marbles in danger are marked. E.g. `threats` */
  threats: (board, value) => (board.threats = yes(value, false)),
  /** Whether moves are seen as they happen. E.g. `motion="false"` */
  motion: (board, value) => (board.motion = yes(value, true)),
  /** Whether a touch picks a cell instead of choosing a move. E.g. `editing` */
  editing: (board, value) => (board.editing = yes(value, false)),
};
