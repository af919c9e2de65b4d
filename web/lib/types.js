// What the server takes and gives, as types, made from its OpenAPI document by `tests/types.rs`:
// not to be changed by hand. Nothing here runs; `docs/api.md` says what each field means.

/**
 * Whoever is to move has gone
 * @typedef {object} AbsentView
 * @property {number} claim_in_ms After so long the other side may end the game.
 * @property {Color} color
 */

/**
 * Who is logged in
 * @typedef {object} Account
 * @property {PersonView | null} person
 */

/**
 * An account
 * @typedef {object} AccountView
 * @property {Capabilities | null} accepts
 * @property {string | null} agent The agent that one of the house's players is.
 * @property {number} createdAt
 * @property {string} id The name in small letters.
 * @property {Record<string, PerfView>} perfs By class of clocks.
 * @property {number | null} playing
 * @property {string | null} title
 * @property {string} url
 * @property {string} username
 */

/**
 * How somebody has done against one opponent
 * @typedef {object} AgainstView
 * @property {string | null} agent An agent's spec.
 * @property {string | null} name Somebody with an account; null for an agent, and for all who have no account together.
 * @property {ScoreCountView} score
 */

/**
 * An agent of the registry
 * @typedef {object} AgentView
 * @property {string} name
 * @property {OptionView[]} options
 * @property {string} source The document that it comes from.
 * @property {string} summary
 */

/**
 * A line, the best one first
 * @typedef {object} AnalysisLine
 * @property {number | null} black The result that Black can expect.
 * @property {number} depth
 * @property {MoveView[]} line
 * @property {ScoreView | null} score
 * @property {string[]} text The same in Aba-Pro notation.
 * @property {WdlView | null} wdl
 */

/**
 * What was found so far
 * @typedef {object} AnalysisLines
 * @property {number} depth
 * @property {number | null} hashfull
 * @property {any} id As it was given.
 * @property {AnalysisLine[]} lines
 * @property {number} nodes
 * @property {number} nps
 * @property {number} seldepth
 * @property {number} time_ms
 * @property {string} type `lines`.
 */

/** What decides a game at a limit of its plies. @typedef {"ejections" | "draw"} AtCap */

/**
 * What moderators have done
 * @typedef {object} Audit
 * @property {AuditLine[]} lines
 */

/**
 * Something that a moderator or an administrator has done
 * @typedef {object} AuditLine
 * @property {string} about
 * @property {string} action `mute`, `unmute`, `close`, `void`, `settle`, `role`.
 * @property {number} at
 * @property {string} by Empty for the one at the machine.
 * @property {string} detail A game's id, or what else belongs to it.
 */

/**
 * Those whom one does not want to meet
 * @typedef {object} Blocked
 * @property {string[]} names
 */

/**
 * A position, and moves from it
 * @typedef {object} BoardRequest
 * @property {string | null} [fen] A position in any format.
 * @property {string | null} [layout] Or a layout.
 * @property {string[] | null} [moves]
 * @property {string | null} [notation] The moves' notation, Aba-Pro if not given.
 * @property {RulesRequest | null} [rules]
 */

/**
 * A position, and how it came about
 * @typedef {object} BoardView
 * @property {WalkedMove[]} line
 * @property {PositionView} position
 */

/** What happens to an account. @typedef {{game: GameInfo, type: "gameStart"} | {game: GameInfo, type: "gameFinish"} | {challenge: ChallengeView, type: "challenge"} | {challenge: ChallengeView, type: "challengeCanceled"} | {challenge: ChallengeView, type: "challengeDeclined"}} BotEvent */

/**
 * A program
 * @typedef {object} BotView
 * @property {Capabilities} accepts
 * @property {number} created
 * @property {string} name
 * @property {boolean} online Whether it is here now.
 * @property {TokenView[]} tokens
 */

/**
 * The moves of both sides summed up
 * @typedef {object} BothTallies
 * @property {Tally} black
 * @property {Tally} white
 */

/**
 * One's programs
 * @typedef {object} Bots
 * @property {BotView[]} bots
 * @property {number} most_bots How many one may have.
 * @property {number} most_tokens How many tokens each may have.
 */

/**
 * Which games a program accepts. What is not said is accepted; four games at a time
 * @typedef {object} Capabilities
 * @property {boolean} bots Whether other programs are.
 * @property {boolean} casual Whether games that are not rated are.
 * @property {number} games How many games at a time.
 * @property {any[]} increment The least and the most seconds that a move may add.
 * @property {string[]} layouts Names of layouts; all if there is none.
 * @property {any[]} limit The least and the most seconds that a clock may begin with.
 * @property {boolean} people Whether people are accepted.
 * @property {boolean} rated Whether rated games are accepted.
 * @property {any[]} rating The least and the most rating of the other side.
 * @property {Class[]} speeds Classes of clocks; all if there is none.
 */

