# make play   installs what is missing, builds, and opens the game
# make serve  the same for the browsers of the whole network, phones too
# make test   installs what the tests need, and runs all of them
# make bench  prints the figures; make soak runs for hours
SHELL := /bin/bash
export PATH := $(CURDIR)/.cache/go/bin:$(PATH)
export STRICT
# A go command older than go.mod fetches the toolchain that it names.
export GOTOOLCHAIN := auto

.PHONY: play serve web test bench soak build clean bin/cleave-server-quick

play:
	@.ci/need go
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ]; then \
		.ci/need window && CGO_ENABLED=1 go build -o bin/ ./cmd/cleave && exec bin/cleave; \
	else \
		echo "There is no display here: building the game for a browser instead."; \
		$(MAKE) -s bin/cleave-server-quick && \
		echo "Play in a browser on this machine: http://localhost:8080 (Ctrl+C ends it)" && \
		exec bin/cleave-server --listen localhost:8080 --db .cache/play.db --public-url http://localhost:8080 --log-level warn; \
	fi

# A phone finds the page by the QR code.
serve: bin/cleave-server-quick
	@url=$$(go run ./cmd/cleave-server/internal/web/address -port 8080) && \
	echo "Play at $$url, on every device of this network (Ctrl+C ends it)." && \
	echo "Over http a browser keeps nothing and results do not count; README, \"Host a server\", has https." && \
	exec bin/cleave-server --listen :8080 --db .cache/play.db --public-url $$url --log-level warn

# The game for browsers; a server that is built afterwards serves it.
web:
	@.ci/need go
	go run ./cmd/cleave-server/internal/web/build

bin/cleave-server-quick:
	@.ci/need go
	@mkdir -p .cache
	@go run ./cmd/cleave-server/internal/web/build -quick >/dev/null
	@CGO_ENABLED=0 go build -o bin/ ./cmd/cleave-server

test:
	@.ci/need go net postgres window xvfb browser
	@.ci/test

build: web
	CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" -o bin/ ./cmd/cleavectl ./cmd/cleave-server

bench:
	@.ci/need go net postgres window xvfb browser
	xvfb-run -a -s '-screen 0 1280x800x24' go test -run '^$$' -bench . -benchmem -timeout 3h ./...
	CLEAVE_BENCH=1 .ci/test browser && grep -o 'browser_test.go:.*' .cache/logs/browser.log

# Hours: the simulator over many seeds, kills, the heaviest checks in browsers,
# and ten minutes a fuzz target.
soak:
	@.ci/need go net postgres window xvfb browser
	CLEAVE_SOAK=1 UNITTIME=12h .ci/test unit window windows browser e2e
	FUZZTIME=10m .ci/test fuzz

clean:
	rm -rf bin .cache cmd/cleave-server/internal/web/dist cmd/internal/browsertest/node_modules
