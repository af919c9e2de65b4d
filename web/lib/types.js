// What the server sends, as types. Nothing here runs; `docs/api.md` says what each field means.

/** @typedef {"black" | "white"} Color */
/** @typedef {"east" | "north-east" | "north-west" | "west" | "south-west" | "south-east"} Direction */

/**
 * A move with all that a picture of it needs.
 * @typedef {object} MoveView
 * @property {string} move such as `a1b2`
 * @property {string[]} marbles the mover's cells that move
 * @property {Direction} direction
 * @property {string[]} pushed the other side's cells that move
 * @property {string | null} ejected the cell whose marble leaves the board
 */

/** @typedef {{winner: Color | null, reason: string, text: string}} Outcome */

/**
 * @typedef {object} PositionView
 * @property {string} fen
 * @property {Color} turn
 * @property {string[]} black
 * @property {string[]} white
 * @property {{black: number, white: number}} score marbles that each side has pushed off
 * @property {number} plies
 * @property {MoveView | null} last
 * @property {MoveView[]} moves the legal moves
 * @property {string[]} threatened
 * @property {Outcome | null} outcome
 */

/** @typedef {{kind: "human" | "agent", name?: string, spec?: string, level?: number | null}} Seat */
/** @typedef {{kind: "move", ms: number} | {kind: "game", base_ms: number, increment_ms: number}} Clock */
/** @typedef {{black_ms: number, white_ms: number, running: Color | null}} Clocks */
/** @typedef {{marbles?: number, win_in?: number, loss_in?: number, at_cap?: string, value?: number}} Score */
/** @typedef {{win: number, draw: number, loss: number}} Wdl */

/**
 * A move that was played.
 * @typedef {MoveView & {ms?: number, score?: Score | null, depth?: number | null, nodes?: number | null, comment?: string | null, glyph?: string | null}} Played
 */

/**
 * @typedef {object} GameView
 * @property {string} id
 * @property {number} created
 * @property {number} updated
 * @property {"play" | "watch" | "import"} source
 * @property {string | null} layout
 * @property {string} start_fen
 * @property {string} rules
 * @property {Seat} black
 * @property {Seat} white
 * @property {Clock | null} clock
 * @property {Clocks | null} clocks
 * @property {Played[]} moves
 * @property {PositionView} position
 * @property {boolean} paused
 * @property {number} delay_ms
 * @property {Color | null} offer
 * @property {Color | null} [thinking]
 * @property {string | null} [next]
 * @property {string} review
 * @property {Record<string, string>} tags
 */

/**
 * @typedef {object} GameSummary
 * @property {string} id
 * @property {number} created
 * @property {string} source
 * @property {string | null} layout
 * @property {Seat} black
 * @property {Seat} white
 * @property {"black" | "white" | "draw" | null} result
 * @property {number} plies
 * @property {string} [fen]
 * @property {number} [ply]
 * @property {string | null} [reason]
 * @property {boolean} damaged
 */

/** @typedef {{name: string, title: string, fen: string, sound?: boolean}} Layout */
/** @typedef {{name: string, kind?: string, default?: string | null, help?: string}} AgentOption */
/** @typedef {{name: string, summary: string, source?: string, options?: AgentOption[]}} AgentInfo */
/** @typedef {{level: number, name: string, elo: number}} Level */
/** @typedef {{spec: string, elo: number, error: number}} Rating */

/**
 * @typedef {object} Meta
 * @property {string} version
 * @property {string} licence
 * @property {string | null} public_url what links to the server begin with, if it knows
 * @property {AgentInfo[]} agents
 * @property {Level[]} levels
 * @property {Rating[]} ratings
 * @property {Layout[]} layouts
 * @property {string[]} rules
 */

export {};
