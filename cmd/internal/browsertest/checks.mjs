// The checks of the game in a browser, one a run: node checks.mjs NAME.
// browser_test.go starts the server and says where it is; what each check is
// for stands above it.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, browse, check, confirming, figure, kept, named, open, picture, play, practise, press, ready, state, stored, tap, until } from "./lib.mjs";

const checks = {};

// A whole practice match by roles and names alone, and no serious fault on the
// way that axe-core knows.
checks.practice = () => browse({}, async (context) => {
	const page = await open(context);
	figure("open to first input", await page.evaluate(() => Math.round(performance.getEntriesByName("cleave-ready")[0].startTime)) + " ms");
	await axe(page, "welcome");
	await press(page, "welcome.skip");
	await until(page, "title");
	await picture(page, "title");
	await axe(page, "title");
	await practise(page);
	await axe(page, "match");
	const seen = new Set();
	await play(page, async (step) => {
		if (!seen.has(step)) await picture(page, "match-" + step);
		seen.add(step);
	});
	check(seen.size === 3, "not every kind of decision was asked for: " + [...seen]);
	await until(page, "result");
	await axe(page, "result");
	await picture(page, "result");
});

// A whole practice match by touch alone, on a phone's screen; a name is written
// in the real text field before.
checks.touch = () => browse({ context: { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true } }, async (context) => {
	const page = await open(context);
	await picture(page, "phone-welcome");
	const field = page.locator("#fields input");
	await field.tap();
	await page.keyboard.type("Zoë");
	await picture(page, "phone-typing");
	await page.keyboard.press("Enter");
	await until(page, "title");
	await picture(page, "phone-title");
	const offered = async (id) => (await page.evaluate(() => [...document.querySelectorAll("#mirror-parts button:not([disabled])")].map((b) => b.textContent))).includes(named(id));
	// A tap is seen only while a frame is drawn, and may miss.
	for (let n = 0; !(await offered("practice.play")); n++) {
		check(n < 60, "a tap on Practise does nothing");
		if (await offered("title.practice")) await tap(page, "title.practice");
		await page.waitForTimeout(500);
	}
	await picture(page, "phone-practice");
	for (let n = 0; (await state(page)) !== "match"; n++) {
		check(n < 60, "a tap on Play does nothing");
		if (await offered("practice.play")) await tap(page, "practice.play");
		await page.waitForTimeout(500);
	}
	const seen = new Set();
	let misses = 0;
	for (let n = 0; (await state(page)) === "match"; n++) {
		check(n < 500, "the match does not end");
		const before = await page.locator("#mirror").textContent();
		const names = await page.evaluate(() => [...document.querySelectorAll("#mirror-parts button:not([disabled])")].map((b) => b.textContent));
		const there = (id) => names.some((b) => b.startsWith(named(id)));
		const done = confirming.find((id) => names.includes(named(id)));
		if (done) {
			if (!seen.has(done)) await picture(page, "phone-" + done);
			seen.add(done);
			await tap(page, done);
		} else if (there("mirror.smaller")) {
			await tap(page, "mirror.smaller");
		} else if (there("mirror.somewhere")) {
			// Anywhere on the board, which the part covers; now and then turned.
			if (++misses % 5 === 0) await tap(page, "match.turn");
			else await tap(page, "mirror.somewhere", Math.random(), Math.random());
		} else if (there("match.other_split")) {
			await tap(page, "match.other_split");
		}
		// Until something came of it; a tap may also miss.
		await page.waitForFunction((before) => document.querySelector("#mirror").textContent !== before, before, { timeout: 800, polling: 50 }).catch(() => {});
	}
	check(seen.size === 3, "not every kind of decision was asked for: " + [...seen]);
	await until(page, "result");
	await page.waitForTimeout(500);
	await picture(page, "phone-result");
});

// A friend's link leads straight to the room, and the match counts; the page is
// loaded again twice in the middle of it. The log goes to standard output.
checks.rated = () => browse({}, async (context) => {
	const page = await context.newPage();
	await visit(page);
	await playSome(page, 4);
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
	await finish(page);
});