/** Why something is not done. @typedef {{code: "field.missing", values: {name: string}} | {code: "field.unknown", values: {name: string}} | {code: "field.twice", values: {name: string}} | {code: "field.type", values: {expected: string}} | {code: "body.empty", values: any} | {code: "body.cut", values: any} | {code: "socket.upgrade", values: any} | {code: "socket.text", values: any} | {code: "socket.type", values: {expected: Words, found: string}} | {code: "key.missing", values: any} | {code: "key.wrong", values: any} | {code: "account.missing", values: any} | {code: "login.wrong", values: any} | {code: "recovery.wrong", values: any} | {code: "password.wrong", values: any} | {code: "token.missing", values: any} | {code: "token.wrong", values: any} | {code: "token.scope", values: {expected: Words}} | {code: "chat.mute", values: any} | {code: "person.other", values: any} | {code: "role.forbidden", values: {role: string}} | {code: "review.key", values: {ms: number, nodes: number}} | {code: "review.other", values: any} | {code: "seat.other", values: {color: string}} | {code: "help.none", values: any} | {code: "game.other", values: any} | {code: "game.imported", values: any} | {code: "game.tournament", values: any} | {code: "tournament.other", values: any} | {code: "tournament.welcome", values: {who: string}} | {code: "host.unknown", values: any} | {code: "origin.foreign", values: any} | {code: "game.unknown", values: {id: string}} | {code: "game.gone", values: any} | {code: "arena.off", values: any} | {code: "person.unknown", values: any} | {code: "tournament.unknown", values: any} | {code: "report.unknown", values: any} | {code: "session.unknown", values: any} | {code: "bot.unknown", values: any} | {code: "token.unknown", values: any} | {code: "challenge.gone", values: any} | {code: "import.unknown", values: any} | {code: "path.unknown", values: any} | {code: "page.unknown", values: any} | {code: "metrics.elsewhere", values: any} | {code: "method.unknown", values: any} | {code: "timeout", values: any} | {code: "ply.stale", values: {expected: number, found: number}} | {code: "move.agents_turn", values: {turn: string}} | {code: "game.full", values: {most: number}} | {code: "game.over", values: {reason: string}} | {code: "game.running", values: any} | {code: "game.damaged", values: {what: string}} | {code: "game.no_moves", values: any} | {code: "color.agent", values: {color: string}} | {code: "step.no_agent", values: any} | {code: "game.begun", values: {most: number}} | {code: "game.two", values: any} | {code: "seat.taken", values: any} | {code: "seat.own", values: any} | {code: "seat.free", values: any} | {code: "offer.none", values: any} | {code: "offer.declined", values: any} | {code: "rematch.exists", values: {id: string}} | {code: "chat.none", values: any} | {code: "chat.full", values: {most: number}} | {code: "claim.none", values: any} | {code: "claim.early", values: {seconds: number}} | {code: "plan.none", values: any} | {code: "plan.turn", values: any} | {code: "seek.gone", values: any} | {code: "tournament.over", values: any} | {code: "tournament.begun", values: any} | {code: "tournament.joined", values: any} | {code: "tournament.not_joined", values: any} | {code: "tournament.full", values: {most: number}} | {code: "tournament.too_few", values: any} | {code: "tournament.no_bye", values: any} | {code: "tournament.no_cross", values: any} | {code: "tournament.stage", values: {expected: Words, found: string}} | {code: "seek.own", values: any} | {code: "challenge.own", values: any} | {code: "challenge.unfit", values: {what: string}} | {code: "challenge.other", values: any} | {code: "bots.full", values: {most: number}} | {code: "tokens.full", values: {most: number}} | {code: "seek.range", values: {found: number, least: number, most: number}} | {code: "game.rated", values: any} | {code: "game.unrated", values: any} | {code: "review.none", values: any} | {code: "review.running", values: any} | {code: "review.not_running", values: any} | {code: "body.too_large", values: {most: number}} | {code: "body.type", values: {expected: string}} | {code: "move.syntax", values: {column: number, expected: string, found: string, line: number}} | {code: "move.no_marble", values: {cell: string, turn: string}} | {code: "move.line_too_long", values: {cell: string}} | {code: "move.own_in_the_way", values: {cell: string}} | {code: "move.not_empty", values: {cell: string}} | {code: "move.too_weak", values: {cell: string, own: number}} | {code: "move.push_blocked", values: {cell: string}} | {code: "move.leaves_board", values: {cell: string}} | {code: "move.no_line", values: {from: string, to: string}} | {code: "move.after_end", values: {reason: string}} | {code: "name.taken", values: any} | {code: "name.form", values: {least: number, most: number}} | {code: "password.length", values: {least: number, most: number}} | {code: "password.weak", values: any} | {code: "number.range", values: {found: number, least: number, most: number}} | {code: "plan.odd", values: any} | {code: "plan.twice", values: any} | {code: "chat.empty", values: any} | {code: "text.too_long", values: {most: number}} | {code: "word.unknown", values: {found: string, known: Words}} | {code: "moves.too_many", values: {found: number, most: number}} | {code: "start.both", values: any} | {code: "friend.seats", values: any} | {code: "tournament.starts", values: {days: number}} | {code: "start.over", values: any} | {code: "layout.unknown", values: {found: string, near: Words}} | {code: "fen.rows", values: {expected: number, found: number}} | {code: "fen.row", values: {cells: number, expected: number, row: string}} | {code: "fen.letter", values: {found: string, row: string}} | {code: "fen.marbles", values: {color: string, found: number, most: number}} | {code: "fen.field", values: {column: number, expected: string, found: string, line: number, part: string}} | {code: "position.unreadable", values: {column: number, expected: string, format: string, found: string, line: number}} | {code: "text.unreadable", values: any} | {code: "record.syntax", values: {column: number, expected: string, found: string, line: number}} | {code: "record.too_large", values: {found: number, most: number, part: string}} | {code: "record.limit", values: {most: number, part: string}} | {code: "notation.unknown", values: {found: string, known: Words}} | {code: "games.too_many", values: {most: number}} | {code: "cursor.unknown", values: any} | {code: "id.form", values: any} | {code: "agent.unknown", values: {name: string}} | {code: "agent.option", values: {agent: string, option: string}} | {code: "agent.range", values: {agent: string, found: string, least: number, most: number, option: string}} | {code: "agent.word", values: {agent: string, found: string, known: Words, option: string}} | {code: "agent.value", values: {agent: string, expected: string, found: string, option: string}} | {code: "agent.closed", values: {agent: string, option: string}} | {code: "agent.failed", values: {why: string}} | {code: "rate.requests", values: {most: number}} | {code: "rate.held", values: {most: number, what: string}} | {code: "rate.growth", values: {mb: number}} | {code: "rate.invitations", values: {most: number}} | {code: "rate.tournaments", values: {most: number}} | {code: "rate.logins", values: {minutes: number, most: number}} | {code: "rate.accounts", values: {most: number}} | {code: "rate.token", values: {most: number}} | {code: "rate.challenges", values: {most: number}} | {code: "rate.challenges_open", values: {most: number}} | {code: "rate.challenges_waiting", values: {most: number}} | {code: "rate.bot_games", values: {most: number, name: string}} | {code: "rate.messages", values: {most: number, seconds: number}} | {code: "rate.reports", values: {most: number}} | {code: "rate.chat", values: {most: number, seconds: number}} | {code: "server.full", values: {most: number, what: string}} | {code: "server.ending", values: any} | {code: "server.unready", values: {why: string}} | {code: "database.crowded", values: any} | {code: "database.slow", values: any} | {code: "database.full", values: {mb: number}} | {code: "database.failed", values: {what: string}} | {code: "internal", values: any}} Cause */

