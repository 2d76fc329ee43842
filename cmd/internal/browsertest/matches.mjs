// Matches that count, against programs, windows and other browsers. Each check
// tells the log of its match on standard output, and the journals that it has
// seen, which are looked through for anything signed twice.
import { readFileSync } from "node:fs";
import { after, browse, check, figure, kept, named, open, picture, play, press, ready, stored, until } from "./lib.mjs";

export const checks = {};

// A friend's link leads straight to the room, and the match counts. In the
// middle of it the page is loaded again twice, then the tab is killed, and later
// the power fails so that what is kept is some entries old. The match goes on,
// and nothing is signed twice.
checks.rated = () => browse({}, async (context) => {
	let page = await context.newPage();
	await visit(page);
	await until(page, "match");
	check(!page.url().includes("#"), "the code stays in the address: " + page.url());
	await playSome(page, 2);
	await page.reload({ waitUntil: "commit" });
	for (let tries = 0; ; tries++) { // the page may just be going away
		try {
			await page.reload();
			break;
		} catch (error) {
			if (tries === 5) throw error;
			await page.waitForTimeout(300);
		}
	}
	await ready(page);
	await until(page, "match");
	await playSome(page, 2);
	await page.goto("chrome://crash").catch(() => {});
	await page.close();
	page = await context.newPage();
	await page.goto(process.env.CLEAVE_URL);
	await until(page, "match");
	await playSome(page, 1);
	const [old] = await stored(page, "match-");
	check(old, "no journal is kept");
	let fresh = old;
	for (let n = 0; fresh.hex.length <= old.hex.length; n++) {
		check(n < 20, "the journal does not grow");
		await playSome(page, 1);
		[fresh] = await stored(page, "match-");
		check(fresh, "the match is over already");
	}
	check(fresh.hex.startsWith(old.hex), "the journal does not keep what was in it");
	await page.goto(process.env.CLEAVE_URL + "/manifest.webmanifest"); // the same database, and no game
	[fresh] = await stored(page, "match-");
	console.log("JOURNAL", fresh.hex);
	await page.evaluate(({ name, hex }) => new Promise((done, no) => {
		const request = indexedDB.open("cleave-default");
		request.onsuccess = () => {
			const t = request.result.transaction("blobs", "readwrite");
			t.objectStore("blobs").put(Uint8Array.from(hex.match(/../g), (h) => parseInt(h, 16)), name);
			t.oncomplete = () => { request.result.close(); done(); };
			t.onabort = () => no(t.error);
		};
	}), old);
	figure("entries lost by the power cut", `${fresh.hex.length / 2 - old.hex.length / 2} bytes of journal`);
	await page.goto(process.env.CLEAVE_URL);
	await until(page, "match");
	await finish(page);
});

// links are where the friend's program waits: the test writes each code that it
// gives to a file, and another one after a visit that came to nothing.
export const links = () => readFileSync(process.env.CLEAVE_LINKS, "utf8").trim().split("\n").pop();

// visit follows the newest of the friend's links until the room is there where
// the match counts.
export async function visit(page, latest = links) {
	const began = Date.now();
	for (let link, tries = 0; ; ) {
		if (link !== await latest()) {
			check(tries++ < 5, "no visit leads to the room");
			link = await latest();
			await page.goto("about:blank"); // else nothing but the code changes
			await page.goto(link);
			await ready(page);
			if (tries === 1) await press(page, "welcome.skip");
		}
		const there = await page.evaluate((name) => [...document.querySelectorAll("#mirror-parts button")].some((b) => b.textContent === name), named("waiting.ready"));
		if (there) break;
		check(Date.now() - began < 400000, "the room does not come");
		await page.waitForTimeout(200);
	}
	figure("page open to the friend's room", Date.now() - began + " ms");
	await picture(page, "room");
	await page.waitForFunction((text) => document.querySelector("#mirror").textContent.includes(text), named("waiting.counts"));
	await press(page, "waiting.ready");
}

