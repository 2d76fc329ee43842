// What one player sees who is alone in the page: practice by touch and by
// words, and what is said where something is missing.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { browse, check, confirming, figure, named, open, picture, play, practise, press, ready, state, until } from "./lib.mjs";
import { Hand, shown, tapPart, tapTo } from "./hand.mjs";

export const checks = {};

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

// A whole practice match by touch alone, on the screen of a phone with a notch;
// a name is written in the real text field before.
checks.touch = () => browse({ context: { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true } }, async (context) => {
	// Sound that comes late has been asked for by several taps.
	await context.addInitScript(() => {
		const resume = AudioContext.prototype.resume;
		AudioContext.prototype.resume = function () { return new Promise((done) => setTimeout(done, 3000)).then(() => resume.call(this)); };
	});
	const page = await context.newPage();
	const notch = { top: 30, left: 6, bottom: 20, right: 0 };
	await (await context.newCDPSession(page)).send("Emulation.setSafeAreaInsetsOverride", { insets: notch });
	await page.goto(process.env.CLEAVE_URL);
	await ready(page);
	const clear = await page.evaluate(() => { const r = document.querySelector("canvas").getBoundingClientRect(); return [r.left, r.top, innerWidth - r.right, innerHeight - r.bottom]; });
	check(String(clear) === String([notch.left, notch.top, notch.right, notch.bottom]), "the canvas keeps clear of the edges by " + clear);
	await picture(page, "phone-welcome");
	const field = page.locator("#fields input");
	await field.tap();
	await page.keyboard.type("Zoë");
	await picture(page, "phone-typing");
	await page.keyboard.press("Enter");
	await until(page, "title");
	await picture(page, "phone-title");
	const hand = await Hand.of(context, page);
	const has = (id) => (s) => s.parts.some((p) => p.id === id && !p.off);
	await tapTo(page, hand, "title.practice", has("practice.play"));
	await picture(page, "phone-practice");
	await tapTo(page, hand, "practice.play", (s) => s.scene === "match");
	const seen = new Set();
	let misses = 0;
	for (let n = 0; ; n++) {
		check(n < 500, "the match does not end");
		const before = await shown(page);
		if (before.scene !== "match") break;
		const there = (id) => before.parts.some((p) => p.id.startsWith(id) && !p.off);
		const done = confirming.find(there);
		if (done) {
			if (!seen.has(done)) await picture(page, "phone-" + done);
			seen.add(done);
			await tapPart(page, hand, done);
		} else if (there("mirror.smaller")) {
			await tapPart(page, hand, "mirror.smaller");
		} else if (there("mirror.somewhere")) {
			// Anywhere on the board, which the part covers; now and then turned.
			if (++misses % 5 === 0) await tapPart(page, hand, "match.turn");
			else await tapPart(page, hand, "mirror.somewhere", Math.random(), Math.random());
		} else if (there("match.other_split")) {
			await tapPart(page, hand, "match.other_split");
		}
		// Until something came of it, which it need not.
		await page.waitForFunction((before) => document.querySelector("#mirror").textContent !== before, before.whole, { timeout: 800, polling: 50 }).catch(() => {});
	}
	check(seen.size === 3, "not every kind of decision was asked for: " + [...seen]);
	await until(page, "result");
	await page.waitForTimeout(500);
	await picture(page, "phone-result");
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
	// The clipboard: the code is to be copied by hand then.
	await browse({}, async (context) => {
		await context.addInitScript(() => {
			if (window.Clipboard) Clipboard.prototype.writeText = () => Promise.reject(new DOMException("refused", "NotAllowedError"));
			Document.prototype.execCommand = () => false;
		});
		const page = await open(context);
		await press(page, "welcome.skip");
		await press(page, "title.internet");
		await press(page, "lobby.server.host");
		await press(page, "create.open");
		await press(page, "waiting.copy_code");
		await page.waitForFunction((text) => document.querySelector("#mirror-lines").textContent.includes(text), named("problem.clipboard").slice(1));
		await picture(page, "without-clipboard");
	});
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

// The tests of package rtc, in a browser.
checks.native = () => browse({ expected: [/404 \(Not Found\)/] }, async (context) => {
	const page = await context.newPage();
	page.on("console", (m) => { if (!m.text().startsWith("=== ")) console.log(m.text()); });
	await page.goto(process.env.CLEAVE_NATIVE);
	await page.waitForFunction(() => document.title.startsWith("exit"), undefined, { timeout: 0 });
	check(await page.title() === "exit 0", "the tests fail");
});

// axe fails where axe-core finds a serious fault.
async function axe(page, where) {
	const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
	await page.evaluate(source); // past the page's policy, which lets no script in
	const result = await page.evaluate(() => window.axe.run({ resultTypes: ["violations"] }));
	const bad = result.violations.filter((v) => v.impact === "serious" || v.impact === "critical");
	check(!bad.length, `${where}: ` + bad.map((v) => `${v.id} (${v.help}): ${v.nodes.map((n) => n.html).join(" ")}`).join("; "));
}