/** A cell, `a1` to `i9`. @typedef {string} Cell */

/**
 * A challenge
 * @typedef {object} ChallengeRequest
 * @property {number | null} [clock.increment] Seconds that a move adds.
 * @property {number | null} [clock.limit] Seconds that a clock begins with.
 * @property {string | null} [color] The challenger's: `black`, `white` or `random`.
 * @property {number | null} [days] Days for a move, in place of a clock.
 * @property {boolean | null} [rated] Whether ratings change; they do not unless it is said.
 * @property {string | null} [variant] A layout's name, or `random`; the Belgian Daisy if it is not given.
 */

/**
 * A challenge
 * @typedef {object} ChallengeView
 * @property {PlayerView} challenger
 * @property {string} color The colour that the challenger wants: `black`, `white` or `random`.
 * @property {string | null} declineReason
 * @property {DeclineReason | null} declineReasonKey
 * @property {PlayerView} destUser
 * @property {string | null} direction `in` or `out`.
 * @property {string} id Also that of the game, when it is accepted.
 * @property {Perf} perf
 * @property {boolean} rated
 * @property {Class | null} speed
 * @property {string} status `created`, `canceled` or `declined`.
 * @property {TimeControlView} timeControl
 * @property {string} url
 * @property {Variant} variant
 */

/**
 * Open challenges
 * @typedef {object} Challenges
 * @property {ChallengeView[]} in To the account.
 * @property {ChallengeView[]} out From it.
 */

/**
 * The password that is, and the one to be
 * @typedef {object} ChangePassword
 * @property {string} current
 * @property {string} password The new one.
 */

/**
 * A preset with changes; what is absent is as in the preset
 * @typedef {object} ChangedRules
 * @property {AtCap | null} [at_cap]
 * @property {number | null} [marbles_to_win]
 * @property {number | null} [ply_cap]
 * @property {string | null} [preset]
 * @property {number | null} [quiet_cap]
 * @property {Repetition | null} [repetition]
 */

/**
 * Something that was said
 * @typedef {object} ChatLineView
 * @property {number} at When, in milliseconds since 1970.
 * @property {string} name Who said it; empty for a player without a name.
 * @property {ChatRoom} room
 * @property {Color | null} side
 * @property {string} text Plain text, whatever it looks like.
 */

/**
 * What is said
 * @typedef {object} ChatRequest
 * @property {string | null} [room] `player`, which need not be said.
 * @property {string} text
 */

/** Who hears a line: players and spectators do not hear each other. @typedef {"players" | "spectators"} ChatRoom */

/**
 * What was said where whoever asks may listen
 * @typedef {object} ChatView
 * @property {ChatLineView[]} lines The oldest first.
 * @property {ChatRoom} room
 */

/** What somebody claims whose opponent has gone. @typedef {"win" | "draw"} ClaimKind */

/**
 * How a game is to end
 * @typedef {object} ClaimRequest
 * @property {ClaimKind} result What whoever claims gets.
 */

/** A class of clocks. @typedef {"bullet" | "blitz" | "rapid" | "correspondence"} Class */

/**
 * A clock in milliseconds
 * @typedef {object} ClockPair
 * @property {number} increment
 * @property {number} initial
 */

/** The time that players have. @typedef {{kind: "move", ms: number} | {base_ms: number, increment_ms: number, kind: "game"}} ClockView */

/**
 * What is left on the clocks
 * @typedef {object} ClocksView
 * @property {number} black_ms
 * @property {Color | null} running
 * @property {number} white_ms
 */

/** A side. @typedef {"black" | "white"} Color */

/**
 * Who
 * @typedef {object} ColorRequest
 * @property {Color | null} [color]
 */

/**
 * The password, to show that it is really its owner who asks
 * @typedef {object} Confirm
 * @property {string} password
 */

/**
 * How a game between agents goes on
 * @typedef {object} ControlRequest
 * @property {number | null} [delay_ms]
 * @property {boolean | null} [paused]
 * @property {boolean | null} [step] Play one move of an agent while the game is paused.
 * @property {number | null} [think_ms] Of both sides, unless `white_think_ms` says otherwise.
 * @property {number | null} [white_think_ms]
 */

/**
 * A game as its row's player sees it
 * @typedef {object} CrossCell
 * @property {Color} color
 * @property {boolean} forfeit Whether it was not played.
 * @property {number | null} points None while it is played.
 * @property {number} round From 1.
 */

/**
 * A player's row of the cross table
 * @typedef {object} CrossRowView
 * @property {CrossCell[][]} cells For each row of the table the games against that player.
 * @property {string} name
 * @property {number} place
 * @property {number} points
 * @property {number} rating
 * @property {string[]} rounds Each round in a word, such as `12b1`: the row of the opponent from 1, the own side, and the result (`1`, `½`, `0`, `*` while it is played, `+` and
 * @property {number[]} tie_breaks
 */

/**
 * The cross table
 * @typedef {object} CrossTable
 * @property {CrossRowView[]} rows The first one first.
 * @property {string[]} tie_breaks What decides between players with as many points, in this order.
 */

/** Why somebody declines, in the words that authors of programs know. @typedef {"generic" | "later" | "tooFast" | "tooSlow" | "timeControl" | "rated" | "casual" | "standard" | "variant" | "noBot" | "onlyBot"} DeclineReason */

/**
 * Why
 * @typedef {object} DeclineRequest
 * @property {DeclineReason | null} [reason]
 */

/** Where marbles go. @typedef {"east" | "north-east" | "north-west" | "west" | "south-west" | "south-east"} Direction */

/**
 * It is done
 * @typedef {object} Done
 * @property {boolean} ok
 */

/**
 * The body of every answer that is an error
 * @typedef {object} ErrorBody
 * @property {Fault} error What went wrong.
 */

/**
 * All that is kept of somebody
 * @typedef {object} Export
 * @property {string[]} blocked Whom one has blocked.
 * @property {SaidView[]} chat What one has said.
 * @property {GameSummary[]} games All games; `/api/v1/games/{id}/apgn` has the record of each.
 * @property {ProfileView} profile
 * @property {SessionView[]} sessions
 */

/** What a client is told. @typedef {Cause & {field: string | null, kind: Kind, message: string}} Fault */

