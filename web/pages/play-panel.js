// A game beside its board: moves, buttons, the end. On a phone the buttons that one needs are a bar below, the others behind "more".

import { other } from "../board/replay.js";
import { fill, h, icon, twice } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { help } from "../lib/rating.js";
import { levelIn, mineIn } from "../lib/seat.js";
import { chatPanel } from "../parts/chat.js";
import { claimCard } from "../parts/claim.js";
import { endingCard } from "../parts/ending.js";
import { liveGraph } from "../parts/livegraph.js";
import { moveList, walker } from "../parts/movelist.js";
import { freeSeat } from "../parts/friend.js";
import { offerCard } from "../parts/offers.js";
import { planPanel } from "../parts/plan.js";
import { rematchWishes } from "../parts/rematch.js";
import { shareTools } from "../parts/share.js";
import { endOf, nameOf, pathOf } from "./play-words.js";

/** @typedef {import("./play.js").State} State */

/** The same words as in phone.css: narrow, or too low for a column of buttons. */
const PHONE = "(max-width: 600px), (max-height: 480px)";
const LAST_LEVEL = 12;

/** @param {import("./play-view.js").Actions} act */
export function gamePanel(act) {
  const list = moveList(act.to);
  /** @param {string} name @param {Parameters<typeof icon>[0]} picture @param {() => void} action */
  const button = (name, picture, action) => h("button", { data: { act: name }, onclick: action }, icon(picture), t(`game.${name}`));
  const takeback = button("takeback", "undo", act.takeback);
  const hint = button("hint", "hint", act.hint);
  const draw = button("draw", "draw", act.draw);
  const resign = button("resign", "flag", () => twice(resign, t("game.sure"), act.resign));
  const abort = button("abort", "close", () => twice(abort, t("game.sure"), act.abort));
  const again = button("again", "plus", () => (going ? twice(again, t("game.leave"), act.again) : act.again()));
  const more = h("button", { data: { act: "more" }, "aria-expanded": "false", onclick: () => open(!sheet.classList.contains("open")) }, icon("menu"), t("game.more"));
  const analyse = h("a", { class: "button", data: { act: "analyse" } }, icon("search"), t("game.analyse"));
  const walk = walker(act);
  const [first, back, next, last, flip] = walk.children;
  const wishes = rematchWishes();
  const ending = endingCard({ rematch: act.rematch, decline, nextLevel: act.nextLevel, share: () => share.link() });
  const offers = offerCard(act);
  const claim = claimCard(act.claim);
  const chat = chatPanel(() => talk.classList.add("news"));
  const plan = planPanel();
  const talk = button("talk", "people", listen);
  const onward = h("a", { class: "button", data: { act: "next-game" }, hidden: true }, icon("next"), t("pair.next"));
  const tournament = h("a", { class: "button", data: { act: "tournament" }, hidden: true }, icon("people"), t("tournament.back-to"));
  const watching = h("p", { class: "small soft", hidden: true }, t("game.watching"));
  const runs = h("p", { class: "small soft", data: { clock: "runs" }, hidden: true }, t("clock.away"));
  const typed = typedMove(act);
  const graph = liveGraph(act.to, { key: "sumito.graph.play", note: t("graph.helps"), seen: (game) => going && help(game.id) });
  const share = shareTools();
  const quad = h("div", { class: "quad" });
  const tools = h("div", { class: "tools" }, analyse, again);
  /** @param {Event} event */
  const elsewhere = ({ target }) => sheet.contains(/** @type {Node} */ (target)) || more.contains(/** @type {Node} */ (target)) || talk.contains(/** @type {Node} */ (target)) || open(false);
  // A button of the bar that is pressed by keyboard closes the sheet as well as one that is tapped.
  const bar = h("div", { class: "game-bar", role: "toolbar", "aria-label": t("game.bar"), onclick: elsewhere });
  const sheet = h("div", { class: "sheet stack", id: "more" }, quad, typed, runs, tools, plan.element, chat.element, graph.element, share.element);
  more.setAttribute("aria-controls", "more");
  const element = h("div", { class: "stack game-panel" }, ending.element, h("div", { class: "offers" }, claim.element), offers.element, watching, onward, tournament, h("div", { class: "card strip" }, list.element), walk, sheet, bar);
  const phone = matchMedia(PHONE);
  let going = false;

  /** Every button is there once; a phone has the five that are needed most below, under the thumb. */
  function arrange() {
    open(false);
    fill(walk, phone.matches ? [first, last, flip] : [first, back, next, last, flip]);
    fill(quad, phone.matches ? [draw, abort, resign] : [takeback, hint, draw, abort, resign]);
    fill(bar, phone.matches ? [back, next, takeback, hint, talk, more] : []);
    if (phone.matches) sheet.prepend(walk);
    else sheet.before(walk);
  }
  /** @param {boolean} wanted */
  function open(wanted) {
    sheet.classList.toggle("open", wanted);
    more.setAttribute("aria-expanded", String(wanted));
    if (wanted) talk.classList.remove("news");
  }
  /** On a phone what is said is behind a button. */
  function listen() {
    open(true);
    chat.element.scrollIntoView({ block: "end" });
    chat.field.focus();
  }
  /** Declines another game, or takes one's own offer of one back. */
  function decline() {
    wishes.withdraw();
    act.decline("rematch");
  }
  /** @param {KeyboardEvent} event */
  function escape(event) {
    if (event.key !== "Escape") return;
    open(false);
    act.drop();
  }
  arrange();
  phone.addEventListener("change", arrange);
  document.addEventListener("pointerdown", elsewhere);
  document.addEventListener("keydown", escape);

  return {
    element,
    close() {
      graph.close();
      phone.removeEventListener("change", arrange);
      document.removeEventListener("pointerdown", elsewhere);
      document.removeEventListener("keydown", escape);
    },
    said: chat.add,
    reread: chat.read,
    /** @param {State} state */
    tick(state) {
      if (!state.game) return;
      const seat = mineIn(state.game, state.key);
      claim.update(state.game, seat, state.absentAt, seat ? nameOf(state, other(seat)) : "");
    },
    /** @param {boolean} busy */
    busy(busy) {
      hint.disabled = busy;
    },
    /** The end is told when the last marble lies still. @param {State} state */
    end(state) {
      const game = state.game;
      if (!game || !state.position?.outcome) return ending.hide();
      const { title, why, mine, won } = endOf(state);
      const level = mine && levelIn(game, mine);
      ending.show({
        title,
        why,
        won,
        rated: state.rated,
        helped: state.helped,
        review: state.history?.length ? `/review/${game.id}` : null,
        next: won && level && level < LAST_LEVEL ? level + 1 : null,
        rematch: state.key === null || game.tournament ? null : { state: wishes.state(game, mine), seat: mine && other(mine), name: mine ? nameOf(state, other(mine)) : "" },
      });
    },
    /** @param {State} state @param {string} player */
    update(state, player) {
      const game = /** @type {import("../lib/types.js").GameView} */ (state.game);
      const history = /** @type {import("../lib/history.js").History} */ (state.history);
      const outcome = state.position?.outcome;
      const mine = state.key !== null;
      // What covers the end of the game makes way for it.
      if (going && outcome) open(false);
      going = mine && !outcome && history.length > 0;
      list.update(history.moves.map(({ move }) => ({ move })), state.ply, history.first === "white");
      const { pair } = game;
      const seat = mineIn(game, state.key);
      watching.hidden = mine && !pair?.spectators;
      watching.textContent = [mine ? "" : t(game.source === "import" ? "game.imported" : "game.watching"), pair?.spectators ? t("pair.spectators", { n: pair.spectators }) : ""].filter(Boolean).join(" ");
      onward.hidden = mine || !pair || !game.next;
      onward.href = `/game/${game.next}`;
      // While one plays, one does not leave for it.
      tournament.hidden = !game.tournament || (mine && !outcome);
      tournament.href = `/tournament/${game.tournament}`;
      offers.update(game, seat, seat ? nameOf(state, other(seat)) : "");
      const talks = pair !== null && !freeSeat(game);
      talk.hidden = !talks;
      chat.update(talks ? { id: game.id, key: state.key, seat } : null);
      plan.update(game, state.key, seat);
      const over = !mine || Boolean(outcome);
      takeback.hidden = draw.hidden = resign.hidden = hint.hidden = over;
      // Two people play without the engine, and may leave before they have begun.
      hint.hidden ||= pair !== null;
      abort.hidden = over || pair === null || history.length > 1 || game.tournament !== null;
      takeback.hidden ||= game.tournament !== null;
      resign.hidden ||= !abort.hidden;
      // Who looks on may see what the engine says; who plays may not.
      graph.element.hidden = pair !== null && mine && !outcome;
      quad.classList.toggle("three", pair !== null);
      // Against an agent there must be a move of one's own; the agent's first one alone is not for taking back.
      const least = pair === null && seat && seat !== history.first ? 2 : 1;
      takeback.disabled = history.length < least || (pair !== null && pair.takeback?.by === seat);
      draw.setAttribute("aria-pressed", String(Boolean(game.offer)));
      typed.hidden = !mine || Boolean(outcome);
      runs.hidden = !mine || Boolean(outcome) || !state.clocks?.running;
      analyse.href = `/analyse/${game.id}?ply=${state.ply}`;
      analyse.hidden = mine && !outcome;
      hint.disabled = !player;
      if (!graph.element.hidden) graph.update(game, history, state.ply);
      share.update({ id: game.id, ply: state.ply, fen: state.ply === history.length ? game.position.fen : null, flip: state.flip, path: () => pathOf(state) });
    },
  };
}

/** A field for a move in any notation. @param {import("./play-view.js").Actions} act */
function typedMove(act) {
  const field = h("input", { name: "typed", placeholder: t("typed.label"), "aria-label": t("typed.label"), autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
  return h(
    "form",
    {
      class: "typed",
      onsubmit: async (/** @type {Event} */ event) => {
        event.preventDefault();
        const text = field.value.trim();
        // What is no move stays, to be mended.
        if (text && (await act.typed(text)) && field.value.trim() === text) field.value = "";
      },
    },
    field,
    h("button", {}, t("typed.go")),
  );
}