// The same, but the tab is killed in the middle of the match, and later the
// power fails so that what is kept is some entries old. The match goes on, and
// nothing is signed twice: the logs would differ, or the other side see fraud.
checks.crash = () => browse({}, async (context) => {
	let page = await context.newPage();
	await visit(page);
	await playSome(page, 3);
	await page.goto("chrome://crash").catch(() => {});
	await page.close();
	page = await context.newPage();
	await page.goto(process.env.CLEAVE_URL);
	await until(page, "match");
	await playSome(page, 1);
	const [old] = await stored(page, "match-");
	await playSome(page, 1);
	const [fresh] = await stored(page, "match-");
	check(fresh.hex.startsWith(old.hex) && fresh.hex.length > old.hex.length, "the journal does not grow");
	await page.goto(process.env.CLEAVE_URL + "/manifest.webmanifest"); // the same database, and no game
	await page.evaluate(({ name, hex }) => new Promise((done, no) => {
		const request = indexedDB.open("cleave-default");
		request.onsuccess = () => {
			const t = request.result.transaction("blobs", "readwrite");
			t.objectStore("blobs").put(Uint8Array.from(hex.match(/../g), (h) => parseInt(h, 16)), name);
			t.oncomplete = () => { request.result.close(); done(); };
			t.onabort = () => no(t.error);
		};
	}), old);
	await page.goto(process.env.CLEAVE_URL);
	await until(page, "match");
	await finish(page);
});

// taken is how many logs the server has taken, by its own figures: of what a
// closed page sends nothing is told here.
async function taken() {
	// A connection that was kept may be closed by the server just as it is used.
	const figures = await (await fetch(process.env.CLEAVE_URL + "/metrics", { headers: { connection: "close" } })).text();
	return Number(figures.match(/cleave_requests_total{path="POST \/v1\/logs",reason="0"} (\d+)/)?.[1] || 0);
}

// visit follows the friend's link until the match begins.
async function visit(page) {
	const began = Date.now();
	await page.goto(process.env.CLEAVE_LINK);
	await ready(page);
	await press(page, "welcome.skip");
	await page.getByRole("button", { name: named("waiting.ready"), exact: true }).waitFor({ state: "attached" });
	figure("page open to the friend's room", Date.now() - began + " ms");
	await picture(page, "room");
	await page.getByText(named("waiting.counts")).first().waitFor({ state: "attached" });
	await press(page, "waiting.ready");
	await until(page, "match");
	check(!page.url().includes("#"), "the code stays in the address: " + page.url());
}

// playSome makes so many decisions.
const playSome = (page, n) => play(page, async (step, at) => at + 1 >= n);

// finish plays to the end, waits until the server has said what it is worth,
// and tells the log.
async function finish(page) {
	await play(page);
	await until(page, "result");
	await picture(page, "rated-result");
	await kept(page, "receipt-");
	const logs = await stored(page, "log-");
	check(logs.length === 1, logs.length + " logs are kept");
	console.log("LOG", logs[0].hex);
}

// Two browsers play a whole match that counts, the one at the other's code.
// While the one whose turn it is looks elsewhere, the other is told.
checks.friends = () => browse({}, async (context) => {
	const host = await open(context);
	await press(host, "welcome.skip");
	await until(host, "title");
	await kept(host, "tickets");
	await press(host, "title.internet");
	await press(host, "lobby.server.host");
	await press(host, "create.open");
	const code = await host.getByText(/^\d+-[a-z]+-[a-z]+$/).first().textContent();
	await picture(host, "invite");
	const other = await context.browser().newContext({ viewport: { width: 360, height: 640 } });
	other.setDefaultTimeout(180000);
	const began = Date.now();
	const guest = await open(other, `${process.env.CLEAVE_URL}/#${code}`);
	await press(guest, "welcome.skip");
	await press(guest, "waiting.ready");
	figure("page open to ready in the friend's room", Date.now() - began + " ms");
	await press(host, "waiting.ready");
	await press(host, "waiting.start");
	await until(host, "match");
	await until(guest, "match");

	const choices = ["mirror.smaller", "mirror.somewhere", "match.other_split"].map(named);
	const asked = (page) => page.evaluate((choices) => choices.some((c) => [...document.querySelectorAll("#mirror-parts button:not([disabled])")].some((b) => b.textContent.startsWith(c))), choices);
	let [here, there] = [host, guest];
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

	// The guest's own way to hand the result in is shut, and its page closed:
	// the browser sends it then.
	await guest.evaluate(() => {
		const { fetch } = window;
		window.fetch = (to, ...more) => String(to).includes("/v1/logs") ? Promise.reject(new TypeError("shut")) : fetch(to, ...more);
	});
	await Promise.all([play(host), play(guest)]);
	await until(host, "result");
	await until(guest, "result");
	await kept(host, "receipt-");
	await kept(guest, "outbox-", "-log");
	const [a] = await stored(host, "log-"), [b] = await stored(guest, "log-");
	check(a && b && a.hex === b.hex, "the logs differ");
	const had = await taken();
	await guest.goto("about:blank");
	for (let n = 0; await taken() === had; n++) {
		check(n < 100, "the closing page sends nothing that the server takes");
		await new Promise((done) => setTimeout(done, 300));
	}
});

