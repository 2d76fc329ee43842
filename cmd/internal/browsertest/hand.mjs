// A hand on the page: a real finger and a real mouse, as the browser has them
// from its devices, and an eye on the mirror.
import { check, patience } from "./lib.mjs";

// frames waits until the game has surely seen what the hand does: it looks once
// in each frame or more often, but not in one that comes right after another.
export const frames = (page) => page.evaluate(() => new Promise((done) => {
	const began = performance.now();
	let n = 0;
	const frame = () => (++n > 1 && performance.now() - began > 50 ? done() : requestAnimationFrame(frame));
	requestAnimationFrame(frame);
}));

// shown is what the mirror tells, and where its parts are on the page.
export const shown = (page) => page.evaluate(() => {
	const corner = document.querySelector("canvas").getBoundingClientRect();
	const said = (id) => document.getElementById(id).textContent;
	return {
		scene: document.documentElement.dataset.state,
		whole: document.querySelector("#mirror").textContent,
		heading: said("mirror-heading"),
		said: said("mirror-said"),
		lines: [...document.querySelectorAll("#mirror-lines li")].map((l) => l.textContent),
		parts: [...document.querySelectorAll("#mirror-parts button")].map((b) => (
			{ id: b.dataset.id, text: b.textContent, off: b.disabled, at: { ...b.rect, x: b.rect.x + corner.left, y: b.rect.y + corner.top } })),
	};
});

// waitFor waits until the mirror tells something, and returns what it tells.
export async function waitFor(page, what, is) {
	for (const began = Date.now(); ; ) {
		const s = await shown(page);
		if (is(s)) return s;
		check(Date.now() - began < patience, `${what}: not within ${patience / 1000} s`);
		await page.waitForTimeout(20);
	}
}

// pressNow presses the first of some parts that is there, if one is.
export const pressNow = (page, ...ids) => page.evaluate((ids) => {
	const parts = [...document.querySelectorAll("#mirror-parts button:not([disabled])")];
	ids.map((id) => parts.find((b) => b.dataset.id === id)).find(Boolean)?.click();
}, ids);

// pressPart presses a part by its id, as a screen reader would.
export async function pressPart(page, id) {
	await waitFor(page, id, (s) => s.parts.some((p) => p.id === id && !p.off));
	await pressNow(page, id);
}

// tapPart touches a part: in its middle, or a share of the way across it. It is
// false where nothing can come of it: the part has gone meanwhile, or has no
// place yet, or the browser took the touch away.
export async function tapPart(page, hand, id, across = 0.5, down = 0.5) {
	const part = (await shown(page)).parts.find((p) => p.id.startsWith(id) && !p.off && p.at.w);
	if (!part) return false;
	const x = part.at.x + part.at.w * (0.02 + 0.96 * across), y = part.at.y + part.at.h * (0.02 + 0.96 * down);
	const { width, height } = page.viewportSize();
	check(x >= 0 && y >= 0 && x < width && y < height, `${id} is not on the screen, but at ${x}, ${y}`);
	return hand.drag(true, [[x, y]]);
}

// tapTo touches a part when it is there, and again until something is so: a
// finger may come while the page is still moving.
export async function tapTo(page, hand, id, is) {
	for (let n = 0; ; n++) {
		const s = await waitFor(page, id, (s) => is(s) || s.parts.some((p) => p.id === id && !p.off));
		if (is(s)) return s;
		check(n < 40, `touching ${id} does nothing`);
		await tapPart(page, hand, id);
		for (let m = 0; m < 20; m++) {
			const now = await shown(page);
			if (is(now)) return now;
			await page.waitForTimeout(100);
		}
	}
}

// A Hand has one finger and one mouse.
export class Hand {
	constructor(page, devices) {
		Object.assign(this, { page, devices });
	}

	static async of(context, page) {
		await page.evaluate(() => {
			window.taken_ = 0;
			addEventListener("touchcancel", () => window.taken_++, true);
		});
		return new Hand(page, await context.newCDPSession(page));
	}

	// taken is how many touches the browser took away: it does so by itself where
	// the page takes long to answer.
	taken() { return this.page.evaluate(() => window.taken_); }

	// drag presses at the first point and lets go at the last one, by way of the
	// others, as slowly as the game draws. It ends so, or by touchCancel as where
	// a call comes in, and is false where the browser took the touch away.
	async drag(touch, points, end = "touchEnd") {
		const [from, ...rest] = points;
		const at = points.at(-1), before = await this.taken();
		if (!touch) await this.mouse("mouseMoved", from, 0);
		if (touch) await this.touch("touchStart", from);
		else await this.mouse("mousePressed", from, 1);
		await frames(this.page);
		let last = from;
		for (const to of rest) {
			const move = (p) => (touch ? this.touch("touchMove", p) : this.mouse("mouseMoved", p, 1));
			await Promise.all([[(last[0] + to[0]) / 2, (last[1] + to[1]) / 2], to].map(move));
			last = to;
		}
		if (rest.length) await frames(this.page);
		if (touch) await this.touch(end);
		else await this.mouse("mouseReleased", at, 0);
		return (await this.taken()) === before;
	}

	touch(type, at) {
		return this.devices.send("Input.dispatchTouchEvent", { type, touchPoints: at ? [{ x: at[0], y: at[1], id: 1 }] : [] });
	}

	mouse(type, at, buttons) {
		return this.devices.send("Input.dispatchMouseEvent", { type, x: at[0], y: at[1], buttons, button: type === "mouseMoved" ? "none" : "left", clickCount: type === "mouseMoved" ? 0 : 1 });
	}
}