/**
 * How somebody has done with an opening
 * @typedef {object} FavouriteView
 * @property {Color} color Their side.
 * @property {string} fen The position after them.
 * @property {string} layout
 * @property {string[]} moves The first moves, as they were played first; symmetric ones and other orders are counted with them.
 * @property {ScoreCountView} score
 */

/**
 * A game with a friend: whoever begins it has a key for one seat, the other is for whoever joins first
 * @typedef {object} FriendRequest
 * @property {SeatChoice} color The seat of the one who begins.
 * @property {string | null} [name] Their name in the game.
 */

/** What happens in a game. @typedef {GameFull & {type: "gameFull"} | GameState & {type: "gameState"} | {room: string, text: string, type: "chatLine", username: string} | {gone: boolean, type: "opponentGone"}} GameEvent */

/**
 * A whole game
 * @typedef {object} GameFull
 * @property {PlayerView} black
 * @property {ClockPair | null} clock
 * @property {number} createdAt
 * @property {number | null} daysPerTurn
 * @property {string} id
 * @property {string} initialFen The position at the beginning; Black's marbles are `S` there, White's `s`.
 * @property {Perf} perf
 * @property {boolean} rated
 * @property {RulesView} rules How the game ends.
 * @property {Class | null} speed
 * @property {TypedState} state
 * @property {Variant} variant
 * @property {PlayerView} white
 */

/**
 * A game in short
 * @typedef {object} GameInfo
 * @property {Color} color
 * @property {string} fen
 * @property {string} fullId
 * @property {string} gameId
 * @property {boolean} hasMoved
 * @property {string} id
 * @property {boolean} isMyTurn
 * @property {string} lastMove
 * @property {OpponentView} opponent
 * @property {Class | null} perf
 * @property {boolean} rated
 * @property {number | null} secondsLeft
 * @property {string} source
 * @property {Class | null} speed
 * @property {StatusView} status
 * @property {Variant} variant
 * @property {Color | null} winner
 */

/**
 * A page of games
 * @typedef {object} GamePage
 * @property {GameSummary[]} games
 * @property {string | null} next Where the next page begins.
 * @property {number} total How many there are in all.
 */

/**
 * How a game stands
 * @typedef {object} GameState
 * @property {boolean} bdraw
 * @property {number} binc
 * @property {boolean} btakeback
 * @property {number} btime
 * @property {string} moves All moves in the notation of Aba-Pro, with spaces between them.
 * @property {string} status
 * @property {boolean} wdraw Who offers a draw.
 * @property {number} winc Milliseconds that a move adds.
 * @property {Color | null} winner
 * @property {boolean} wtakeback Who wants moves back.
 * @property {number} wtime Milliseconds that the sides have left.
 */

/**
 * A game in a list
 * @typedef {object} GameSummary
 * @property {Seat} black
 * @property {number} created
 * @property {boolean} damaged Whether its row in the database cannot be read: it has no position, and can only be deleted.
 * @property {string} fen The last position.
 * @property {string} id
 * @property {string | null} layout
 * @property {number} plies
 * @property {number | null} ply Where the position that was looked for occurs first.
 * @property {Reason | null} reason
 * @property {Result | null} result
 * @property {ReviewStage} review
 * @property {Pair} score
 * @property {Source} source
 * @property {number} updated
 * @property {Seat} white
 */

/**
 * A whole game
 * @typedef {object} GameView
 * @property {Seat} black
 * @property {ClockView | null} clock
 * @property {ClocksView | null} clocks
 * @property {number} created Milliseconds since 1970.
 * @property {number} delay_ms The least time between two moves of agents.
 * @property {boolean} has_variations
 * @property {string} id
 * @property {string | null} layout
 * @property {PlayedMove[]} moves
 * @property {string | null} next The rematch.
 * @property {Color | null} offer
 * @property {PairView | null} pair
 * @property {boolean} paused
 * @property {PositionView} position
 * @property {boolean} rated Whether it changes the ratings of its players.
 * @property {ReviewStage} review
 * @property {RulesView} rules
 * @property {Source} source
 * @property {string} start_fen
 * @property {Record<string, string>} tags
 * @property {number} think_ms The time of Black's agent for a move, without a clock.
 * @property {Color | null} thinking
 * @property {string | null} tournament The id of the tournament that it belongs to.
 * @property {number} updated
 * @property {number} watchers
 * @property {Seat} white
 * @property {number} white_think_ms The same of White's.
 */

/**
 * A new token
 * @typedef {object} GivenToken
 * @property {string} secret What opens the program's account. It is told this once.
 * @property {TokenView} token
 */

/**
 * The server is well
 * @typedef {object} Health
 * @property {number} games
 * @property {string} status
 */

/**
 * What would be a good move
 * @typedef {object} Hint
 * @property {string[]} line
 * @property {MoveView} move
 * @property {ScoreView | null} score
 * @property {WdlView | null} wdl
 */

/**
 * How far an import is
 * @typedef {object} ImportState
 * @property {number} done Bytes read.
 * @property {number} duplicates Games that were there already.
 * @property {Fault | null} error
 * @property {string} id
 * @property {number} imported Games that were imported.
 * @property {number} plies Their moves.
 * @property {Refused[]} refused Games that could not be read: the first hundred.
 * @property {number} refused_count
 * @property {Stage} state
 * @property {number} whole Bytes in all.
 */

/**
 * Who joins
 * @typedef {object} JoinRequest
 * @property {string | null} [name] The name in the game.
 */

/** What a move of a reviewed game was. @typedef {"good" | "inaccuracy" | "mistake" | "blunder"} Judgement */

/**
 * A report in the moderators' queue. Names are those of today, empty for closed accounts
 * @typedef {object} KeptReport
 * @property {string} about
 * @property {number} all How many reports there are about them.
 * @property {number} at
 * @property {string} by
 * @property {string | null} game
 * @property {string} id
 * @property {ReportReason} reason
 * @property {string} text
 */

/** What kind of trouble a cause is. It decides the status of an answer. @typedef {"bad_request" | "unauthorized" | "forbidden" | "not_found" | "method" | "timeout" | "conflict" | "over" | "damaged" | "too_large" | "media_type" | "illegal_move" | "invalid" | "too_many" | "internal" | "busy" | "quota" | "storage"} Kind */

