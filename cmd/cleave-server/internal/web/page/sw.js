"use strict";
// Keeps the page and the game for when there is no connection: practice, two at
// one device and lessons need none. Files have the hash of their content in
// their names, so what is kept is never stale; only the page itself is asked
// for anew, while there is an answer.
const cache = "cleave-{{version}}";
const files = {{files}};

self.addEventListener("install", (e) => {
	// What a closing page sends must not wait for this worker: it would be gone
	// with the page.
	e.addRoutes?.({ condition: { requestMethod: "POST" }, source: "network" }).catch(() => {});
	e.waitUntil(caches.open(cache).then((c) => c.addAll(files)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (e) => {
	e.waitUntil(caches.keys()
		.then((all) => Promise.all(all.filter((n) => n.startsWith("cleave-") && n !== cache).map((n) => caches.delete(n))))
		.then(() => self.clients.claim()));
});

self.addEventListener("fetch", (e) => {
	const url = new URL(e.request.url);
	if (e.request.method !== "GET" || url.origin !== location.origin || url.pathname.startsWith("/v1/")) return;
	if (e.request.mode === "navigate") {
		e.respondWith(fetch(e.request).catch(() => caches.match("/")));
		return;
	}
	e.respondWith(caches.match(e.request).then((kept) => kept || fetch(e.request)));
});
