// The line of words below the board: why a choice leads nowhere, or else what the page has to say.

/** @typedef {import("./types.js").Caption} Caption */

export function wordLine() {
  const line = document.createElement("p");
  line.className = "line";
  // What is explained is spoken; the caption is not, for it changes with every move and the page tells those.
  const spoken = document.createElement("p");
  spoken.className = "spoken";
  spoken.setAttribute("aria-live", "polite");
  let told = "";
  /** @type {Caption | null} */
  let caption = null;

  function draw() {
    line.textContent = told || (caption?.text ?? "");
    line.classList.toggle("explains", told !== "");
    line.classList.toggle("busy", !told && Boolean(caption?.busy));
    if (!told && caption?.turn) line.dataset.turn = caption.turn;
    else delete line.dataset.turn;
  }

  return {
    elements: [line, spoken],
    /** @param {string} text nothing for the caption */
    tell(text) {
      if (text === told) return;
      told = text;
      spoken.textContent = text;
      draw();
    },
    /** @param {Caption | null} next */
    set caption(next) {
      caption = next;
      draw();
    },
    get caption() {
      return caption;
    },
    /** @param {boolean} needed */
    show(needed) {
      line.hidden = !needed && !caption;
    },
  };
}