// Where something is missing, words say so.
checks.words = async () => {
	const missing = async (name, script, says, plays) => browse({}, async (context) => {
		await context.addInitScript(script);
		const page = await open(context);
		await picture(page, "without-" + name);
		const text = await page.locator(plays ? "#notice" : "#start").innerText();
		check(says.test(text), `without ${name} it says: ${text}`);
		if (!plays) return;
		await page.getByRole("button", { name: "Close" }).click();
		await press(page, "welcome.skip");
		await practise(page);
	});
	await missing("webgl", () => { HTMLCanvasElement.prototype.getContext = () => null; }, /no graphics \(WebGL 2\)/, false);
	await missing("wasm", () => { WebAssembly.Module = function () { throw new Error("blocked"); }; }, /does not run WebAssembly/, false);
	await missing("storage", () => {
		IDBFactory.prototype.open = () => { throw new DOMException("refused", "SecurityError"); };
		delete window.AudioContext; // and no sound
		delete window.webkitAudioContext;
	}, /keeps no data for this page/, true);
};

// Over plain http, as a phone at the table opens it.
checks.plain = () => browse({}, async (context) => {
	const page = await open(context, process.env.CLEAVE_PLAIN);
	check(!(await page.evaluate(() => isSecureContext)), "this is no plain http");
	check(/came without https/.test(await page.locator("#notice").innerText()), "nothing is said");
	await picture(page, "plain");
	await page.getByRole("button", { name: "Close" }).click();
	await press(page, "welcome.skip");
	await practise(page);
});

// A second tab says where the first is, and takes over when that is gone.
checks.tabs = () => browse({}, async (context) => {
	const first = await open(context);
	await press(first, "welcome.skip");
	await until(first, "title");
	const second = await open(context);
	await second.getByText("The first one was opened at").waitFor();
	await picture(second, "second-tab");
	await first.close();
	await until(second, "title");
});

// Nothing runs in the page but its own files, whatever is put into it. Once
// seen, it opens without a connection, and keeps what it knew. The back button
// asks in a match.
checks.page = () => browse({ expected: [/Content Security Policy/, /violates/, /ERR_INTERNET_DISCONNECTED/, /ERR_FAILED/] }, async (context) => {
	const page = await open(context);
	await press(page, "welcome.skip");
	await until(page, "title");
	const ran = await page.evaluate(async () => {
		const inline = document.createElement("script");
		inline.textContent = "window.ranInline = true";
		document.body.append(inline);
		const button = document.createElement("button");
		button.setAttribute("onclick", "window.ranHandler = true");
		document.body.append(button);
		button.click();
		// At once it would be let through, since the check itself is.
		setTimeout("window.ranText = true");
		await new Promise((done) => setTimeout(done, 200));
		let reached = false;
		try { await fetch("https://example.org/"); reached = true; } catch { /* as it should be */ }
		return [window.ranInline, window.ranHandler, window.ranText, reached].filter(Boolean).length;
	});
	check(ran === 0, ran + " of four things were let through");

	await page.evaluate(() => navigator.serviceWorker.ready);
	await context.setOffline(true);
	await page.reload();
	await ready(page);
	await until(page, "title"); // and not the question for a name

	await practise(page);
	await page.goBack();
	await page.getByText(named("match.leave_question")).first().waitFor({ state: "attached" });
	await picture(page, "back");
	await press(page, "match.stay");
	await page.waitForFunction((asked) => !document.querySelector("#mirror-heading").textContent.includes(asked), named("match.leave_question"));
	check((await state(page)) === "match", "the match is gone");
});

// axe fails where axe-core finds a serious fault.
async function axe(page, where) {
	const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
	await page.evaluate(source); // past the page's policy, which lets no script in
	const result = await page.evaluate(() => window.axe.run({ resultTypes: ["violations"] }));
	const bad = result.violations.filter((v) => v.impact === "serious" || v.impact === "critical");
	check(!bad.length, `${where}: ` + bad.map((v) => `${v.id} (${v.help}): ${v.nodes.map((n) => n.html).join(" ")}`).join("; "));
}

const name = process.argv[2];
if (!checks[name]) throw new Error(`there is no check ${name}; there are ${Object.keys(checks).join(", ")}`);
await checks[name]();
console.log("PASSED", name);
