// Package rating turns confirmed results into a ladder, in integers, so that
// every machine that folds the same results gets the same numbers.
//
// It reads no clock and keeps nothing on disk. Times are Unix milliseconds
// and come with the results; every value is a Q32.32 fixed-point number
// ([Fixed]); nothing here uses a floating-point number.
//
// # The rating
//
// Glicko-1 (Glickman 1999) without volatility. A new player has rating
// R = 1500 and deviation D = 350; D is never over 350 and a match never
// brings it under 60. Before a match, and at the start of a season, the
// deviation of an idle player grows by c = 35 a week:
//
//	D' = min(350, sqrt(D*D + 1225 * idle / week))
//
// A season is a quarter of a year in UTC. At its start
//
//	R' = 1500 + (R - 1500) * 3/4        D' = max(D, 150)
//
// and this is done once for each season start that lies between a player's
// last counted match and the present one, in order, each after the growth up
// to it.
//
// A match is a rating period of its own. With x = D ln(10) / 400 for either
// player, s = 1, 1/2 or 0, and w the match's weight:
//
//	g(x) = 1 / sqrt(1 + 3 x^2 / pi^2)            of the opponent's x
//	E    = 1 / (1 + 10^(g (R_opponent - R) / 400))
//	v    = w x^2 g^2 E (1 - E)
//	R'   = R + D x w g (s - E) / (1 + v)
//	D'   = max(60, D / sqrt(1 + v))
//
// which is Glickman's form with 1/RD^2 multiplied out, so that every
// intermediate value is near 1. Both players are computed from the values
// before the match.
//
// # Weights
//
// The n-th rated match of one pair weighs w = 1/n, where n counts the rated
// matches of the pair with a time less than 7 days before this one, and this
// one; from the sixth on it weighs nothing. A win by resignation, forfeit,
// claim or proof of fraud gains k/8 for k whole rounds played: the winner's
// change of R and v are both multiplied by k/8; the loser's are whole.
//
// A player is placed after five matches that weighed something for him. A
// match moves a placed player only if the opponent was placed before it. Who
// is not moved keeps rating, deviation and the time from which idleness
// counts.
//
// # Taking back
//
// A result that turns out void, or reversed by a proof, is taken back by
// subtracting the very changes of rating that it made (multiplied by 3/4 for
// each season start since); deviations stay, and it stays among the n of its
// pair. A reversal then enters the corrected result at the weight that the
// first one had, with the time of the reversal. See [Ladder.TakeBack].
//
// # Listing
//
// A placed player stands in a season's table when in that season he met at
// least 8 placed opponents of whom no 3 carry half the weight, and is left
// out while at least 5 placed opponents each saw more than 5 % of his
// decisions come later than the limit and 3 s within the last 30 days. While
// fewer than 16 placed players have played in a season the first rule is
// relaxed ([RulesFor]), and whoever shows the table says so.
//
// # Arithmetic
//
// A product or quotient is computed exactly in 128 bits and then cut off
// towards zero. A square root is the floor. 10^y is 2^(y * 14267572527 /
// 2^32); the exponent z is held within -30 and 30; 2^z for z = k + f is the
// product, floored in Q1.63 after every factor, of the table entries
// 2^(2^-i) whose bit i of f is set, and a shift by k that drops what falls
// off. Constants are rounded to the nearest:
//
//	ln 10 = 9889527671    log2 10 = 14267572527    3/pi^2 = 1305513510   (all / 2^32)
//
// # Leaves
//
// The public log's leaves are fixed-size ([Leaf], 195 bytes, integers
// big-endian) and say all that the fold reads:
//
//	0    1   version, 1
//	1    1   kind: result 1, claim 2, answer 3, void 4, reversal 5, run 6,
//	         withdrawal 7
//	2    8   time, Unix milliseconds; it never decreases
//	10   32  match id
//	42   64  the players' keys, by seat
//	106  1   winner: 0, 1, or 255 for nobody
//	107  1   end: played 1, forfeited 2, resigned 3, no result 4, forged 5,
//	         claimed 6; 0 when the match is not over
//	108  1   whole rounds played
//	109  8   scores by seat, signed
//	117  4   decisions by seat
//	121  4   late decisions by seat
//	125  2   the number of the reason, 0 for none
//	127  4   of a claim or answer: the index of the entry it is about; of a
//	         withdrawal: the last one whose claims do not stand any more
//	131  32  the player who claimed, answered or withdrew, else zeros
//	163  32  SHA-256 of the evidence: log, claim or proof; zeros of a withdrawal
//
// A result enters a match; a void takes its result back if it has one; a
// reversal takes it back, if it has one, and enters the corrected result. A run
// moves nobody: its match is the run's id, its first score the run's, its index
// the attempt, its player who played, its winner nobody, and its evidence the hash
// of its file, whose moves are published later.
//
// testdata/matches.json holds vectors: single matches and a whole fold.
package rating
