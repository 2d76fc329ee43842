package store

// migrations are the steps from an empty database to the present schema, in
// order; one that has run anywhere is never changed. The text runs on SQLite
// and PostgreSQL alike. Booleans are 0 or 1, times Unix milliseconds, ticket
// times Unix seconds, absent blobs empty.
var migrations = [][]string{{
	`CREATE TABLE meta (
		name  TEXT PRIMARY KEY,
		value BYTEA NOT NULL
	)`,
	`CREATE TABLE players (
		player   BYTEA PRIMARY KEY,
		code     TEXT NOT NULL,
		since_ms BIGINT NOT NULL
	)`,
	`CREATE INDEX players_code ON players (code)`,
	`CREATE TABLE tickets (
		serial  BYTEA PRIMARY KEY,
		player  BYTEA NOT NULL,
		issued  BIGINT NOT NULL,
		expires BIGINT NOT NULL,
		spent   SMALLINT NOT NULL,
		refund  SMALLINT NOT NULL
	)`,
	`CREATE INDEX tickets_player ON tickets (player, issued)`,
	`CREATE TABLE matches (
		id          BYTEA PRIMARY KEY,
		terms       BYTEA NOT NULL,
		signature0  BYTEA NOT NULL,
		signature1  BYTEA NOT NULL,
		player0     BYTEA NOT NULL,
		player1     BYTEA NOT NULL,
		ticket0     BYTEA NOT NULL,
		ticket1     BYTEA NOT NULL,
		refunded    SMALLINT NOT NULL,
		first_ms    BIGINT NOT NULL,
		opened_ms   BIGINT NOT NULL,
		complete_ms BIGINT NOT NULL,
		due_ms      BIGINT NOT NULL,
		decided_ms  BIGINT NOT NULL,
		state       TEXT NOT NULL,
		reason      BIGINT NOT NULL,
		log         BYTEA NOT NULL,
		head        BYTEA NOT NULL,
		evidence    BYTEA NOT NULL,
		sealed      SMALLINT NOT NULL,
		winner      SMALLINT NOT NULL,
		ended       SMALLINT NOT NULL,
		rounds      SMALLINT NOT NULL,
		score0      BIGINT NOT NULL,
		score1      BIGINT NOT NULL,
		decisions0  BIGINT NOT NULL,
		decisions1  BIGINT NOT NULL,
		late0       BIGINT NOT NULL,
		late1       BIGINT NOT NULL,
		forged0     SMALLINT NOT NULL,
		forged1     SMALLINT NOT NULL,
		claims      BIGINT NOT NULL,
		leaf        BIGINT NOT NULL,
		counts      SMALLINT NOT NULL,
		receipt     BYTEA NOT NULL,
		opening     BYTEA NOT NULL
	)`,
	`CREATE INDEX matches_player0 ON matches (player0, first_ms)`,
	`CREATE INDEX matches_player1 ON matches (player1, first_ms)`,
	`CREATE INDEX matches_ticket0 ON matches (ticket0)`,
	`CREATE INDEX matches_ticket1 ON matches (ticket1)`,
	`CREATE INDEX matches_due ON matches (state, due_ms)`,
	`CREATE TABLE evidence (
		match       BYTEA NOT NULL,
		hash        BYTEA NOT NULL,
		kind        TEXT NOT NULL,
		body        BYTEA NOT NULL,
		received_ms BIGINT NOT NULL,
		PRIMARY KEY (match, hash)
	)`,
	`CREATE TABLE claims (
		match       BYTEA NOT NULL,
		player      BYTEA NOT NULL,
		entry       BIGINT NOT NULL,
		kind        TEXT NOT NULL,
		received_ms BIGINT NOT NULL,
		log         BYTEA NOT NULL,
		receipt     BYTEA NOT NULL,
		PRIMARY KEY (match, player, entry, kind)
	)`,
	`CREATE TABLE proofs (
		match       BYTEA NOT NULL,
		player      BYTEA NOT NULL,
		received_ms BIGINT NOT NULL,
		body        BYTEA NOT NULL,
		receipt     BYTEA NOT NULL,
		PRIMARY KEY (match, player)
	)`,
	`CREATE TABLE leaves (
		number  BIGINT PRIMARY KEY,
		time_ms BIGINT NOT NULL,
		match   BYTEA NOT NULL,
		body    BYTEA NOT NULL
	)`,
}, runTables}
