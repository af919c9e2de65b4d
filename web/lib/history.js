// A game as a list of boards to walk through, made from moves that the server described.

import { fromFen, play, turnOf } from "../board/replay.js";
import { get } from "./api.js";

/** @typedef {import("./types.js").PositionView} PositionView */
/** @typedef {import("./types.js").MoveView} MoveView */
/** @typedef {import("./types.js").Color} Color */

export class History {
  /** @param {string} fen where the game starts */
  constructor(fen) {
    this.start = fen;
    /** @type {MoveView[]} */
    this.moves = [];
    /** @type {import("../board/types.js").Marbles[]} */
    this.boards = [fromFen(fen)];
    /** @type {Color} */
    this.first = turnOf(fen);
  }

  /** The main line of a stored game. @param {string} id @param {string} fen */
  static async of(id, fen) {
    const history = new History(fen);
    const tree = await get(`/games/${id}/tree`);
    for (const { move } of tree.line.plies) history.add(move);
    return history;
  }

  get length() {
    return this.moves.length;
  }

  /** @param {MoveView} move */
  add(move) {
    this.boards.push(play(this.boards[this.boards.length - 1], move));
    this.moves.push(move);
  }

  /** @param {number} plies */
  cut(plies) {
    this.moves.length = Math.min(this.moves.length, plies);
    this.boards.length = this.moves.length + 1;
  }

  /** Whose turn it is after so many plies. @param {number} ply @returns {Color} */
  turn(ply) {
    const black = (this.first === "black") === (ply % 2 === 0);
    return black ? "black" : "white";
  }

  /** A board to look at, without moves to make. @param {number} ply @returns {PositionView} */
  at(ply) {
    return {
      ...this.boards[ply],
      fen: "",
      turn: this.turn(ply),
      plies: ply,
      last: ply > 0 ? this.moves[ply - 1] : null,
      moves: [],
      threatened: [],
      outcome: null,
    };
  }
}
