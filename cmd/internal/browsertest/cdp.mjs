// Chromium started by hand. playwright-core, as other drivers do, passes flags
// and sets states that keep hidden pages going at full speed; here a hidden tab
// is as slow as a player's.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { binary, calm, flags, patience, tellShown } from "./lib.mjs";

// byHand gives f a browser, and ends it.
export async function byHand(f) {
	const data = mkdtempSync(join(tmpdir(), "cleave-chromium-"));
	const child = spawn(binary, ["--headless", "--remote-debugging-pipe", "--user-data-dir=" + data, "--window-size=360,520", ...flags, "about:blank"],
		{ stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"], detached: true });
	const gone = new Promise((done) => child.on("exit", done));
	const browser = new Browser(child);
	try {
		await f(browser);
	} catch (error) {
		for (const tab of browser.tabs) await tellShown(tab);
		throw error;
	} finally {
		try {
			process.kill(-child.pid, "SIGKILL"); // with all processes of its own, which write in its folder
		} catch { /* it has ended already */ }
		await gone;
		try {
			rmSync(data, { recursive: true, force: true, maxRetries: 8, retryDelay: 200 });
		} catch (error) {
			console.log("left behind:", error.message); // which is no fault of the game's
		}
	}
}

class Browser {
	constructor(child) {
		this.out = child.stdio[3];
		this.waiting = new Map();
		this.last = 0;
		this.tabs = [];
		let rest = "";
		child.stdio[4].setEncoding("utf8").on("data", (text) => {
			const parts = (rest + text).split("\0");
			rest = parts.pop();
			for (const part of parts) {
				const m = JSON.parse(part), w = this.waiting.get(m.id);
				if (!w) continue;
				this.waiting.delete(m.id);
				if (m.error) w.no(new Error(m.error.message));
				else w.done(m.result);
			}
		});
		child.on("exit", () => { for (const w of this.waiting.values()) w.no(new Error("Chromium ended")); });
	}

	send(method, params = {}, sessionId = undefined) {
		const id = ++this.last;
		return new Promise((done, no) => {
			this.waiting.set(id, { done, no });
			this.out.write(JSON.stringify({ id, method, params, sessionId }) + "\0");
		});
	}

	// tab opens a tab in front of all others, which are hidden then.
	async tab(url) {
		const { targetId } = await this.send("Target.createTarget", { url });
		const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
		await this.send("Page.enable", {}, sessionId);
		await this.send("Page.addScriptToEvaluateOnNewDocument", { source: `(${calm})()` }, sessionId);
		const tab = new Tab(this, targetId, sessionId);
		this.tabs.push(tab);
		return tab;
	}
}

// A Tab has what lib.mjs uses of playwright's pages.
class Tab {
	constructor(browser, target, session) {
		Object.assign(this, { browser, target, session });
	}

	// goto returns when the new page is there, and not yet loaded.
	goto(url) { return this.browser.send("Page.navigate", { url }, this.session); }

	async evaluate(f, arg) {
		const expression = `(${f})(${arg === undefined ? "" : JSON.stringify(arg)})`;
		const r = await this.browser.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true }, this.session);
		if (r.exceptionDetails) throw new Error(r.exceptionDetails.exception?.description || r.exceptionDetails.text);
		return r.result.value;
	}

	// waitForFunction asks from outside, since a hidden page's timers sleep.
	async waitForFunction(f, arg) {
		for (const began = Date.now(); ; ) {
			if (await this.evaluate(f, arg).catch(() => false)) return;
			if (Date.now() - began > patience) throw new Error("it does not come to " + f);
			await this.waitForTimeout(150);
		}
	}

	waitForTimeout(ms) { return new Promise((done) => setTimeout(done, ms)); }

	// pressNamed presses a button of the mirror when it is there.
	async pressNamed(name) {
		await this.waitForFunction((name) => {
			const b = [...document.querySelectorAll("#mirror-parts button:not([disabled])")].find((b) => b.textContent === name);
			b?.click();
			return !!b;
		}, name);
	}

	front() { return this.browser.send("Page.bringToFront", {}, this.session); }
	close() { return this.browser.send("Target.closeTarget", { targetId: this.target }); }
}
