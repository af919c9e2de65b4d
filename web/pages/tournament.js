// A tournament: it is followed as it goes on, and whoever takes part is taken to their games.

import { ApiError, get, meta, post } from "../lib/api.js";
import { who } from "../lib/account.js";
import { say, toast } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { connect } from "../lib/socket.js";
import { tournamentView } from "./tournament-view.js";

/** @typedef {import("../lib/types.js").TournamentView} TournamentView */
/** @typedef {import("../lib/types.js").TournamentGame} TournamentGame */
/** @typedef {import("../lib/types.js").CrossTable} CrossTable */

/**
 * @typedef {object} State
 * @property {TournamentView} tournament
 * @property {boolean} lost whether the line to the server is down
 * @property {{round: number, games: TournamentGame[]} | null} round whose games are listed, if they are
 * @property {CrossTable | null} cross if it is shown
 */

/** Games of the best players that are shown as they are played. */
const SHOWN = 4;

/** @type {import("../app.js").Open} */
export async function open(root, id) {
  const [known, person, first] = await Promise.all([meta(), who(), get(`/tournaments/${encodeURIComponent(id ?? "")}`)]);
  document.title = `${first.name} · Sumito`;
  /** @type {State} */
  const state = { tournament: first, lost: false, round: null, cross: null };
  const view = tournamentView(root, known, person, {
    act: (what) => act(what),
    round: (round) => listed(round),
    cross: (open) => crossed(open),
  });
  /** Games that are followed, by their ids. @type {Map<string, {close: () => void}>} */
  const followed = new Map();
  const line = connect(`/tournaments/${id}/live`, {
    message(data) {
      if (data.type === "tournament") changed(data.tournament);
      if (data.type === "game") begin(data.game);
    },
    lost: () => view.update(Object.assign(state, { lost: true })),
  });
  changed(first);
  return {
    close() {
      line.close();
      view.close();
      for (const game of followed.values()) game.close();
    },
  };

  /** @param {TournamentView} tournament */
  function changed(tournament) {
    const another = tournament.version !== state.tournament.version;
    view.update(Object.assign(state, { tournament, lost: false }));
    follow(tournament.playing.slice(0, SHOWN).flatMap(({ game }) => game ?? []));
    if (another && state.cross) crossed(true);
    if (another && state.round) listed(state.round.round);
  }

  /** Follows these games and no others. @param {string[]} games */
  function follow(games) {
    for (const [game, line] of followed) {
      if (games.includes(game)) continue;
      line.close();
      followed.delete(game);
    }
    for (const game of games.filter((game) => !followed.has(game))) {
      followed.set(game, connect(`/games/${game}/live`, {
        message(data) {
          const position = data.type === "game" ? data.game.position : data.type === "move" ? data.position : null;
          if (position) view.board(game, position.fen);
        },
      }));
    }
  }

  /** Asks for something, and says what came of it. @param {string} what */
  async function act(what) {
    try {
      changed(await post(`/tournaments/${id}/${what}`));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      toast(error.message);
    }
  }

  /** @param {number} round from 1 */
  async function listed(round) {
    state.round = await get(`/tournaments/${id}/games`, { round });
    view.update(state);
  }

  /** @param {boolean} open */
  async function crossed(open) {
    state.cross = open ? await get(`/tournaments/${id}/cross`) : null;
    view.update(state);
  }

  /** One's own game has begun. @param {string} game */
  function begin(game) {
    say(t("lobby.found"));
    import("../app.js").then(({ go }) => go(`/game/${game}`));
  }
}
