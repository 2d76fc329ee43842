// The solo games in the page, by a real pointer: where what is dragged comes to
// lie, and a whole daily challenge.
import { browse, check, figure, named, open, picture, until } from "./lib.mjs";
import { Hand, frames, pressNow, pressPart, shown, tapPart, tapTo, waitFor } from "./hand.mjs";

export const checks = {};

const size = 8;
const soak = process.env.CLEAVE_SOAK === "1";

// cellsOf reads the cells out of a sentence of the mirror's.
function cellsOf(text) {
	const cells = [];
	for (const [, row, columns] of text.matchAll(new RegExp(named("mirror.row") + "(\\d+): ([\\d, ]+)", "g"))) {
		for (const c of columns.split(",")) cells.push([row - 1, c - 1]);
	}
	return cells;
}

// read is the game as the mirror tells it: the board as rows of 0 and 1, the
// pieces, how many were placed.
function read({ scene, lines, parts }) {
	const board = Array.from({ length: size }, () => Array(size).fill(0));
	const said = (id) => lines.find((l) => l.startsWith(named(id)));
	const mine = said("mirror.mine");
	for (const [r, c] of cellsOf(mine || "")) board[r][c] = 1;
	const pieces = parts.filter((p) => p.id.startsWith("mirror.piece/") && p.at.w).map((p) => {
		const cells = cellsOf(p.text);
		return { slot: Number(p.id.at(-1)), at: p.at, cells, h: 1 + Math.max(...cells.map(([r]) => r)), w: 1 + Math.max(...cells.map(([, c]) => c)) };
	});
	const placed = lines.map((l) => scored.exec(l)).find(Boolean);
	return { playing: scene === "solo" && !!mine && pieces.length > 0, board, pieces, placed: placed ? Number(placed[1]) : -1 };
}
const scored = /points, (\d+) pieces placed$/;

// digits is a number as it is written for people.
const digits = (text) => (/^[\d.,\s]+$/.test(text) ? Number(text.replace(/\D/g, "")) : -1);

// spots are the places where a piece fits, as [row, column] of its corner.
function spots(board, piece) {
	const all = [];
	for (let r = 0; r + piece.h <= size; r++) {
		for (let c = 0; c + piece.w <= size; c++) {
			if (piece.cells.every(([y, x]) => !board[r + y][c + x])) all.push([r, c]);
		}
	}
	return all;
}

// placed is the board after a piece was placed there: whole rows and columns are
// cleared together.
function placed(board, piece, [r, c]) {
	const next = board.map((row) => [...row]);
	for (const [y, x] of piece.cells) next[r + y][c + x] = 1;
	const rows = next.map((row) => row.every(Boolean)), columns = next.map((_, x) => next.every((row) => row[x]));
	return next.map((row, y) => row.map((cell, x) => (rows[y] || columns[x] ? 0 : cell)));
}

const drawn = (board) => "\n" + board.map((row) => row.map((cell) => (cell ? "#" : ".")).join("")).join("\n");

// seeded is chance that is the same each time: mulberry32.
function seeded(seed) {
	return () => {
		seed = (seed + 0x6d2b79f5) | 0;
		let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
		t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
		return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
	};
}

// finger is where a finger has to be for the corner of the piece that it carries
// to be at a point: the piece rides two cells above it, and less where the
// screen ends too soon below the board.
function finger(board, high, piece, x, y) {
	const cell = board.w / size, lowest = (high - 6 - board.y) / cell - 0.25, last = size - 0.5;
	const lift = (at) => (lowest >= last + 2 ? 2 : 2 + Math.min(Math.max(((at - board.y) / cell - (lowest - 3)) / 3, 0), 1) * (lowest - last - 2));
	let lo = -high, hi = 2 * high;
	for (let n = 0; n < 60; n++) {
		const at = (lo + hi) / 2;
		if (at - (lift(at) + piece.h - 0.5) * cell < y) lo = at;
		else hi = at;
	}
	return [x + piece.w * cell / 2, lo];
}

// mouse is where a mouse has to be: it has the piece by its middle.
const mouse = (board, piece, x, y) => [x + piece.w * board.w / size / 2, y + piece.h * board.w / size / 2];

const middle = (at) => [at.x + at.w / 2, at.y + at.h / 2];