// playSome makes so many decisions.
const playSome = (page, n) => play(page, async (step, at) => at + 1 >= n);

// finish plays to the end, waits until the server has said what it is worth,
// and tells the log.
export async function finish(page) {
	await play(page);
	await until(page, "result");
	await picture(page, "rated-result");
	await kept(page, "receipt-");
	await tell(page);
}

// tell tells the log and the journal.
async function tell(page) {
	const logs = await stored(page, "log-");
	check(logs.length === 1, logs.length + " logs are kept");
	console.log("LOG", logs[0].hex);
	for (const { hex } of [...await stored(page, "match-"), ...await stored(page, "past-")]) console.log("JOURNAL", hex);
	return logs[0].name.slice("log-".length);
}

// host opens a room and returns its code.
async function host(page) {
	await press(page, "welcome.skip");
	await until(page, "title");
	await kept(page, "tickets");
	await press(page, "title.internet");
	await press(page, "lobby.server.host");
	await press(page, "create.open");
	return codeOf(page);
}

// codeOf waits for the invite code that a room shows, and is the last one when
// somebody has come.
let shown = "";
async function codeOf(page) {
	for (let n = 0; ; n++) {
		shown = await page.evaluate(() => [...document.querySelectorAll("#mirror *")].map((e) => e.textContent).find((t) => /^\d+-[a-z]+-[a-z]+$/.test(t))) || shown;
		if (shown) return shown;
		check(n < 600, "no code is shown");
		await page.waitForTimeout(200);
	}
}

// relayed waits until the room says that the server stands between.
const relayed = (page) => page.getByText(named("waiting.path_relay")).first().waitFor({ state: "attached" });

// confirmed waits until the server says that a match counts and both players
// are on the ladder.
async function confirmed(id) {
	for (let n = 0; ; n++) {
		const match = await (await fetch(`${process.env.CLEAVE_URL}/v1/matches/${id}`)).json();
		const { total } = await (await fetch(`${process.env.CLEAVE_URL}/v1/ladder`)).json();
		if (match.state === "confirmed" && total >= 2) return;
		check(n < 300, `the server says ${JSON.stringify(match)}, and lists ${total} players`);
		await new Promise((done) => setTimeout(done, 300));
	}
}

// Two browsers on two machines, between which there is nothing but the server,
// play a whole match that counts, the one at the other's code. While the one
// whose turn it is looks elsewhere, the other is told. Neither can hand the
// result in until the one closes its page: the browser sends it then, and it
// counts.
checks.friends = () => browse({}, (one) => browse({ binary: process.env.CLEAVE_ELSEWHERE, context: { viewport: { width: 360, height: 640 } } }, async (other) => {
	const a = await open(one);
	await host(a);
	await picture(a, "invite");
	const b = await other.newPage();
	await visit(b, async () => `${process.env.CLEAVE_URL}/#${await codeOf(a)}`);
	await Promise.all([relayed(a), relayed(b)]);
	await press(a, "waiting.ready");
	await press(a, "waiting.start");
	await Promise.all([until(a, "match"), until(b, "match")]);

	const choices = ["mirror.smaller", "mirror.somewhere", "match.other_split"].map(named);
	const asked = (page) => page.evaluate((choices) => choices.some((c) => [...document.querySelectorAll("#mirror-parts button:not([disabled])")].some((b) => b.textContent.startsWith(c))), choices);
	let [here, there] = [a, b];
	while (!(await asked(here))) [here, there] = [there, here];
	const look = (hidden) => here.evaluate((hidden) => {
		Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
		document.dispatchEvent(new Event("visibilitychange"));
	}, hidden);
	const told = (is) => there.waitForFunction(([text, is]) => document.querySelector("#mirror-said").textContent.includes(text) === is, [after("match.elsewhere"), is]);
	await look(true);
	await told(true);
	await here.waitForFunction((text) => document.title.includes(text), named("mirror.yours"));
	await picture(there, "elsewhere");
	await look(false);
	await told(false);

	for (const page of [a, b]) await page.evaluate(() => {
		const { fetch } = window;
		window.fetch = (to, ...more) => String(to.url || to).includes("/v1/logs") ? Promise.reject(new TypeError("shut")) : fetch(to, ...more);
	});
	await Promise.all([play(a), play(b)]);
	await Promise.all([until(a, "result"), until(b, "result")]);
	await kept(a, "outbox-", "-log");
	await kept(b, "outbox-", "-log");
	const [mine] = await stored(a, "log-");
	const id = await tell(b);
	for (const { hex } of [...await stored(a, "match-"), ...await stored(a, "past-")]) console.log("JOURNAL", hex);
	check(mine.name === "log-" + id, "the matches differ");
	console.log("LOG", mine.hex);
	const before = await (await fetch(`${process.env.CLEAVE_URL}/v1/matches/${id}`)).json();
	check(before.state !== "confirmed", "the result was handed in although nobody could: " + JSON.stringify(before));
	await b.goto(process.env.CLEAVE_URL + "/manifest.webmanifest");
	await confirmed(id);
}));

