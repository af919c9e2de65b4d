// A tree of variations: nodes with a move, a comment and glyphs; the first child is the main line.

import { fromFen, play, turnOf } from "../board/replay.js";

/** @typedef {import("./types.js").MoveView} MoveView */
/** @typedef {import("./types.js").PositionView} PositionView */

export class Node {
  /** @type {Node[]} */
  children = [];
  comment = "";
  glyph = "";
  /** @type {PositionView | null} what the server said about it */
  view = null;
  /** Moves since the root. @type {number} */
  ply = 0;
  /** @type {import("../board/types.js").Marbles} */
  marbles;

  /** @param {Node | null} parent @param {MoveView | null} move @param {string} fen after the move */
  constructor(parent, move, fen) {
    this.parent = parent;
    this.move = move;
    this.fen = fen;
    this.ply = parent ? parent.ply + 1 : 0;
    this.marbles = parent && move ? play(parent.marbles, move) : fromFen(fen);
  }

  /** The child by this move, made if there is none. @param {MoveView} move @param {string} fen */
  child(move, fen) {
    const known = this.children.find((each) => each.move?.move === move.move);
    if (known) return known;
    const node = new Node(this, move, fen);
    this.children.push(node);
    return node;
  }

  /** From the root to here. @returns {Node[]} */
  path() {
    return this.parent ? [...this.parent.path(), this] : [this];
  }

  /** The moves from the root to here. */
  moves() {
    return this.path().slice(1).map((node) => /** @type {MoveView} */ (node.move).move);
  }

  /** Black moves at even distances from the start, unless White began. @param {Node} root */
  turnIsBlack(root) {
    const blackFirst = turnOf(root.fen) === "black";
    return blackFirst === (this.ply % 2 === 0);
  }

  /** Makes the variation with this node the first one. */
  promote() {
    for (const node of this.path()) {
      const parent = node.parent;
      if (parent) parent.children = [node, ...parent.children.filter((each) => each !== node)];
    }
  }

  remove() {
    if (this.parent) this.parent.children = this.parent.children.filter((each) => each !== this);
  }
}

/** @typedef {import("./types.js").LineView} Line */

/** Builds the tree that the server sent. @param {string} fen @param {Line} line */
export function fromLine(fen, line) {
  const root = new Node(null, null, fen);
  grow(root, line);
  return root;
}

/** @param {Node} from @param {Line} line */
function grow(from, line) {
  if (line.comments.length) from.comment ||= line.comments.join(" ");
  let node = from;
  for (const ply of line.plies) {
    const before = node;
    node = before.child(ply.move, ply.fen);
    node.comment = ply.comments.join(" ");
    node.glyph = ply.glyphs.join(" ");
    for (const variation of ply.variations) grow(before, variation);
  }
}

/** The moves, comments and variations as the body of an APGN. @param {Node} root */
export function toText(root) {
  const whiteFirst = turnOf(root.fen) === "white";
  /** @param {Node} node @param {boolean} first @returns {string[]} */
  function one(node, first) {
    const at = node.ply - 1 + (whiteFirst ? 1 : 0);
    const number = at % 2 === 0 ? [`${at / 2 + 1}.`] : first ? [`${(at - 1) / 2 + 1}...`] : [];
    const comment = node.comment ? [`{${node.comment.replace(/[{}]/g, "")}}`] : [];
    return [...number, node.move?.move + node.glyph.replaceAll(" ", ""), ...comment];
  }
  /** @param {Node} node @returns {string[]} */
  function rest(node) {
    const out = [];
    let first = true;
    for (let at = node; at.children.length; at = at.children[0]) {
      const [main, ...others] = at.children;
      out.push(...one(main, first));
      for (const other of others) out.push("(", ...one(other, true), ...rest(other), ")");
      first = others.length > 0 || main.comment !== "";
    }
    return out;
  }
  return rest(root).join(" ").replaceAll("( ", "(").replaceAll(" )", ")");
}