/**
 * A starting layout
 * @typedef {object} LayoutView
 * @property {boolean} agreed Whether the sources agree about it.
 * @property {Cell[]} black
 * @property {string} dispute
 * @property {string} fen
 * @property {string} name
 * @property {string} title
 * @property {Cell[]} white
 */

/**
 * A level of the flagship
 * @typedef {object} LevelView
 * @property {number} elo
 * @property {number} level
 * @property {string} name
 * @property {string} spec
 */

/**
 * What a client may ask for
 * @typedef {object} LimitsView
 * @property {number} body_bytes
 * @property {number} depth
 * @property {number} import_bytes
 * @property {number} lines
 * @property {number} moves
 * @property {number} nodes
 * @property {number} searches
 * @property {number} think_ms
 * @property {number} time_ms
 */

/**
 * Moves that follow each other
 * @typedef {object} LineView
 * @property {string[]} comments Before the first move.
 * @property {PlyView[]} plies
 */

/** A message. @typedef {{game: GameView, type: "game"} | {clocks: ClocksView | null, move: MoveView, played: PlayedMove, ply: number, position: PositionView, thinking: Color | null, type: "move"} | {absent: AbsentView | null, black: Presence, spectators: number, type: "people", white: Presence} | {line: ChatLineView, type: "chat"} | {black: number | null, depth: number, line: string[], nodes: number, nps: number, ply: number, score: ScoreView | null, seldepth: number, side: Color, time_ms: number, type: "thinking", wdl: WdlView | null} | {type: "deleted"} | {done: number, state: ReviewStage, type: "review", whole: number}} LiveEvent */

/** What happens in the lobby. @typedef {{seeks: SeekView[], type: "seeks"}} LobbyEvent */

/**
 * Name and password
 * @typedef {object} Login
 * @property {string} name
 * @property {string} password
 */

/**
 * Everything that a page needs to offer choices
 * @typedef {object} Meta
 * @property {AgentView[]} agents
 * @property {boolean} arena Whether there are accounts.
 * @property {LayoutView[]} layouts
 * @property {LevelView[]} levels
 * @property {string} licence
 * @property {LimitsView} limits
 * @property {string} name
 * @property {string[]} notations
 * @property {string[]} position_formats
 * @property {string | null} public_url What links to this server begin with, if it knows.
 * @property {RatingView[]} ratings
 * @property {PresetView[]} rules
 * @property {string} version
 */

/**
 * A move that is in the database
 * @typedef {object} MoveAck
 * @property {ClocksView | null} clocks
 * @property {MoveView} move
 * @property {number} ply Moves played now.
 * @property {PositionView} position
 */

/**
 * A move
 * @typedef {object} MoveRequest
 * @property {string} move The move.
 * @property {string | null} [notation] Its notation, Aba-Pro if not given.
 * @property {number} ply How many moves were played before it.
 */

/**
 * A move, with every marble that it moves
 * @typedef {object} MoveView
 * @property {Direction} direction Where they go.
 * @property {Cell | null} ejected
 * @property {Cell[]} marbles The mover's marbles, the rearmost first.
 * @property {string} move In Aba-Pro notation.
 * @property {Cell[]} pushed The other side's marbles that are pushed, the nearest first.
 */

/**
 * For how long somebody says nothing
 * @typedef {object} MuteRequest
 * @property {number} hours At most a year of 365 days; 0 gives the word back.
 */

/**
 * A new account
 * @typedef {object} NewAccount
 * @property {PersonView} person
 * @property {string[]} recovery Each opens the account once when the password is lost. They are told this once.
 */

/**
 * A program to be
 * @typedef {object} NewBot
 * @property {string} name As names of people are.
 */

/**
 * A game that was begun, and the right to play in it
 * @typedef {object} NewGame
 * @property {Color | null} color
 * @property {GameView} game
 * @property {string | null} key Send it as `Authorization: Bearer KEY`; null if it is not known to whoever asks, whose account has the seat.
 */

/**
 * A game to begin
 * @typedef {object} NewGameRequest
 * @property {SeatRequest | null} [black]
 * @property {ClockView | null} [clock]
 * @property {number | null} [delay_ms]
 * @property {string | null} [fen] A position in any format.
 * @property {FriendRequest | null} [friend]
 * @property {string | null} [layout] The name of a layout; the Belgian Daisy if neither it nor `fen` is given.
 * @property {string[] | null} [moves] Moves that were played already, in Aba-Pro notation.
 * @property {boolean | null} [paused]
 * @property {RulesRequest | null} [rules]
 * @property {number | null} [think_ms] The time of agents for a move, without a clock; of both sides, unless `white_think_ms` says otherwise.
 * @property {SeatRequest | null} [white]
 * @property {number | null} [white_think_ms]
 */

/** An import that has begun. @typedef {ImportState & {key: string}} NewImport */

/**
 * A token to be
 * @typedef {object} NewToken
 * @property {number | null} [days] Days after which it opens nothing any more; it is good for ever if that is not given.
 * @property {string | null} [note] What it is for.
 * @property {Scope[] | null} [scopes] What it is good for; `bot:play`, which is everything, if it is not given.
 */

/**
 * A tournament to be
 * @typedef {object} NewTournamentRequest
 * @property {ClockView} clock
 * @property {boolean | null} [late] Whether one may join after it has begun; one may unless it is said otherwise, but never a round robin.
 * @property {string | null} [layout] A layout's name, or `random` for another one in each round; the Belgian Daisy if it is not given.
 * @property {string} name
 * @property {boolean | null} [rated] Whether ratings change; they do unless it is said otherwise.
 * @property {number | null} [starts] When it begins, in milliseconds since 1970: in five minutes if it is not given.
 * @property {SystemView} system
 * @property {Welcome | null} [welcome]
 */

/** Nothing to say. @typedef {any} Nothing */

/** What can be offered. @typedef {"draw" | "takeback" | "rematch"} OfferKind */

/**
 * A position, and what was played from it
 * @typedef {object} OpeningsView
 * @property {number} games Games with a move from it.
 * @property {TriedView[]} moves The most played first.
 * @property {PositionView} position
 */

