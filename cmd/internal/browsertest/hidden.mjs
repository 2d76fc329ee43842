// A match goes on while its tab is hidden.
import { byHand } from "./cdp.mjs";
import { check, figure, named, play, stored, until } from "./lib.mjs";
import { finish, visit } from "./matches.mjs";

export const checks = {};

// A friend's link, and a tab that is truly hidden, for CLEAVE_HIDE seconds or
// until something was signed: once in its own turn, which runs out meanwhile,
// and once in the other's.
checks.hidden = () => byHand(async (browser) => {
	const page = await browser.tab("about:blank");
	await visit(page);
	await until(page, "match");
	await page.evaluate(() => {
		window.frames_ = window.timers_ = 0;
		const frame = () => { window.frames_++; requestAnimationFrame(frame); };
		frame();
		setInterval(() => window.timers_++, 100);
	});

	const hide = async (what) => {
		const [before] = await stored(page, "match-");
		const cover = await browser.tab("about:blank");
		await page.waitForFunction(() => document.hidden);
		const began = Date.now(), from = await page.evaluate(() => [window.frames_, window.timers_]);
		const long = 1000 * Number(process.env.CLEAVE_HIDE);
		let grown = 0;
		for (let n = 0; Date.now() - began < long || !grown; n++) {
			check(n < 400, what + ": nothing is signed while the tab is hidden");
			await page.waitForTimeout(300);
			const [now] = await stored(page, "match-");
			check(now, what + ": the match ended while the tab was hidden");
			grown = (now.hex.length - before.hex.length) / 2;
		}
		const seconds = (Date.now() - began) / 1000, to = await page.evaluate(() => [window.frames_, window.timers_]);
		check(await page.evaluate(() => document.hidden), what + ": the tab is not hidden any more");
		check(to[0] - from[0] <= 2, `${what}: ${to[0] - from[0]} frames were drawn: the tab was not hidden`);
		check(to[1] - from[1] < 5 * seconds, `${what}: timers ran ${to[1] - from[1]} times in ${seconds} s: nothing slows this tab down`);
		figure(what, `hidden for ${seconds.toFixed(1)} s, timers of 100 ms ran ${((to[1] - from[1]) / seconds).toFixed(1)} times a second, the journal grew by ${grown} bytes`);
		await cover.close();
		await page.front();
		await page.waitForFunction(() => !document.hidden);
	};
	const asked = (is) => page.waitForFunction(([choices, is]) => document.documentElement.dataset.state !== "match" ||
		choices.some((c) => [...document.querySelectorAll("#mirror-parts button:not([disabled])")].some((b) => b.textContent.startsWith(c))) === is,
	[["mirror.smaller", "mirror.somewhere", "match.other_split"].map(named), is]);
	await asked(true);
	await hide("in its own turn");
	// Who lets two whole rounds run out has lost.
	await play(page, async (step, n) => n === 4);
	await asked(false);
	await hide("in the other's turn");
	await finish(page);
});
