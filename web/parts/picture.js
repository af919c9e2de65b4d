// The board as it is on the screen, as a PNG: with its theme, its arrows and what is drawn on it.

import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";

/** What style sheets say about the parts of the picture. A picture outside of the page has no style sheet. */
const STYLES = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "stroke-opacity", "opacity", "display",
  "stop-color", "stop-opacity", "font-family", "font-size", "font-weight", "text-anchor",
];
/** Pixels across: sharp in print and on any screen. */
const WIDE = 1304;

/** @param {import("../board/board.js").Board} board @returns {Promise<string>} a data URL */
export async function boardPng(board) {
  const [, , width, height] = (board.svg.getAttribute("viewBox") ?? "0 0 652 580").split(" ").map(Number);
  const image = new Image();
  const source = URL.createObjectURL(new Blob([standalone(board.svg, width, height)], { type: "image/svg+xml" }));
  try {
    await new Promise((done, fail) => {
      image.onload = done;
      image.onerror = () => fail(new Error(t("error.title")));
      image.src = source;
    });
    const canvas = h("canvas", { width: WIDE, height: Math.round((WIDE * height) / width) });
    const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    pen.fillStyle = getComputedStyle(document.documentElement).backgroundColor;
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(image, 0, 0, canvas.width, canvas.height);
    return canvas.toDataURL("image/png");
  } finally {
    URL.revokeObjectURL(source);
  }
}

/** The picture with its styles as attributes, which need no style sheet. @param {SVGSVGElement} svg @param {number} width @param {number} height */
function standalone(svg, width, height) {
  const copy = /** @type {SVGSVGElement} */ (svg.cloneNode(true));
  const from = svg.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((element, i) => {
    const style = getComputedStyle(from[i]);
    for (const name of STYLES) {
      const value = style.getPropertyValue(name);
      // A gradient stays a reference into the picture itself.
      if (value && !(name === "fill" && element.getAttribute("fill")?.startsWith("url("))) element.setAttribute(name, value);
    }
  });
  copy.querySelectorAll(".cells, .handles").forEach((each) => each.remove());
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  return new XMLSerializer().serializeToString(copy);
}
