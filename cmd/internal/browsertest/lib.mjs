// What every check in a browser needs: a browser, the page and its mirror.
import { chromium } from "playwright-core";
import { existsSync, readFileSync } from "node:fs";

// The server's address, within the network namespace that browser_test.go made.
export const url = process.env.CLEAVE_URL;
// Where pictures go, if anywhere.
const pictures = process.env.CLEAVE_PICTURES;

const texts = JSON.parse(readFileSync(new URL("../../../assets/texts/en.json", import.meta.url), "utf8"));

// named is the text with an id, as far as nothing is put into it.
export function named(id) {
	if (typeof texts[id] !== "string") throw new Error("there is no text " + id);
	return texts[id].split("{{")[0];
}

// after is what stands behind the first thing that is put into a text.
export const after = (id) => texts[id].split("}}")[1];

export const binary = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync);

// What Chromium wants to draw without a graphics card, and to be quiet. An
// address that is not this machine's is taken for as safe as https, if the test
// says so.
export const flags = ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
	"--disable-sync", "--enable-unsafe-swiftshader", "--use-gl=angle", "--use-angle=swiftshader",
	...(process.env.CLEAVE_SECURE ? ["--unsafely-treat-insecure-origin-as-secure=" + process.env.CLEAVE_SECURE] : [])];

// What the server refuses in the course of things, and the console tells: a
// ticket before some work was done or just after others, a player who has not
// played yet.
const refused = [/(403|429) \(.*\).*\/v1\/tickets/, /404 \(Not Found\).*\/v1\/players\//];

// patience bounds each wait, in ms; most take a hundredth of it.
export const patience = 180000;

// tellShown says what a page shows, for who wonders why its check failed.
export async function tellShown(page) {
	const shown = page.evaluate(() => {
		const text = (id) => document.getElementById(id)?.textContent || "";
		return [location.href, `${window.taken_} touches taken away`, document.documentElement.dataset.state, document.getElementById("start")?.innerText, ...["heading", "said", "lines", "parts"].map((id) => text("mirror-" + id))].join(" | ");
	}).catch((error) => "nothing: " + error.message);
	const late = new Promise((done) => setTimeout(done, 20000, "nothing within 20 s"));
	console.log("SHOWN", String(await Promise.race([shown, late])).replace(/\s+/g, " ").slice(0, 1500));
}

// browse starts Chromium and gives f a context, whose pages are watched: an
// error on one of them, or a request to another host, fails the check.
export async function browse(options, f) {
	const browser = await chromium.launch({
		executablePath: options.binary || binary,
		args: flags,
		timeout: patience,
	});
	let context;
	try {
		context = await browser.newContext({ viewport: { width: 360, height: 480 }, ...options.context });
		context.setDefaultTimeout(patience);
		if (!options.lively) await context.addInitScript(calm);
		const faults = [];
		context.on("page", (page) => watch(page, faults));
		await f(context, faults);
		const bad = faults.filter((t) => ![...refused, ...(options.expected || [])].some((e) => e.test(t)));
		if (bad.length) throw new Error("the page complained:\n" + bad.join("\n"));
	} catch (error) {
		for (const page of context?.pages() || []) await tellShown(page);
		throw error;
	} finally {
		await browser.close();
	}
}

// calm has a page draw a few times a second. To draw without a graphics card
// takes a core for each page, which is not what most checks are about.
export function calm() {
	const next = window.requestAnimationFrame.bind(window);
	window.requestAnimationFrame = (f) => setTimeout(() => next(f), 70);
}

function watch(page, faults) {
	page.on("pageerror", (e) => faults.push("error: " + e.message));
	page.on("console", (m) => {
		if (process.env.CLEAVE_TALK) console.log("console:", m.text());
		if (m.type() === "error") faults.push(`console: ${m.text()} ${m.location().url}`);
	});
	if (process.env.CLEAVE_TALK) page.on("response", (r) => console.log("response:", r.status(), r.url()));
	page.on("request", (r) => {
		if (/^(https?|wss?):/.test(r.url()) && ![url, process.env.CLEAVE_PLAIN, process.env.CLEAVE_NATIVE].some((u) => u && new URL(r.url()).host === new URL(u).host)) faults.push("another host: " + r.url());
	});
}

// open goes to the game and waits until it can be played.
export async function open(context, at = url) {
	const page = await context.newPage();
	await page.goto(at);
	await ready(page);
	return page;
}

export async function ready(page) {
	await page.waitForFunction(() => document.documentElement.dataset.state);
}

export const state = (page) => page.evaluate(() => document.documentElement.dataset.state);

export async function until(page, ...states) {
	await page.waitForFunction((s) => s.includes(document.documentElement.dataset.state), states);
}

// press presses a button of the mirror, by the name that a screen reader says.
export async function press(page, id) {
	if (page.pressNamed) return page.pressNamed(named(id));
	await page.getByRole("button", { name: named(id), exact: true }).first().press("Enter");
}

// practise begins a practice match from the title.
export async function practise(page) {
	await press(page, "title.practice");
	await press(page, "practice.play");
	await until(page, "match");
}

// The buttons that confirm a decision.
export const confirming = ["match.confirm_split", "match.confirm_choice", "match.confirm_place"];

// figure notes a measured number; none decides whether a check passes.
export function figure(what, is) {
	console.log(`FIGURE ${what}: ${is}`);
}

// stored is what the page's own database holds under names that begin so.
export const stored = (page, prefix) => page.evaluate((prefix) => new Promise((done, no) => {
	const request = indexedDB.open("cleave-default");
	request.onerror = () => no(request.error);
	request.onsuccess = () => {
		const store = request.result.transaction("blobs").objectStore("blobs");
		const names = store.getAllKeys(), blobs = store.getAll();
		blobs.onsuccess = () => {
			request.result.close();
			done(names.result.map((name, i) => ({ name, hex: [...blobs.result[i]].map((b) => b.toString(16).padStart(2, "0")).join("") })).filter((b) => b.name.startsWith(prefix)));
		};
	};
}), prefix);

// kept waits until the page's database has something under a name that begins
// and ends so.
export async function kept(page, prefix, suffix = "") {
	for (let n = 0; !(await stored(page, prefix)).some((b) => b.name.endsWith(suffix)); n++) {
		check(n < 400, prefix + " is not kept");
		await page.waitForTimeout(300);
	}
}

export async function picture(page, name) {
	if (pictures && page.screenshot) await page.screenshot({ path: `${pictures}/${name}.png` });
}

export function check(ok, what) {
	if (!ok) throw new Error(what);
}

// play plays a match to its end by the mirror's buttons alone, as somebody
// would who does not see the canvas. Each decision is the first legal one. each
// is told of it, and ends the play by true.
export async function play(page, each = async () => {}) {
	for (let n = 0; ; n++) {
		const step = await page.evaluate(async ([confirm, smaller, place, split]) => {
			const can = (name) => [...document.querySelectorAll("#mirror-parts button:not([disabled])")].find((b) => b.textContent.startsWith(name));
			for (let i = 0; i < 300; i++) {
				if (document.documentElement.dataset.state !== "match") return "over";
				const now = confirm.findIndex((c) => can(c));
				(can(confirm[now]) || can(smaller) || can(place) || can(split))?.click();
				await new Promise((r) => setTimeout(r, 130));
				if (now >= 0) return now;
			}
			return "nothing for a while";
		}, [confirming.map(named), ...["mirror.smaller", "mirror.somewhere", "match.other_split"].map(named)]);
		if (step === "over") return n;
		if (await each(step, n)) return n;
		if (n > 400) throw new Error("the match does not end");
	}
}