// putBack waits until a touch that was taken away has come to nothing.
async function putBack(page) {
	for (let n = 0; n < 6; n++) await frames(page); // in which the mirror speaks more than once
	return waitFor(page, "what was taken away to be put back", (s) => s.scene !== "solo" || !picked(s));
}

// untaken does what a hand does until the browser lets it.
async function untaken(page, act) {
	for (let n = 0; !(await act()); n++) {
		check(n < 20, "every touch is taken away");
		await putBack(page);
	}
}

const picked = (s) => s.parts.some((p) => p.id === "mirror.put_back");

// pick takes a piece of the hand by a touch.
async function pick(page, hand, id) {
	await untaken(page, () => tapPart(page, hand, id));
	return waitFor(page, "a picked piece", picked);
}

// boardOf is where the board is: the mirror tells it while a piece is picked.
async function boardOf(page, hand) {
	const piece = (await shown(page)).parts.find((p) => p.id.startsWith("mirror.piece/"));
	const { at } = (await pick(page, hand, piece.id)).parts.find((p) => p.id === "mirror.up");
	await pressPart(page, "mirror.put_back");
	await waitFor(page, "the piece to be put back", (s) => !picked(s));
	return at;
}

// goesOn is whether there is a piece that can be placed; where none can, the end
// or a question comes in a moment.
const goesOn = (game) => game.playing && game.pieces.some((p) => spots(game.board, p).length);

// choose picks a piece and a place for it by chance, so that another piece of
// the hand fits after it, if that can be: the board is told as long as the game
// goes on.
function choose(game, chance) {
	const fit = game.pieces.filter((p) => spots(game.board, p).length);
	let best = null;
	for (let n = 0; n < 12; n++) {
		const piece = fit[Math.floor(chance() * fit.length)], all = spots(game.board, piece);
		const spot = all[Math.floor(chance() * all.length)], next = placed(game.board, piece, spot);
		const room = Math.max(0, ...game.pieces.filter((p) => p !== piece).map((p) => spots(next, p).length));
		if (!best || n < 4 && room > best.room || best.room === 0 && room > 0) best = { piece, spot, next, room };
	}
	return best;
}

// playing waits until there is a board to play on, and goes on where the game
// asks or is over.
async function playing(page) {
	for (let n = 0; ; n++) {
		check(n < 600, "the game does not go on");
		const s = await shown(page), game = read(s);
		if (goesOn(game)) return game;
		await pressNow(page, "solo.take_chance", "solo.again");
		await page.waitForTimeout(200);
	}
}

// placing has a hand do what places a piece, and is the game then; null where it
// is over, or asks. In a frame that takes long, a way is as short as a tap, and
// the piece is only picked: it is put back, and the hand does it again.
async function placing(page, before, what, act) {
	for (let n = 0; n < 20; n++) {
		await untaken(page, act);
		let since = 0; // when the piece was seen to stay picked
		const s = await waitFor(page, what, (s) => {
			if (s.scene !== "solo" || s.parts.some((p) => p.id === "solo.take_chance") || read(s).placed > before.placed) return true;
			since = picked(s) ? since || Date.now() : 0;
			return since && Date.now() - since > 3000;
		});
		if (!picked(s)) {
			const game = read(s);
			return goesOn(game) ? game : null;
		}
		await pressNow(page, "mirror.put_back");
		await waitFor(page, "the piece to be put back", (s) => !picked(s));
	}
	check(false, what + ": it is taken for a tap each time");
}

