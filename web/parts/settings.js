// The dialog in which a person says how things should look and sound.

import { mini } from "../board/draw.js";
import { fromFen } from "../board/replay.js";
import { fill, h, icon, select } from "../lib/dom.js";
import { LANGUAGES, language, t } from "../lib/i18n.js";
import { allow } from "../lib/notify.js";
import { change, current } from "../lib/settings.js";

const DAISY = "ss1SS/sssSSS/1ss1SS1/8/9/8/1SS1ss1/SSSsss/SS1ss 0 0 b 0 1";
const THEMES = /** @type {const} */ (["wood", "night", "contrast", "colour-blind"]);

/** @param {() => Promise<void>} speak called when another language was chosen; the page speaks it after that */
export function openSettings(speak) {
  const dialog = h("dialog", { class: "settings", onclose: () => dialog.remove() });
  draw();
  document.body.append(dialog);
  dialog.showModal();

  function draw() {
    dialog.setAttribute("aria-label", t("settings.title"));
    fill(dialog, contents(() => dialog.close(), learn));
  }

  /** The settings stay where they are, in the other language. @param {string} language */
  async function learn(language) {
    change({ language });
    await speak();
    draw();
    /** @type {HTMLElement | null} */ (dialog.querySelector("[name=language]"))?.focus();
  }
}

/** @param {() => void} close @param {(language: string) => void} learn */
function contents(close, learn) {
  const themes = THEMES.map((theme) =>
    h(
      "button",
      { data: { theme }, "aria-pressed": String(current().theme === theme), onclick: () => pick(theme) },
      mini(fromFen(DAISY)),
      t(`theme.${theme}`),
    ),
  );
  /** @param {typeof THEMES[number]} theme */
  function pick(theme) {
    change({ theme });
    for (const button of themes) button.setAttribute("aria-pressed", String(button.dataset.theme === theme));
  }
  /** @param {"sound" | "coordinates" | "threats" | "motion" | "confirm"} name */
  const tick = (name) =>
    h(
      "label",
      { class: "tick" },
      h("input", {
        type: "checkbox",
        name,
        checked: current()[name],
        onchange: (/** @type {Event} */ event) => change({ [name]: /** @type {HTMLInputElement} */ (event.target).checked }),
      }),
      t(`settings.${name}`),
    );
  const told = h(
    "label",
    { class: "tick", hidden: !("Notification" in window) },
    h("input", {
      type: "checkbox",
      name: "notify",
      checked: current().notify,
      onchange: async (/** @type {Event} */ event) => {
        const box = /** @type {HTMLInputElement} */ (event.target);
        if (box.checked) box.checked = await allow();
        else change({ notify: false });
      },
    }),
    t("settings.notify"),
  );
  /** @param {Event} event */
  const chosen = (event) => /** @type {HTMLSelectElement} */ (event.target).value;
  const modes = /** @type {[string, string][]} */ (["auto", "light", "dark"].map((mode) => [mode, t(`mode.${mode}`)]));
  return [
    h(
      "header",
      {},
      h("h2", {}, t("settings.title")),
      h("button", { class: "quiet", "aria-label": t("close"), onclick: close }, icon("close")),
    ),
    h(
      "div",
      { class: "stack" },
      h("div", { class: "swatches" }, themes),
      h(
        "div",
        { class: "row even" },
        h(
          "label",
          { class: "field" },
          h("span", {}, t("settings.mode")),
          select({ name: "mode", onchange: (/** @type {Event} */ e) => change({ mode: /** @type {any} */ (chosen(e)) }) }, modes, current().mode),
        ),
        h(
          "label",
          { class: "field" },
          h("span", {}, t("settings.language")),
          select(
            { name: "language", onchange: (/** @type {Event} */ e) => learn(chosen(e)) },
            LANGUAGES,
            language(),
          ),
        ),
      ),
      h(
        "label",
        { class: "field" },
        h("span", {}, t("settings.name")),
        h("input", { name: "name", value: current().name, maxlength: 40, autocomplete: "nickname", placeholder: t("seat.human"), onchange: (/** @type {Event} */ e) => change({ name: chosen(e).trim() }) }),
      ),
      h("div", {}, tick("coordinates"), tick("threats"), tick("motion"), tick("confirm"), tick("sound"), told),
    ),
  ];
}
