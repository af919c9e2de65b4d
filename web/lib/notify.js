// What the browser tells of a page that nobody looks at, if its person wants that.

import { change, current } from "./settings.js";

/** Asks for the right to tell; whether it was given. */
export async function allow() {
  const given = "Notification" in window && (await Notification.requestPermission()) === "granted";
  change({ notify: given });
  return given;
}

/** @param {string} text @param {string} path where it leads */
export function notify(text, path) {
  if (!document.hidden || !current().notify || !("Notification" in window) || Notification.permission !== "granted") return;
  try {
    const note = new Notification("Sumito", { body: text, tag: path });
    note.onclick = async () => {
      window.focus();
      note.close();
      (await import("../app.js")).go(path);
    };
  } catch {
    // Some telephones tell of nothing but what a worker sends.
  }
}
