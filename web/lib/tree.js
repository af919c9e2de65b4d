// A tree of variations: nodes with a move, a comment, glyphs and drawings; the first child is the main line.

import { fromFen, play, turnOf } from "../board/replay.js";

/** @typedef {import("./types.js").MoveView} MoveView */
/** @typedef {import("./types.js").PositionView} PositionView */

export class Node {
  /** @type {Node[]} */
  children = [];
  comment = "";
  glyph = "";
  /** What is drawn on the board here. @type {import("../board/drawings.js").Shape[]} */
  shapes = [];
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
  if (line.comments.length && !from.comment) Object.assign(from, fromNote(line.comments.join(" ")));
  let node = from;
  for (const ply of line.plies) {
    const before = node;
    node = before.child(ply.move, ply.fen);
    Object.assign(node, fromNote(ply.comments.join(" ")));
    node.glyph = ply.glyphs.join(" ");
    for (const variation of ply.variations) grow(before, variation);
  }
}

/** @type {Record<string, import("../board/drawings.js").Ink>} */
const INKS = { G: "green", R: "red", B: "blue" };

/**
 * Drawings stand in a comment as chess programs write them: `[%csl Ge5][%cal Re5f6]`, circles and arrows with the first letter of the colour.
 * @param {string} note
 */
function fromNote(note) {
  /** @type {Node["shapes"]} */
  const shapes = [];
  const comment = note.replace(/\[%c[sa]l ([^\]]*)\]/g, (_, list) => {
    for (const [, ink, from, to] of list.matchAll(/([GRB])([a-i][1-9])([a-i][1-9])?/g)) shapes.push({ from, to: to ?? from, ink: INKS[ink] });
    return "";
  });
  return { comment: comment.replace(/\s+/g, " ").trim(), shapes };
}

/** The comment and drawings of a node as one comment, if there is any. @param {Node} node @returns {string[]} */
function toNote({ comment, shapes }) {
  /** @param {Node["shapes"][number]} shape */
  const code = ({ from, to, ink }) => ink[0].toUpperCase() + from + (to === from ? "" : to);
  const circles = shapes.filter(({ from, to }) => from === to).map(code);
  const arrows = shapes.filter(({ from, to }) => from !== to).map(code);
  const parts = [circles.length ? `[%csl ${circles.join()}]` : "", arrows.length ? `[%cal ${arrows.join()}]` : "", plain(comment)];
  const note = parts.filter(Boolean).join(" ");
  return note ? [`{${note}}`] : [];
}

/** A comment on one line, without the signs that end one in a record. @param {string} comment */
export function plain(comment) {
  return comment.replaceAll("{", "(").replaceAll("}", ")").replace(/\s+/g, " ").trim();
}

/** The moves, comments and variations as the body of an APGN. @param {Node} root */
function toText(root) {
  const whiteFirst = turnOf(root.fen) === "white";
  /** @param {Node} node @param {boolean} first @returns {string[]} */
  function one(node, first) {
    const at = node.ply - 1 + (whiteFirst ? 1 : 0);
    const number = at % 2 === 0 ? [`${at / 2 + 1}.`] : first ? [`${(at - 1) / 2 + 1}...`] : [];
    const glyphs = node.glyph.split(" ").filter(Boolean);
    const signs = glyphs.filter((glyph) => !glyph.startsWith("$")).join("");
    return [...number, node.move?.move + signs, ...glyphs.filter((glyph) => glyph.startsWith("$")), ...toNote(node)];
  }
  /** @param {Node} node @returns {string[]} */
  function rest(node) {
    const out = [];
    let first = true;
    for (let at = node; at.children.length; at = at.children[0]) {
      const [main, ...others] = at.children;
      out.push(...one(main, first));
      for (const other of others) out.push("(", ...one(other, true), ...rest(other), ")");
      first = others.length > 0 || toNote(main).length > 0;
    }
    return out;
  }
  return [...toNote(root), ...rest(root)].join(" ").replaceAll("( ", "(").replaceAll(" )", ")");
}

/** The whole tree as an APGN. @param {Node} root @param {Record<string, string>} tags */
export function toApgn(root, tags) {
  const head = Object.entries({ ...tags, SetUp: "1", Position: root.fen });
  /** @param {string} value */
  const quoted = (value) => `"${value.replace(/[\\"]/g, "\\$&")}"`;
  return `${head.map(([tag, value]) => `[${tag} ${quoted(value)}]`).join("\n")}\n\n${toText(root)} *\n`;
}
