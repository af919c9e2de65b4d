// In which games it is one's turn: told by the title of every page, by the bar, and, when that is allowed, by the browser.

import { get } from "./api.js";
import { t } from "./i18n.js";
import { notify } from "./notify.js";
import { current } from "./settings.js";
import { turnSound } from "./sound.js";

/** @typedef {import("./types.js").PlayingView} PlayingView */

/** How often it is asked: these games last days, and one that is open is told by its own line. */
const EVERY = 60_000;
/** @type {Set<string> | null} */
let known = null;
let count = 0;
let watched = false;

/** How many games wait for one. */
export function turns() {
  return count;
}

/** Looks from here on. */
export function watchTurns() {
  look();
  if (watched) return;
  watched = true;
  setInterval(look, EVERY);
  document.addEventListener("visibilitychange", () => document.hidden || look());
  const title = document.querySelector("title");
  if (title) new MutationObserver(mark).observe(title, { childList: true });
}

async function look() {
  /** @type {{games: PlayingView[]}} */
  const { games } = await get("/account/playing").catch(() => ({ games: [] }));
  heard(games);
}

/** What one plays now. @param {PlayingView[]} games */
export function heard(games) {
  const mine = games.filter(({ turn }) => turn);
  const fresh = known ? mine.filter(({ game }) => !known?.has(game.id) && location.pathname !== `/game/${game.id}`) : [];
  known = new Set(mine.map(({ game }) => game.id));
  if (mine.length !== count) {
    count = mine.length;
    mark();
    dispatchEvent(new CustomEvent("turns"));
  }
  if (!fresh.length) return;
  if (current().sound) turnSound();
  for (const { game, color } of fresh) notify(t("turns.notice", { name: game[color === "black" ? "white" : "black"].name }), `/game/${game.id}`);
}

/** The number is before whatever the title says. */
function mark() {
  const plain = document.title.replace(/^\(\d+\) /, "");
  const wanted = count ? `(${count}) ${plain}` : plain;
  if (document.title !== wanted) document.title = wanted;
}
