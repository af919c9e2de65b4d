// The lobby: who looks for a game now, and one's own search.

import { meta } from "../lib/api.js";
import { who } from "../lib/account.js";
import { fill, h, say, toast } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { connect } from "../lib/socket.js";
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
 * @property {boolean} lost whether the line to the server is down
 */

/** @type {import("../app.js").Open} */
export async function open(root) {
  const known = await meta();
  if (!known.arena) {
    fill(root, h("div", { class: "prose" }, h("h1", {}, t("nav.lobby")), h("p", {}, t("cause.arena.off"))));
    return {};
  }
  const person = await who();
  /** @type {State} */
  const state = { seeks: [], rated: true, layout: "belgian-daisy", lost: false };
  const bots = person && lobbyBots(() => state, (id) => begin(id));
  const view = lobbyView(root, known, person, {
    seek: (clock) => ask({ type: "seek", clock, rated: state.rated, layout: state.layout }),
    accept: (seek) => ask({ type: "accept", seek }),
    cancel: () => line.send({ type: "cancel" }),
    choose: (change) => view.update(Object.assign(state, change)),
  }, bots && bots.section);
  const line = connect("/lobby/live", {
    message(data) {
      if (data.type === "seeks") view.update(Object.assign(state, { seeks: data.seeks, lost: false }));
      if (data.type === "game") begin(data.game);
    },
    lost: () => view.update(Object.assign(state, { seeks: [], lost: true })),
  });
  view.update(state);
  return {
    close: () => {
      line.close();
      if (bots) bots.close();
    },
  };

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