// The browser hosts; who comes by its code, and from where, is the test's
// business.
checks.hosting = () => browse({}, async (context) => {
	const page = await open(context);
	console.log("CODE", await host(page));
	await relayed(page);
	await page.getByText(named("waiting.counts")).first().waitFor({ state: "attached" });
	await press(page, "waiting.ready");
	await press(page, "waiting.start");
	await until(page, "match");
	await finish(page);
	const [log] = await stored(page, "log-");
	await confirmed(log.name.slice("log-".length));
});

// Figures of no check: frames a second in a match, and how long it takes from
// the code that was entered until the channel is open.
checks.figures = () => browse({ lively: true }, (one) => browse({ lively: true, binary: process.env.CLEAVE_ELSEWHERE }, async (other) => {
	const a = await open(one);
	await host(a);
	const b = await open(other);
	await press(b, "welcome.skip");
	await until(b, "title");
	await kept(b, "tickets");
	await press(b, "title.internet");
	const field = b.locator("#fields input[name='lobby.server.field']");
	await field.waitFor({ state: "attached" });
	await field.evaluate((f, code) => { f.focus(); f.value = code; f.dispatchEvent(new Event("input")); }, await codeOf(a));
	await b.waitForTimeout(1000);
	const [path, ms] = await field.evaluate(async (f, paths) => {
		const began = performance.now();
		f.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
		for (;;) {
			const said = document.querySelector("#mirror").textContent;
			const path = paths.find((p) => said.includes(p));
			if (path) return [path, performance.now() - began];
			await new Promise((done) => setTimeout(done, 10));
		}
	}, ["waiting.path_direct", "waiting.path_relay"].map(named));
	figure("code entered to channel open, two browsers", `${Math.round(ms)} ms (${path})`);
	await a.close();
	await b.close();
	for (const viewport of [{ width: 360, height: 640 }, { width: 1280, height: 800 }]) {
		const c = await one.newPage();
		await c.setViewportSize(viewport);
		await c.bringToFront(); // others draw once a second
		await c.goto(process.env.CLEAVE_URL);
		await ready(c);
		await until(c, "title");
		await press(c, "title.practice");
		await press(c, "practice.play");
		await until(c, "match");
		const counting = c.evaluate(() => new Promise((done) => {
			const began = performance.now();
			let frames = 0;
			const frame = (now) => {
				frames++;
				if (now - began > 15000) done(frames / (now - began) * 1000);
				else requestAnimationFrame(frame);
			};
			requestAnimationFrame(frame);
		}));
		await play(c, async (step, n) => n > 6);
		figure(`frames a second in a match at ${viewport.width}x${viewport.height}`, (await counting).toFixed(1));
		await c.close();
	}
}));