// Each drag of a piece to a place, that misses it by less than 0.4 cells in each
// direction, lands there: by finger and by mouse, on three screens with one and
// two pixels a point. The last row is reached by a finger that slides, from the
// board or from below it.
checks.drags = async () => {
	const began = Date.now();
	let landed = 0;
	for (const deviceScaleFactor of [1, 2]) await browse({ lively: true, context: { hasTouch: true, deviceScaleFactor } }, async (context) => {
		const page = await open(context);
		const hand = await Hand.of(context, page);
		await pressPart(page, "welcome.skip");
		await until(page, "title");
		for (const [width, height] of [[320, 480], [568, 320], [640, 400]]) {
			const where = `${width}x${height} at ${deviceScaleFactor}`;
			await page.setViewportSize({ width, height });
			await page.waitForFunction((wide) => Math.abs(document.querySelector("canvas").getBoundingClientRect().width - wide) < 1, width);
			await frames(page);
			// Where a frame takes long without a graphics card, they are fewer.
			const many = Math.floor(soak ? 200 : 57 / Math.max(1, width * height * deviceScaleFactor ** 2 / 200000));
			landed += await drags(page, hand, where, height, many, seeded(width * deviceScaleFactor));
			await slides(page, hand, where, height);
		}
	});
	check(landed >= 200, `there were only ${landed} drags`);
	figure("drags that landed where they were meant", `${landed}, ${((Date.now() - began) / landed).toFixed(0)} ms each`);
};

// drags makes so many drags in a Streak, and returns how many landed.
async function drags(page, hand, where, height, many, chance) {
	await begin(page, "title.streak");
	await playing(page);
	const board = await boardOf(page, hand), cell = board.w / size;
	for (let n = 0; n < many; ) {
		const game = await playing(page);
		const to = choose(game, chance), touch = n % 2 === 0, error = [0, 0].map(() => chance() * 0.8 - 0.4);
		const corner = [board.x + (to.spot[1] + error[0]) * cell, board.y + (to.spot[0] + error[1]) * cell];
		let [x, y] = touch ? finger(board, height, to.piece, ...corner) : mouse(board, to.piece, ...corner);
		y = Math.min(y, height - 1); // nobody errs further than the screen goes
		const what = `${where}: drag ${n} by ${touch ? "finger" : "mouse"} to ${[x, y]}, with error ${error}, of piece ${to.piece.slot} to row ${to.spot[0] + 1}, column ${to.spot[1] + 1}`;
		const now = await placing(page, game, what + " comes nowhere on" + drawn(game.board), () => hand.drag(touch, [middle(to.piece.at), [x, y]]));
		if (!now) continue; // the game was over, and tells no board
		check(drawn(now.board) === drawn(to.next), `${what} went elsewhere: from${drawn(game.board)}\nto${drawn(now.board)}`);
		if (n === 6) await picture(page, "solo-" + where.replaceAll(" ", "-"));
		n++;
	}
	await leave(page);
	return many;
}

// slides reaches the last row with a picked piece, once at each side: the finger
// presses the board and slides below it, and where a slot is free below the
// board, presses there.
async function slides(page, hand, where, height) {
	await begin(page, "title.classic");
	if ((await playing(page)).placed > 0) {
		await pressPart(page, "solo.restart");
		await pressPart(page, "solo.start_anew");
		await waitFor(page, "an empty board", (s) => read(s).placed === 0);
	}
	const board = await boardOf(page, hand), cell = board.w / size;
	let free = null;
	for (const right of [false, true]) {
		const game = await playing(page);
		const piece = game.pieces[0];
		const last = spots(game.board, piece).filter(([r]) => r === size - piece.h);
		check(last.length, where + ": no room in the last row");
		const spot = last.at(right ? -1 : 0);
		const [x, y] = finger(board, height, piece, board.x + spot[1] * cell, board.y + spot[0] * cell);
		check(y < height - 2, `${where}: the last row wants a finger at ${y}`);
		// A slot below the board is part of it once it is empty.
		const below = free && free.y < board.y + board.h + 3 * cell && free.y >= board.y + board.h && free.x + free.w / 2 > board.x ? [free.x + free.w / 2, free.y + 4] : null;
		const slide = async () => {
			if (!picked(await shown(page))) await pick(page, hand, "mirror.piece/" + piece.slot);
			return hand.drag(true, [below || middle(board), [x, y - cell], [x, y]]);
		};
		const what = `${where}: a slide from ${below ? "below" : "the middle of"} the board to ${[x, y]}`;
		const now = await placing(page, game, what + " comes nowhere", slide);
		check(drawn(now.board) === drawn(placed(game.board, piece, spot)), `${what} went elsewhere:${drawn(now.board)}`);
		free = piece.at;
		if (!right) await picture(page, "slide-" + where.replaceAll(" ", "-"));
	}
	await leave(page);
}

