// The lobby: who looks for a game now, and one's own search.

import { get, meta } from "../lib/api.js";
import { who } from "../lib/account.js";
import { fill, h, say, toast } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { connect } from "../lib/socket.js";
import { heard } from "../lib/turns.js";
import { mayBegin } from "../parts/running.js";
import { lobbyBots } from "./lobby-bots.js";
import { lobbyView } from "./lobby-view.js";

/** @typedef {import("../lib/types.js").SeekView} SeekView */
/** @typedef {import("../lib/types.js").ClockView} ClockView */

/**
 * @typedef {object} State
 * @property {SeekView[]} seeks
 * @property {boolean} rated whether one's own games are to be rated
 * @property {string} layout
 * @property {import("../lib/types.js").PlayingView[]} playing
 * @property {import("../lib/types.js").GameSummary[]} now what is played now
 * @property {import("../lib/types.js").GameSummary[]} results the last games that are over
 * @property {boolean} lost whether the line to the server is down
 */

/** Games of one's own are asked for no more often than this. */
const OFTEN = 1500;
/** How often it is looked at what is played now. */
const EVERY = 4000;

/** @type {import("../app.js").Open} */
export async function open(root) {
  const known = await meta();
  if (!known.arena) {
    fill(root, h("div", { class: "prose" }, h("h1", {}, t("nav.lobby")), h("p", {}, t("cause.arena.off"))));
    return {};
  }
  const person = await who();
  /** @type {State} */
  const state = { seeks: [], rated: true, layout: "belgian-daisy", playing: [], now: [], results: [], lost: false };
  const bots = person && lobbyBots(() => state, (id) => begin(id));
  let looked = 0;
  const view = lobbyView(root, known, person, {
    seek: (clock) => ask({ type: "seek", clock, rated: state.rated, layout: state.layout }),
    accept: (seek) => ask({ type: "accept", seek }),
    cancel: (seek) => (seek ? ask({ type: "cancel", seek }) : line.send({ type: "cancel" })),
    choose: (change) => view.update(Object.assign(state, change)),
  }, bots && bots.section);
  const line = connect("/lobby/live", {
    message(data) {
      if (data.type === "seeks") {
        view.update(Object.assign(state, { seeks: data.seeks, lost: false }));
        // A search that waited may have become a game.
        mine();
      }
      if (data.type === "game") begin(data.game);
    },
    lost: () => view.update(Object.assign(state, { seeks: [], lost: true })),
  });
  view.update(state);
  mine();
  look();
  const looking = setInterval(() => document.hidden || look(), EVERY);
  return {
    close() {
      clearInterval(looking);
      line.close();
      if (bots) bots.close();
    },
  };

  /** What is played now, and what was. */
  async function look() {
    const [{ games: now }, ...over] = await Promise.all([get("/games/now"), ...["black", "white", "draw"].map((result) => get("/games", { source: "play", result, limit: 6 }))]);
    const results = over.flatMap(({ games }) => games).filter(({ black, white }) => black.kind === "human" && white.kind === "human").sort((a, b) => b.updated - a.updated).slice(0, 6);
    view.update(Object.assign(state, { now, results }));
  }

  /** Which games one plays; not with every search that comes and goes. */
  async function mine() {
    if (!person || performance.now() - looked < OFTEN) return;
    looked = performance.now();
    const { games } = await get("/account/playing");
    view.update(Object.assign(state, { playing: games }));
    heard(games);
  }

  /** @param {object} message */
  async function ask(message) {
    if (!(await mayBegin())) return;
    try {
      await line.ask(message);
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
  }

  /** Both are taken to their game. @param {string} id */
  function begin(id) {
    say(t("lobby.found"));
    import("../app.js").then(({ go }) => go(`/game/${id}`));
  }
}