/**
 * What an agent thinks of a position
 * @typedef {object} Opinion
 * @property {string} agent
 * @property {number} depth
 * @property {string[]} line
 * @property {MoveView | null} move
 * @property {number} nodes
 * @property {ScoreView | null} score
 * @property {ScoreView | null} static
 * @property {TermView[] | null} terms The terms of its evaluation, in hundredths of a marble.
 * @property {WdlView | null} wdl
 */

/**
 * The other player
 * @typedef {object} OpponentView
 * @property {string} id
 * @property {number | null} rating
 * @property {string} username
 */

/**
 * An option of an agent
 * @typedef {object} OptionView
 * @property {string} default
 * @property {string} help
 * @property {string} kind Such as `int`, `float`, `flag`, `choice`, `time` or `text`.
 * @property {string} name
 * @property {RangeView | null} range
 */

/**
 * How a game ended
 * @typedef {object} OutcomeView
 * @property {Reason} reason
 * @property {string} text In plain words.
 * @property {Color | null} winner
 */

/**
 * The seat of whoever asks
 * @typedef {object} OwnSeat
 * @property {Color | null} color
 * @property {boolean} plays Whether one plays in the game.
 */

/**
 * A number for each side
 * @typedef {object} Pair
 * @property {number} black
 * @property {number} white
 */

/**
 * A game between two persons with a key each
 * @typedef {object} PairView
 * @property {AbsentView | null} absent
 * @property {Presence} black
 * @property {Color | null} rematch
 * @property {number} spectators Those who look on.
 * @property {TakebackView | null} takeback
 * @property {Presence} white
 */

/**
 * A text that someone pastes
 * @typedef {object} ParseRequest
 * @property {string | null} [notation] The moves' notation, if it is known.
 * @property {string} text
 */

/** What a text is. @typedef {{format: string, kind: "position", position: PositionView} | {games: ParsedGame[], kind: "games"}} Parsed */

/**
 * A game of a text
 * @typedef {object} ParsedGame
 * @property {LineView} line
 * @property {string} notation
 * @property {Result | null} result
 * @property {string} start_fen
 * @property {Record<string, string>} tags
 */

/**
 * A name for a class of clocks
 * @typedef {object} Perf
 * @property {Class | null} name
 */

/**
 * A rating in a class of clocks
 * @typedef {object} PerfView
 * @property {number} games
 * @property {boolean} prov Whether it is not sure yet.
 * @property {number} rating
 * @property {number} rd The deviation.
 */

/**
 * Somebody's rating in a class of clocks
 * @typedef {object} PersonRatingView
 * @property {Class} class
 * @property {any[][]} curve What it was after each of the last 200 games: when, in milliseconds since 1970, and how much.
 * @property {number} deviation The standard deviation of the value by now.
 * @property {number} games
 * @property {boolean} provisional Whether it is not sure yet.
 * @property {number} value
 */

/**
 * A person
 * @typedef {object} PersonView
 * @property {number} created When the account was made, in milliseconds since 1970.
 * @property {string} name
 * @property {Role} role
 */

/**
 * What somebody will answer to moves of the other side
 * @typedef {object} PlanBody
 * @property {string[][]} lines At most 10 lines of at most 20 moves in Aba-Pro, each beginning with a move of the other side and ending with one's own.
 */

/**
 * A move that was played
 * @typedef {object} PlayedMove
 * @property {string | null} comment
 * @property {number | null} depth
 * @property {string | null} glyph
 * @property {string} move
 * @property {number | null} ms The time it took.
 * @property {number | null} nodes
 * @property {ScoreView | null} score
 */

/**
 * Games that are played now
 * @typedef {object} PlayedNow
 * @property {GameSummary[]} games Those between the strongest first.
 */

/**
 * A player
 * @typedef {object} PlayerView
 * @property {string} id The name in small letters.
 * @property {string} name
 * @property {boolean} online
 * @property {boolean} provisional
 * @property {number | null} rating
 * @property {string | null} title
 */

/**
 * What somebody plays
 * @typedef {object} Playing
 * @property {PlayingView[]} games
 */

/**
 * A game that one plays
 * @typedef {object} PlayingView
 * @property {ClockView | null} clock
 * @property {Color} color One's own side.
 * @property {number | null} due When the time of the side to move is up, in milliseconds since 1970; null where no calendar decides.
 * @property {GameSummary} game
 * @property {boolean} turn Whether one is to move.
 */

/**
 * A move of a line
 * @typedef {object} PlyView
 * @property {string[]} comments
 * @property {string} fen The position after it.
 * @property {string[]} glyphs
 * @property {MoveView} move
 * @property {LineView[]} variations What could have been played instead.
 */

/**
 * A position
 * @typedef {object} PositionView
 * @property {Cell[]} black
 * @property {string} fen
 * @property {MoveView | null} last
 * @property {MoveView[]} moves The legal moves; none if the game is over.
 * @property {OutcomeView | null} outcome
 * @property {number} plies Moves played so far.
 * @property {Pair} score The marbles that each side has pushed off.
 * @property {Cell[]} threatened Marbles that the other side could push off if it were to move.
 * @property {Color} turn The side to move.
 * @property {Cell[]} white
 */

/** Whether somebody sits there. @typedef {"free" | "away" | "here"} Presence */

/**
 * Rules by name
 * @typedef {object} PresetView
 * @property {string} name
 * @property {RulesView} rules
 */

/**
 * A person with what they have played
 * @typedef {object} ProfileView
 * @property {PersonView} person
 * @property {PersonRatingView[]} ratings
 */

/** What an option may be. @typedef {{max: number, min: number} | string[]} RangeView */

/**
 * How strong an agent is beside the levels
 * @typedef {object} RatingView
 * @property {number} elo
 * @property {number} error The half width of the interval of 95 %.
 * @property {string} spec
 */

/**
 * The server takes games
 * @typedef {object} Readiness
 * @property {number} last_write When the database was last written, in milliseconds since 1970.
 * @property {string} status
 */

/** Why a game is over. @typedef {"ejections" | "no-moves" | "repetition" | "ply-cap" | "quiet-cap" | "resignation" | "agreement" | "time" | "forfeit" | "unknown"} Reason */

/**
 * How somebody has done
 * @typedef {object} RecordView
 * @property {FavouriteView[]} openings At most 50, those first that were played most often.
 * @property {AgainstView[]} opponents At most 50, those first who were met most often.
 */

