"use strict";
// What stands around the game in a page: loading it, saying in plain words why
// it cannot run, real text fields over the canvas, the same in words for a
// screen reader, and what only a page can do. The game calls the functions of
// window.cleave, and the page those of window.cleave.game.
(() => {
	const script = document.currentScript.dataset;
	const $ = (id) => document.getElementById(id);
	// What is said while the game is not there. All else it says itself.
	const words = {
		nowasm: "This browser does not run WebAssembly, or it is switched off here, and the game is made of it. A current Firefox, Chrome, Edge or Safari has it.",
		nowebgl: "This browser gives the page no graphics (WebGL 2), and the game draws with them. Switch on hardware acceleration in the browser's settings, or try another browser.",
		nogame: "The game did not arrive. Check the connection, and try again.",
		stopped: "The game has stopped. What was decided so far is kept: load the page again, and a match goes on.",
	};

	// ---- before the game runs

	const say = (title, text, more, again) => {
		$("start").hidden = false;
		$("start-title").textContent = title;
		$("start-text").textContent = text;
		$("start-bar").hidden = true;
		$("start-more").hidden = !more;
		$("start-more").textContent = more || "";
		$("start-again").hidden = !again;
		document.documentElement.dataset.state = "stopped";
	};
	$("start-again").addEventListener("click", () => location.reload());

	const wasmWorks = () => {
		try {
			return new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)) instanceof WebAssembly.Module;
		} catch {
			return false;
		}
	};
	const webglWorks = () => {
		try {
			const gl = document.createElement("canvas").getContext("webgl2");
			gl?.getExtension("WEBGL_lose_context")?.loseContext();
			return !!gl;
		} catch {
			return false;
		}
	};

	// fetched is the game's response, which moves the bar as it arrives. The
	// length on the wire says nothing, since it is compressed: the page knows
	// the true one.
	const fetched = async () => {
		const response = await fetch(script.game);
		if (!response.ok) throw new Error("status " + response.status);
		const from = response.body.getReader();
		let got = 0, shown = -1;
		const counted = new ReadableStream({
			async pull(out) {
				const { done, value } = await from.read();
				if (done) return out.close();
				got += value.byteLength;
				out.enqueue(value);
				const percent = Math.min(100, Math.floor(100 * got / script.size));
				if (percent === shown) return;
				shown = percent;
				$("start-bar").value = percent;
				$("start-text").textContent = percent < 100 ? `Getting the game: ${percent} %` : "Setting up the table…";
			},
			cancel(why) { return from.cancel(why); },
		});
		return new Response(counted, { headers: { "Content-Type": "application/wasm" } });
	};

	const load = async () => {
		if (!wasmWorks()) return say("Cleave cannot run here", words.nowasm);
		if (!webglWorks()) return say("Cleave cannot run here", words.nowebgl);
		if (window.AudioWorklet) {
			const add = AudioWorklet.prototype.addModule;
			AudioWorklet.prototype.addModule = function () { return add.call(this, script.sound); };
		}
		if (window.AudioContext) {
			// The library asks at every gesture until its sound is on, and lets go of
			// what hears the answer at the first: it is not told a second time.
			const resume = AudioContext.prototype.resume;
			let told = false;
			AudioContext.prototype.resume = function () {
				const answer = resume.call(this);
				answer.then = (hear, refused) => Promise.prototype.then.call(answer, (on) => {
					if (told) return;
					told = true;
					hear?.(on);
				}, refused);
				return answer;
			};
		}
		const go = new Go();
		let module;
		try {
			module = await WebAssembly.instantiateStreaming(fetched(), go.importObject);
		} catch (e) {
			return say("Cleave did not load", words.nogame, String(e), true);
		}
		try {
			await go.run(module.instance);
		} catch (e) {
			console.error(e);
		}
		if (!stopped) say("Cleave has stopped", words.stopped, "", true);
	};
	let stopped = false;

	// ---- what the game calls

	const own = window.cleave = { game: {} };
	let scene = "";

	// The words of the player's language for what the page says from then on.
	let told = {};
	own.speak = (all) => {
		told = all;
		$("start-again").textContent = told.again;
		$("notice-close").textContent = told.close;
		$("mirror").setAttribute("aria-label", told.words);
		$("mirror-parts").setAttribute("aria-label", told.parts);
	};

	own.stop = (text) => {
		stopped = true;
		say(told.stopped, text, "", true);
	};

	own.notice = (kind) => {
		$("notice-text").textContent = { nolocks: told.nolocks, nostorage: told.nostorage }[kind];
		$("notice").hidden = false;
	};
	$("notice-close").addEventListener("click", () => { $("notice").hidden = true; });

	// Another tab has the profile. It is asked what it shows, and this one
	// takes over when it is gone.
	const tabs = window.BroadcastChannel ? new BroadcastChannel("cleave") : null;
	const since = new Date();
	own.elsewhere = () => {
		stopped = true;
		say(told.elsewhere, told.elsewhere_first);
		if (tabs) {
			tabs.onmessage = (e) => { if (e.data.here) say(told.elsewhere, told.elsewhere_shows.replace("{since}", () => e.data.since).replace("{here}", () => e.data.here)); };
			tabs.postMessage({ ask: true });
		}
		navigator.locks.request("cleave-default", () => location.reload());
	};

	own.begin = () => {
		const canvas = document.querySelector("canvas");
		canvas.tabIndex = 0;
		canvas.setAttribute("role", "application");
		canvas.setAttribute("aria-label", told.drawn);
		document.querySelector("main").prepend(canvas);
		document.body.style.height = ""; // which would reach under a notch
		corner(canvas);
		lost(canvas);
		const spare = $("tempInput"); // the widgets' own; the fields here serve instead
		if (spare) {
			spare.hidden = true;
			spare.disabled = true;
		}
		document.querySelectorAll("meta[name=viewport]").forEach((m, i) => { if (i) m.remove(); });
		if (tabs) tabs.onmessage = (e) => { if (e.data.ask) tabs.postMessage({ here: $("mirror-heading").textContent || "Cleave", since: since.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" }) }); };
	};

	// The game takes the places of events for those on its canvas, which does not
	// begin in the corner of the screen where a notch is.
	const corner = (canvas) => {
		for (const kind of [window.MouseEvent, window.Touch]) {
			for (const [name, side] of [["clientX", "left"], ["clientY", "top"]]) {
				const plain = kind && Object.getOwnPropertyDescriptor(kind.prototype, name);
				if (plain) Object.defineProperty(kind.prototype, name, { ...plain, get() {
					return plain.get.call(this) - (this.target === canvas ? canvas.getBoundingClientRect()[side] : 0);
				} });
			}
		}
	};

	// A touch that the browser takes away (a call comes in, the finger was on the
	// way to the edge of the screen, the page was busy) has no end that the game
	// would see: to it the finger stays down, and the next one is lost. It is led
	// off the screen, where letting go does nothing, and lifted there.
	const lost = (canvas) => {
		let down = 0; // touches that have begun
		const send = (kind, touches, changed) => canvas.dispatchEvent(new TouchEvent(kind, { touches, targetTouches: touches, changedTouches: changed, cancelable: true }));
		canvas.addEventListener("touchstart", () => { down++; });
		canvas.addEventListener("touchcancel", (e) => {
			const left = [...e.targetTouches], gone = [...e.changedTouches], was = down;
			if (left.length) return send("touchend", left, gone);
			const off = gone.slice(0, 1).map((t) => new Touch({ identifier: t.identifier, target: canvas, clientX: -9999, clientY: -9999 }));
			send("touchmove", off, off);
			let frames = 0;
			const wait = () => {
				if (was !== down) return; // another finger is there
				if (++frames > 2) send("touchend", [], off);
				else requestAnimationFrame(wait);
			};
			requestAnimationFrame(wait);
		});
	};

	// What stands around the canvas has the game's colours.
	own.theme = (ground, surface, ink, edge, accent) => {
		const root = document.documentElement.style;
		for (const [name, value] of Object.entries({ ground, surface, ink, edge, accent })) root.setProperty("--" + name, value);
		document.body.style.backgroundColor = ground;
		document.querySelector("meta[name=theme-color]").content = ground;
	};

	own.copy = async (text) => {
		try {
			await navigator.clipboard.writeText(text);
			return "";
		} catch {
			const t = document.createElement("textarea");
			t.value = text;
			document.body.append(t);
			t.select();
			const done = document.execCommand("copy");
			t.remove();
			document.querySelector("canvas").focus();
			return done ? "" : "copying is refused";
		}
	};

	own.keep = async (name, bytes) => {
		const a = document.createElement("a");
		a.href = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }));
		a.download = name;
		a.click();
		setTimeout(() => URL.revokeObjectURL(a.href), 60000);
		return "";
	};

	own.beacon = (url, bytes) => navigator.sendBeacon(url, new Blob([bytes], { type: "application/octet-stream" }));

	own.attention = (text) => { if (document.hidden) document.title = text ? `● ${text} · Cleave` : "● Cleave"; };

	// ---- the scene, in words and fields

	let shown = { parts: [], lines: [] };
	own.mirror = (json) => {
		const m = JSON.parse(json);
		m.parts ||= [];
		m.lines ||= [];
		if (!$("start").hidden) {
			$("start").hidden = true;
			$("mirror").hidden = false;
			performance.mark("cleave-ready");
			install();
		}
		text($("mirror-heading"), m.heading || "Cleave");
		text($("mirror-said"), m.said);
		if (m.lines.join("\n") !== shown.lines.join("\n")) {
			$("mirror-lines").replaceChildren(...m.lines.map((l) => Object.assign(document.createElement("li"), { textContent: l })));
		}
		buttons(m.parts.filter((p) => !p.field));
		fields(m.parts.filter((p) => p.field));
		shown = m;
		if (m.scene !== scene) enter(m.scene);
		document.documentElement.dataset.state = m.scene;
	};

	const text = (at, t) => { if (at.textContent !== t) at.textContent = t; };

	const buttons = (parts) => {
		const box = $("mirror-parts");
		const had = [...box.children];
		const same = had.length === parts.length && had.every((b, i) => b.dataset.id === parts[i].id);
		const focused = document.activeElement?.closest?.("#mirror-parts button")?.dataset.id;
		const now = same ? had : parts.map((p) => {
			const b = document.createElement("button");
			b.type = "button";
			b.dataset.id = p.id;
			b.addEventListener("click", () => own.game.press(p.id));
			return b;
		});
		parts.forEach((p, i) => {
			text(now[i], p.label);
			const k = 1 / window.devicePixelRatio;
			now[i].rect = { x: p.rect.X * k, y: p.rect.Y * k, w: p.rect.W * k, h: p.rect.H * k };
			if (now[i].disabled !== !!p.disabled) now[i].disabled = !!p.disabled;
			if (p.chosen) now[i].setAttribute("aria-pressed", "true");
			else now[i].removeAttribute("aria-pressed");
		});
		if (same) return;
		box.replaceChildren(...now);
		if (focused) (now.find((b) => b.dataset.id === focused && !b.disabled) || now.find((b) => !b.disabled))?.focus();
	};

	const inputs = new Map();
	const fields = (parts) => {
		for (const [id, f] of inputs) {
			if (parts.some((p) => p.id === id)) continue;
			inputs.delete(id);
			f.remove();
		}
		for (const p of parts) {
			let f = inputs.get(p.id);
			if (!f) {
				f = field(p);
				inputs.set(p.id, f);
				$("fields").append(f);
			}
			const k = 1 / window.devicePixelRatio, r = p.rect;
			Object.assign(f.style, { left: r.X * k + "px", top: r.Y * k + "px", width: r.W * k + "px", height: r.H * k + "px" });
			f.style.visibility = p.shown || document.activeElement === f ? "visible" : "hidden";
			f.disabled = !!p.disabled;
			f.setAttribute("aria-label", p.label);
			if ((p.value || "") !== f.value && document.activeElement !== f) f.value = p.value || "";
			if (p.focused && !f.wasFocused && document.activeElement !== f) f.focus();
			f.wasFocused = !!p.focused;
		}
	};
	const field = (p) => {
		const f = document.createElement("input");
		f.type = /password|phrase/.test(p.id) ? "password" : "text";
		f.name = p.id;
		f.autocomplete = "off";
		f.autocapitalize = "off";
		f.spellcheck = false;
		f.enterKeyHint = "go";
		f.maxLength = 2000;
		f.value = p.value || "";
		f.addEventListener("focus", () => own.game.focus(p.id));
		f.addEventListener("input", () => own.game.write(p.id, f.value, false));
		f.addEventListener("keydown", (e) => {
			if (e.isComposing) return;
			if (e.key === "Enter") {
				own.game.write(p.id, f.value, true);
				f.blur();
				document.querySelector("canvas").focus();
			} else if (e.key === "Escape") {
				f.blur();
				document.querySelector("canvas").focus();
			}
		});
		f.addEventListener("blur", () => own.game.focus(""));
		return f;
	};

	// ---- the page itself

	// enter follows the game from scene to scene.
	const enter = (to) => {
		scene = to;
		if (scene === "match" && location.hash) history.replaceState(history.state, "", location.pathname);
		if (scene !== "title" && !armed) arm();
		awake();
	};

	// The back button takes back, or asks, like the game's own; it leaves the
	// page only from the title.
	let armed = false;
	const arm = () => {
		armed = true;
		history.pushState({ cleave: true }, "");
	};
	addEventListener("popstate", () => {
		if (!armed) return;
		armed = false;
		if (scene === "title") return;
		arm();
		own.game.back?.();
	});

	addEventListener("hashchange", () => { if (location.hash && scene !== "match") location.reload(); });

	// The screen stays on in a match.
	let lock = null;
	const awake = async () => {
		if (!navigator.wakeLock) return;
		const wanted = scene === "match" && !document.hidden;
		try {
			if (wanted && !lock) {
				lock = await navigator.wakeLock.request("screen");
				lock.addEventListener("release", () => { lock = null; });
			} else if (!wanted && lock) {
				await lock.release();
			}
		} catch { /* the battery is low, say: the screen may go dark */ }
	};

	document.addEventListener("visibilitychange", () => {
		own.game.hidden?.(document.hidden);
		if (!document.hidden) document.title = "Cleave";
		awake();
	});
	// The game is kept for when there is no connection once it runs: fetching it
	// again while it starts would hold it up.
	const install = () => {
		if (window.isSecureContext && navigator.serviceWorker) navigator.serviceWorker.register("sw.js").catch((e) => console.warn("not installable:", e));
	};
	addEventListener("pagehide", () => own.game.leaving?.());
	// A page out of the browser's memory has lost its connections.
	addEventListener("pageshow", (e) => { if (e.persisted) location.reload(); });
	// No pinch: the game has its own text size.
	document.addEventListener("gesturestart", (e) => e.preventDefault());
	document.addEventListener("touchmove", (e) => { if (e.touches.length > 1) e.preventDefault(); }, { passive: false });

	load();
})();
