package store

// runTables is the step of the schema that brought solo runs. A contest is
// named as ranking.Contest.String writes it. Boards are named by the day
// (2026-11-30), the month (2026-11), "all", or an arena's id; down is minus the
// score, so that one ascending index lists a board from its top.
var runTables = []string{
	`CREATE TABLE profiles (
		player  BYTEA PRIMARY KEY,
		country TEXT NOT NULL
	)`,
	`CREATE TABLE attempts (
		contest   TEXT NOT NULL,
		player    BYTEA NOT NULL,
		number    BIGINT NOT NULL,
		nonce     BYTEA NOT NULL,
		issued_ms BIGINT NOT NULL,
		body      BYTEA NOT NULL,
		PRIMARY KEY (contest, player, number)
	)`,
	`CREATE INDEX attempts_player ON attempts (player, issued_ms)`,
	`CREATE TABLE runs (
		id          BYTEA NOT NULL,
		hash        BYTEA NOT NULL,
		head        BYTEA NOT NULL,
		contest     TEXT NOT NULL,
		player      BYTEA NOT NULL,
		attempt     BIGINT NOT NULL,
		bot         TEXT NOT NULL,
		state       TEXT NOT NULL,
		reason      BIGINT NOT NULL,
		score       BIGINT NOT NULL,
		combo       BIGINT NOT NULL,
		placements  BIGINT NOT NULL,
		received_ms BIGINT NOT NULL,
		replayed_ms BIGINT NOT NULL,
		receipt     BYTEA NOT NULL,
		PRIMARY KEY (id, hash)
	)`,
	`CREATE INDEX runs_of ON runs (contest, player)`,
	`CREATE INDEX runs_night ON runs (replayed_ms, received_ms)`,
	// The files lie apart, so that looking for runs reads none of them.
	`CREATE TABLE run_files (
		id   BYTEA NOT NULL,
		hash BYTEA NOT NULL,
		file BYTEA NOT NULL,
		PRIMARY KEY (id, hash)
	)`,
	`CREATE TABLE scores (
		board      TEXT NOT NULL,
		player     BYTEA NOT NULL,
		country    TEXT NOT NULL,
		down       BIGINT NOT NULL,
		reached_ms BIGINT NOT NULL,
		combo      BIGINT NOT NULL,
		attempt    BIGINT NOT NULL,
		days       BIGINT NOT NULL,
		run        BYTEA NOT NULL,
		PRIMARY KEY (board, player)
	)`,
	`CREATE INDEX scores_world ON scores (board, down, reached_ms, player)`,
	`CREATE INDEX scores_country ON scores (board, country, down, reached_ms, player)`,
	`CREATE INDEX scores_player ON scores (player)`,
	// How many of a board have a score of 256 * bucket and more, and less than
	// 256 more; of the world under the country "*". Ranks are counted from it.
	`CREATE TABLE score_counts (
		board   TEXT NOT NULL,
		country TEXT NOT NULL,
		bucket  BIGINT NOT NULL,
		n       BIGINT NOT NULL,
		PRIMARY KEY (board, country, bucket)
	)`,
	`CREATE TABLE arenas (
		id        TEXT PRIMARY KEY,
		seed      BYTEA NOT NULL,
		opened_ms BIGINT NOT NULL,
		closes_ms BIGINT NOT NULL,
		entrants  BIGINT NOT NULL,
		closed    BIGINT NOT NULL
	)`,
	`CREATE INDEX arenas_open ON arenas (closed, opened_ms)`,
}