// begin plays the game of an entry of the title, or goes on with it.
async function begin(page, entry) {
	await pressPart(page, entry);
	const go = ["solo.play", "solo.go_on"], has = (s) => go.find((id) => s.parts.some((p) => p.id === id && !p.off));
	await pressPart(page, has(await waitFor(page, entry, has)));
	await until(page, "solo");
}

// leave goes back to the title.
async function leave(page) {
	for (let n = 0; (await shown(page)).scene !== "title"; n++) {
		check(n < 600, "there is no way back to the title");
		await pressNow(page, "solo.leave", "back");
		await page.waitForTimeout(200);
	}
}

// worst is the piece and the place that leave the least room for what is known
// of the hand: a day that is played badly is over soon.
function worst(game) {
	let all = [];
	for (const piece of game.pieces) {
		for (const spot of spots(game.board, piece)) {
			const next = placed(game.board, piece, spot);
			const room = game.pieces.filter((p) => p !== piece).reduce((sum, p) => sum + spots(next, p).length, 0);
			all.push({ piece, spot, next, room });
		}
	}
	return all.sort((a, b) => a.room - b.room)[0];
}

const asked = async (path) => (await fetch(process.env.CLEAVE_URL + path)).json();

// A whole daily challenge by touch alone, on the screen of a phone: it is handed
// in, and stands on the day's board, here and at the server.
checks.daily = () => browse({ context: { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true } }, async (context) => {
	const page = await open(context);
	const hand = await Hand.of(context, page);
	const has = (id) => (s) => s.parts.some((p) => p.id === id && !p.off);
	await tapTo(page, hand, "welcome.skip", (s) => s.scene === "title");
	await tapTo(page, hand, "title.streak", has("daily.title"));
	await tapTo(page, hand, "daily.title", has("daily.play"));
	await picture(page, "daily-before");
	const { day } = await asked("/v1/daily");
	await tapTo(page, hand, "daily.play", (s) => s.scene === "solo");
	let game = read(await waitFor(page, "the day's board", (s) => read(s).playing));
	const board = await boardOf(page, hand), cell = board.w / size;
	// A finger that the browser takes away places nothing, and the next is felt.
	await hand.drag(true, [middle(game.pieces[0].at), middle(board)], "touchCancel");
	const after = await putBack(page);
	check(read(after).placed === 0, "a drag that was taken away places a piece: " + after.said);
	await boardOf(page, hand);
	for (;;) {
		const to = worst(game);
		const [x, y] = finger(board, 640, to.piece, board.x + to.spot[1] * cell, board.y + to.spot[0] * cell);
		const now = await placing(page, game, `a drag to row ${to.spot[0] + 1}, column ${to.spot[1] + 1} comes nowhere on${drawn(game.board)}`, () => hand.drag(true, [middle(to.piece.at), [x, y]]));
		if (game.placed === 4) await picture(page, "daily-playing");
		if (!now) break;
		check(drawn(now.board) === drawn(to.next), `it went elsewhere: ${drawn(now.board)}`);
		game = now;
	}
	const placements = game.placed + 1;
	const points = (s) => s.lines.find((l) => digits(l) >= 0);
	const score = digits(points(await waitFor(page, "the result", (s) => s.scene === "solo_result" && points(s))));
	await picture(page, "daily-result");
	await tapTo(page, hand, "daily.back", (s) => s.scene === "menu");
	if ((await asked("/v1/daily")).day === day) { // else the screen shows another day
		await waitFor(page, "the day's board on the screen", (s) => s.lines.some((l) => l.includes(named("daily.you")) && digits(l.split(", ").pop()) === score)
			&& s.lines.some((l) => l.includes(named("daily.counts"))));
		await picture(page, "daily-board");
	}
	let line;
	for (let n = 0; !line; n++) {
		check(n < 600, `the run of ${score} points does not come to the server's board of ${day}`);
		line = (await asked("/v1/boards/day?of=" + day)).players.find((l) => l.score === score && l.attempt === 1);
		await page.waitForTimeout(200);
	}
	const run = await asked("/v1/runs/" + line.run);
	check(run.state === "counted" && run.contest === day && run.placements === placements && run.score === score, `the server says ${JSON.stringify(run)} of ${placements} pieces and ${score} points`);
	figure("a daily by touch", `${placements} pieces, ${score} points`);
});
