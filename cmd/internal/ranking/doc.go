// Package ranking is the contract between players and the ranking server: the
// HTTP API, the numbered reasons, what is signed and how, and the client.
//
// # Shape
//
// Everything is below /v1 and is JSON (UTF-8, one object), but for logs and
// proofs, which travel as the bytes of package record. In JSON, match ids,
// heads and hashes are lower-case hex, keys and signatures of the API's own
// are base64url without padding, byte strings of package record (terms,
// tickets, logs) are base64 with padding, times are Unix milliseconds ("Ms"),
// or seconds where the name says so. Fields may be added within version 1;
// readers ignore those they do not know.
//
// A request that is refused gets a status of 400 and above and a [Refusal]:
// {"reason": 111, "text": "a ticket was not issued by this server", …}. The
// number is permanent (see [Reason], and testdata/reasons.jsonl for all of
// them); the status only sorts it: 400 for a log or request that is wrong, 401,
// 403, 404, 409, 410, 413, 429 with their usual meaning, 500, 503 and 507 for
// the server's own trouble.
//
// # Requests
//
//	GET  /v1/info               Info
//	POST /v1/tickets            TicketRequest -> TicketAnswer              signed
//	POST /v1/matches            SignedTerms -> a stream of Events          signed
//	POST /v1/logs               bytes of a .cleave file -> UploadAnswer
//	POST /v1/proofs             bytes of a proof of fraud -> UploadAnswer
//	POST /v1/claims             ClaimRequest -> ClaimAnswer                signed
//	POST /v1/withdrawals        WithdrawRequest -> ClaimAnswer             signed
//	GET  /v1/matches/ID         Match
//	GET  /v1/matches/ID/log     bytes of the .cleave file
//	GET  /v1/ladder             Ladder   ?season=2026Q1 &offset=0 &limit=100
//	GET  /v1/players/CODE       Player
//	GET  /v1/daily              Daily    ?day=2026-11-30
//	GET  /v1/daily/anchors      Anchors
//	POST /v1/daily/attempts     AttemptRequest -> AttemptAnswer            signed
//	POST /v1/profile            ProfileRequest -> Profile                  signed
//	POST /v1/runs               bytes of a run's .cleave file -> RunAnswer
//	GET  /v1/runs/ID            Run
//	GET  /v1/runs/ID/log        bytes of the .cleave file, once published
//	GET  /v1/boards/day         Board    ?of=2026-11-30 &country=NP &player=CODE &offset=0 &limit=100
//	GET  /v1/boards/month       Board    ?of=2026-11
//	GET  /v1/boards/all         Board
//	GET  /v1/arenas             Arenas
//	POST /v1/arenas             AttemptRequest -> AttemptAnswer            signed
//	GET  /v1/arenas/ID          Arena
//	GET  /healthz               200 {"ok":true} when it can store, else a Refusal
//	GET  /metrics               Prometheus text, to the machine itself only
//
// A body is at most 256 KiB, that of a run 512 KiB. Logs, runs and proofs need no signature of the request:
// they prove themselves, and anybody may hand one in.
//
// # Signing a request
//
// A signed request carries three headers, each base64url without padding:
// Cleave-Key, the player's key (32 bytes); Cleave-Nonce (16 bytes); and
// Cleave-Signature, the player's Ed25519 signature of
//
//	"cleave/request/1" || server key (32) || len || method || len || path ||
//	SHA-256 of the body (32) || nonce (16)
//
// where len is two bytes, big-endian, and path is the path with its query as
// in the request line. The nonce's first eight bytes are the time in Unix
// milliseconds, big-endian, and the rest is random. The server refuses one
// that is more than five minutes off, that it has seen, or that is older than
// its own start, with reason 402 and its time in nowMs; a client sets its
// clock by that and tries once more.
//
// # Tickets
//
// A ticket is good for one terms, for ever, and runs for 7 days; terms are
// signed under it only while it has a day or more to run, and logs are taken
// until 7 days after it expired. A key may hold 10 that are neither spent nor
// expired, and gets 20 in 24 hours, 5 in its first week. Its first ones cost
// a proof of work (reason 403): a number p below 2^53 such that
//
//	SHA-256("cleave/work/1" || server key || player key || p as 8 bytes)
//
// begins with workBits zero bits (see Info). Terms that ended before the first
// reveal can be handed in with the request; each gives each of its players one
// ticket beyond the day's, as many in 24 hours as the day's, unless a log of
// that match is known here.
//
// # Opening a match
//
// Each player posts the co-signed terms and keeps the connection. The answer
// is a stream of lines (application/x-ndjson), each an [Event]: "waiting"
// until the other is there too, then "opened" with a receipt, then "claimed",
// "withdrawn" and "decided" as they happen, and "ping" every 15 s. A player has one stream
// for a match: a second one ends the first. The server only says that both
// were there at once; the clients make the first reveal wait for it, or go on
// without, in which case the match cannot be claimed. No more are opened for a
// player (418) of whose opened matches three within an hour have no log here:
// they ended before their first reveal.
//
// # Claims
//
// Of an opened match that stands still either player may hand in a claim, with
// the log so far; it is about the entry after that log's last. It gets a
// receipt at once and is kept, but not decided yet. A player signs nothing more
// in the match until what it has claimed is withdrawn; then claims about later
// entries are taken (about that one and those before: 417). Claims and
// withdrawals are leaves of the public log. A match that both have called off is
// handed in as a claim of kind "call-off" with both signatures (408 if they do not
// hold), by either.
//
// # Logs
//
// Uploading is idempotent by match id and final head. The answer says where
// the match stands and has a signed receipt of that. While a match stands where
// it does the receipt is the same, to the byte, for who asks twice, from the
// other side, or after a restart.
//
//   - Sealed, rated: confirmed at once. Why it did not move one of its players
//     (351 to 353) stands with the match, under GET /v1/matches/ID.
//   - Complete but unsealed: pending (306 when opened, for ten minutes; else
//     307, for 7 days from the first upload), then confirmed.
//   - Unfinished (302, or 310 with a claim): unrated, until a longer log comes.
//   - Both players let their time run out (303): unrated, and void once sealed.
//   - Friendly (301): unrated. It is not kept, and its receipt names no time.
//   - Not a log that holds: refused with the reason, 101 to 122; nothing is
//     kept.
//
// Two logs of one match that go apart open a dispute, which the logs decide:
// where one is the beginning of the other the longer one counts; where a
// player resigns at an index at which the other made an entry, the resignation
// stands; where both resign, it is a draw; where one player's entries differ,
// he signed two versions and has lost the match (308), and when both did it is
// void (304). A proof of fraud does the same, until 7 days after confirmation.
// A ticket that turns up in a second terms makes its owner's wins and draws
// under it void (305); losses stand.
//
// # The daily challenge
//
// A day is one of UTC, and the server's clock alone says which it is. Its deal
// is the run of rules streak/1 with params 0 and the day's seed. The seeds of a
// year are the layers of one hash chain of 365 or 366 layers (record.Chance),
// the first of January being layer 1: hashing the seed of day n of the year n
// times (SHA-256("cleave/layer/1" || x)) gives the year's anchor. The anchors
// of this year and the next are public, each with the server's signature of
//
//	"cleave/anchor/1" || server key (32) || year (2) || anchor (32)
//
// and a seed is given out from its day's beginning on. A day takes attempts and
// runs until 14 hours after its end.
//
// An attempt is opened for one run, by its nonce; each key has three a day. It
// is 202 bytes, which stand in the run's terms:
//
//	1   kind: 1 daily, 2 arena
//	16  the day's number since 1970-01-01 in the last four bytes, big-endian, or
//	    the arena's id
//	32  server key
//	32  player key
//	16  nonce of the run
//	32  seed of the deal
//	1   which attempt, 1 to 3; 1 in an arena
//	8   issued, Unix milliseconds
//	64  the server's signature of "cleave/attempt/1" and the bytes before
//
// Asking again with the same nonce gives the same attempt, so that a client
// which was killed goes on where it was. A run that was begun offline, with the
// day's seed, has no attempt in its terms. It takes one of the three chances
// when it is handed in, and the board shows no number for it; unless an attempt
// was opened for its nonce and the answer lost, which is then its own.
//
// # Runs
//
// A run is replayed at once, and again in the night after it came. It is
//
//   - refused, and nothing is kept, when it does not parse, its player has not
//     signed it, or it names a bot or an attempt that are none (106, 131 to
//     138), or when it belongs to nothing that is open here (421, 424);
//   - flagged and kept (201 to 210) when its player signed what does not hold:
//     an illegal move, a claim that the moves do not give, another deal or other
//     rules, a fourth chance, a second run under one attempt;
//   - kept and on no board of people (320) when its terms name a bot, which is
//     had play again and must make the same moves;
//   - counted, otherwise. A run that was left before its end counts as it is.
//
// The first run under an attempt stands; handing it in again gives the same
// receipt. The best run of a day counts, the earlier of two equals. The boards
// of all time and of a month sum the days' best, so they grow by improvements
// only; a day belongs to the month it lies in. Equal scores share a rank, and
// who had it first is listed first. The moves of a run are published when its
// day or arena is closed; until then only the hash of its file, in its receipt and
// in a leaf of the public log.
//
// # Arenas
//
// Who enters when no arena has a seat for him opens one, for 24 hours. All play
// the same deal, once. AI players take free seats, one every 72 minutes, and
// the last ones at the close; nobody can enter then, and no run is taken. Their
// terms name the bot, so anybody can play them again.
//
// # Receipts
//
// A [Receipt] in JSON names its kind, match, head, time, reason, leaf and, for
// claims, proofs and runs, player and index; of a run match is the run's id,
// head the SHA-256 of its file, and index its attempt. signature is the server's
// Ed25519 signature of
//
//	"cleave/receipt/1" || kind (1: opened 1, accepted 2, confirmed 3, unrated 4,
//	claimed 5, proven 6, counted 7, flagged 8, withdrawn 9) || server key (32) ||
//	match id (32) || head (32) || time (8) || reason (2) || leaf + 1 (8) ||
//	player's key or zeros (32) || index (4)
//
// with big-endian integers. testdata/vectors.json has examples of all that is
// signed or hashed here.
package ranking