/**
 * Name, one of the codes, and the password to be
 * @typedef {object} Recover
 * @property {string} code
 * @property {string} name
 * @property {string} password The new one.
 */

/**
 * Codes for a lost password
 * @typedef {object} Recovery
 * @property {string[]} recovery Each opens the account once. They are told this once.
 */

/**
 * A game that could not be read
 * @typedef {object} Refused
 * @property {Fault} error Why; the field is the move at fault, if it is one.
 * @property {number} game Its place in the file, from 1.
 * @property {number} line Its line.
 */

/** What becomes of a position that comes again. @typedef {"off" | "threefold" | "make-and-undo"} Repetition */

/** Why somebody is reported. @typedef {"engine" | "farming" | "abuse" | "other"} ReportReason */

/**
 * Something that the moderators should know
 * @typedef {object} ReportRequest
 * @property {string | null} [game] The id of a game, if it is about one.
 * @property {string} person The name of whom it is about.
 * @property {ReportReason} reason
 * @property {string} text One line, at most 140 letters.
 */

/**
 * What waits for a moderator
 * @typedef {object} Reports
 * @property {KeptReport[]} reports
 */

/** How a game came out. @typedef {"black" | "white" | "draw"} Result */

/** How games ended. @typedef {"black" | "white" | "draw" | "none"} ResultName */

/**
 * A review of a game
 * @typedef {object} Review
 * @property {boolean} complete Whether the whole game was reviewed.
 * @property {number} first The plies before the first position here.
 * @property {ReviewedMove[]} moves
 * @property {ReviewedPosition[]} positions The positions, one more than the moves.
 * @property {BothTallies} sides
 */

/**
 * What a review was made with: other networks and models judge otherwise
 * @typedef {object} ReviewBasis
 * @property {number[]} even Of the model of people's chances: the value for an even chance to win, and what each marble gone adds.
 * @property {string} network The network's fingerprint.
 * @property {number[]} spread How fast the chances grow, in the same way.
 */

/**
 * How long to look at each position
 * @typedef {object} ReviewRequest
 * @property {number | null} [nodes] Positions of the search; 20,000 if nothing is said, which is the most without the key of the game.
 * @property {number | null} [time_ms] Or milliseconds, at most 100 without the key.
 */

/** How far a game's review is. @typedef {"none" | "queued" | "running" | "done"} ReviewStage */

/**
 * How far a review is
 * @typedef {object} ReviewState
 * @property {ReviewBasis | null} basis
 * @property {number} done Positions that are done.
 * @property {Review | null} review
 * @property {ReviewStage} state
 * @property {number} whole Positions in all.
 */

/**
 * A line of a reviewed position
 * @typedef {object} ReviewedLine
 * @property {number} depth
 * @property {number} expected The result that the side to move can expect.
 * @property {string[]} moves
 * @property {number} rank Its place among the lines, from 1.
 * @property {ScoreView} score
 * @property {WdlView} wdl
 */

/**
 * A move of a reviewed game
 * @typedef {object} ReviewedMove
 * @property {string} best The best move, and what it leads to.
 * @property {number} best_expected
 * @property {ScoreView} best_score
 * @property {number} expected The result that the player can expect after the move, and after the best one.
 * @property {Judgement} judgement
 * @property {string[]} line
 * @property {number} loss The difference.
 * @property {string} mark The mark behind the move: empty, `?!`, `?` or `??`.
 * @property {string} move
 * @property {Color} mover
 * @property {number} number Its number, as games are numbered: one for both players' first.
 * @property {number} ply Its place in the game, from 1.
 * @property {ScoreView} score The move's value for its player, and the best one's.
 */

/**
 * How a reviewed game ended
 * @typedef {object} ReviewedOutcome
 * @property {Reason} reason
 * @property {Color | null} winner
 */

/**
 * A position of a reviewed game
 * @typedef {object} ReviewedPosition
 * @property {string | null} best The best move; none if the game is over.
 * @property {number} black The result that Black can expect.
 * @property {number} depth Plies searched completely.
 * @property {string} fen
 * @property {ReviewedLine[]} lines The lines, the best one first.
 * @property {number} nodes
 * @property {ReviewedOutcome | null} outcome
 * @property {number} seconds
 * @property {number} seldepth The longest line looked at.
 * @property {Color} turn
 */

/** What somebody with an account is here. @typedef {"person" | "bot" | "moderator" | "admin"} Role */

/** Rules as a request gives them. @typedef {string | ChangedRules} RulesRequest */

/**
 * How games end
 * @typedef {object} RulesView
 * @property {AtCap} at_cap What decides at a limit: `ejections`, or it is a `draw`.
 * @property {number} marbles_to_win
 * @property {number | null} ply_cap Plies after which the game ends.
 * @property {string | null} preset The preset that has just these rules.
 * @property {number | null} quiet_cap Plies without an ejection after which the game ends.
 * @property {Repetition} repetition `off`, `threefold` or `make-and-undo`.
 */

/**
 * Something that somebody has said
 * @typedef {object} SaidView
 * @property {string} game The id of the game.
 * @property {ChatLineView} line
 */

/**
 * Something to say
 * @typedef {object} SayRequest
 * @property {string} text One line of plain text, at most 140 letters.
 */

/** What a token is good for. @typedef {"bot:play" | "challenge:read" | "challenge:write"} Scope */

/**
 * Games that were won, drawn and lost
 * @typedef {object} ScoreCountView
 * @property {number} drawn
 * @property {number} lost
 * @property {number} won
 */

/** A value for the side to move. One of the fields is there. @typedef {{lead: number} | {win_in: number} | {loss_in: number} | {at_cap: string} | {value: number}} ScoreView */

/** A player. @typedef {{kind: "human", name: string} | {kind: "agent", level: number | null, name: string, spec: string}} Seat */

/** Which seat somebody wants. @typedef {"black" | "white" | "random"} SeatChoice */

/** A player as a request names it. @typedef {{kind: "human", name?: string | null} | {kind: "agent", name?: string | null, spec: string}} SeatRequest */

