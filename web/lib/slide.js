// A slider that a finger scrolls over: the browser has moved it by then, for it does so at the first touch.

/** Puts a slider back where it was when the finger on it turns out to scroll the page. @param {HTMLInputElement} slider */
export function steady(slider) {
  let before = slider.value;
  slider.addEventListener("pointerdown", () => (before = slider.value));
  slider.addEventListener("pointercancel", () => {
    slider.value = before;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  });
}