/**
 * A game that somebody looks for
 * @typedef {object} SeekView
 * @property {Class | null} class
 * @property {ClockView} clock
 * @property {Color | null} color
 * @property {string} id
 * @property {string} layout
 * @property {string} name
 * @property {boolean} own Whether it is one's own.
 * @property {boolean} provisional Whether the rating is not sure yet.
 * @property {boolean} rated
 * @property {number} rating
 * @property {boolean} waits Whether it waits without whoever searches.
 */

/**
 * Where somebody is logged in
 * @typedef {object} SessionView
 * @property {number} created
 * @property {string} device Browser and system; empty if they are not known.
 * @property {boolean} here Whether it is the one that asks.
 * @property {string} id
 * @property {number} seen When it was last used, to the hour.
 */

/**
 * Where somebody is logged in, and how many codes are left
 * @typedef {object} Sessions
 * @property {number} recovery_codes
 * @property {SessionView[]} sessions
 */

/** The order of a list. @typedef {"newest" | "oldest" | "longest" | "shortest"} Sort */

/** Where a game comes from. @typedef {"play" | "watch" | "import"} Source */

/** Where an import is. @typedef {"running" | "done" | "failed"} Stage */

/**
 * A player's line of the standings
 * @typedef {object} StandingView
 * @property {boolean} bot
 * @property {boolean} doubled Whether the next game of an arena counts twice.
 * @property {string | null} game The game that they play now.
 * @property {number} games Over the board.
 * @property {boolean} here Whether they play on.
 * @property {string} name Empty if the account is closed.
 * @property {number} place From 1; players whom nothing separates share it.
 * @property {number} points
 * @property {number} rating When they joined.
 * @property {number[]} tie_breaks
 */

/**
 * How a game stands, in a word
 * @typedef {object} StatusView
 * @property {string} name
 */

/** How players are paired. @typedef {{cycles: number, kind: "round-robin"} | {kind: "swiss", rounds: number} | {kind: "arena", minutes: number}} SystemView */

/**
 * Moves to take back; of two persons with a key each, one asks for it and the other agrees
 * @typedef {object} TakebackRequest
 * @property {number | null} [plies] How many; as many as it takes to get to the person's last turn if not given.
 */

/**
 * An offer to take moves back
 * @typedef {object} TakebackView
 * @property {Color} by
 * @property {number} plies
 */

/**
 * One side's moves summed up
 * @typedef {object} Tally
 * @property {number} accuracy In percent.
 * @property {number} blunders
 * @property {number} inaccuracies
 * @property {number} loss The mean loss.
 * @property {number} mistakes
 * @property {number} moves
 */

/**
 * A term of an evaluation
 * @typedef {object} TermView
 * @property {number} black
 * @property {string} name
 * @property {number} white
 */

/** The colours of a picture. @typedef {"wood" | "night" | "contrast" | "colour-blind"} Theme */

/** A clock, in seconds or in days for a move. @typedef {{increment: number, limit: number, show: string, type: "clock"} | {days_per_turn: number, type: "correspondence"}} TimeControlView */

/**
 * A token, without what opens anything
 * @typedef {object} TokenView
 * @property {number} created Milliseconds since 1970.
 * @property {number | null} expires When it opens nothing any more; null for never.
 * @property {string} id
 * @property {string} note What its owner calls it.
 * @property {Scope[]} scopes
 * @property {number | null} seen When it was last used, to the hour.
 */

/** What happens in a tournament. @typedef {{tournament: TournamentView, type: "tournament"} | {game: string, type: "game"}} TournamentEvent */

/**
 * A game of a tournament
 * @typedef {object} TournamentGame
 * @property {string} black
 * @property {number} board From 1.
 * @property {number | null} ended
 * @property {string | null} game Its id; none if there was nobody to play it.
 * @property {string} layout
 * @property {string | null} result `black`, `white`, `draw`, `black-absent`, `white-absent`, `unplayed`; none while it is played.
 * @property {number} round From 1; of an arena each moment at which some were paired.
 * @property {string} white
 */

/**
 * Tournaments in a list
 * @typedef {object} TournamentPage
 * @property {TournamentSummary[]} tournaments
 */

/**
 * The games of a round
 * @typedef {object} TournamentRound
 * @property {TournamentGame[]} games
 * @property {number} round
 */

/** How far a tournament is. @typedef {"planned" | "running" | "paused" | "over" | "cancelled"} TournamentStage */

/**
 * What a tournament is, and how far
 * @typedef {object} TournamentSummary
 * @property {number | null} began
 * @property {string} by Who made it; empty if the account is closed.
 * @property {Class | null} class
 * @property {ClockView} clock
 * @property {number} created Moments are in milliseconds since 1970.
 * @property {number | null} ends When an arena ends, or any tournament has ended.
 * @property {number} entered How many take or took part.
 * @property {string} id
 * @property {boolean} late Whether one may join after it has begun.
 * @property {string | null} layout Null for another one in each round.
 * @property {string} name
 * @property {boolean} rated
 * @property {TournamentStage} stage
 * @property {number} starts
 * @property {SystemView} system
 * @property {Welcome} welcome
 */

/** A tournament with its standings and what is being played. @typedef {TournamentSummary & {playing: TournamentGame[], round: number, rounds: number | null, standings: StandingView[], tie_breaks: string[], version: number}} TournamentView */

/**
 * A game with its variations
 * @typedef {object} TreeView
 * @property {LineView} line
 * @property {RulesView} rules
 * @property {string} start_fen
 * @property {Record<string, string>} tags
 */

/**
 * A move, with the results of its games
 * @typedef {object} TriedView
 * @property {string} after_fen
 * @property {number | null} average_plies Of the games that have ended.
 * @property {number} black_wins
 * @property {number} draws
 * @property {number} games
 * @property {MoveView} move
 * @property {number} white_wins
 */

/** How a game stands, within all of it. @typedef {GameState & {type: string}} TypedState */

/**
 * A layout
 * @typedef {object} Variant
 * @property {string} key
 * @property {string} name
 * @property {string} short
 */

/**
 * A move on the way
 * @typedef {object} WalkedMove
 * @property {string} fen The position after it.
 * @property {MoveView} move
 */

/**
 * The chances of the side to move
 * @typedef {object} WdlView
 * @property {number} draw
 * @property {number} loss
 * @property {number} win
 */

/** Who may join. @typedef {"people" | "bots" | "both"} Welcome */

/** Words to choose from. @typedef {string[]} Words */

export {};
