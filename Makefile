# make play   installs what is missing, builds, and opens the game
# make test   installs what the tests need, and runs all of them
# make bench  prints the figures; make soak runs for hours
SHELL := /bin/bash
export PATH := $(CURDIR)/.cache/go/bin:$(PATH)
export STRICT
# A go command older than go.mod fetches the toolchain that it names.
export GOTOOLCHAIN := auto

.PHONY: play test bench soak build clean

play:
	@.ci/need go
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ]; then \
		.ci/need window && CGO_ENABLED=1 go build -o bin/ ./cmd/cleave && exec bin/cleave; \
	else \
		CGO_ENABLED=0 go build -o bin/ ./cmd/cleavectl && \
		echo "There is no display here: a match in the terminal instead." && \
		exec bin/cleavectl duel --players human,bot:easy; \
	fi

test:
	@.ci/need go net postgres window xvfb
	@.ci/test

build:
	@.ci/need go
	CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" -o bin/ ./cmd/cleavectl ./cmd/cleave-server

bench:
	@.ci/need go net postgres
	go test -run '^$$' -bench . -benchmem ./...

# Hours: the simulator over many seeds, kills, and ten minutes a fuzz target.
soak:
	@.ci/need go net postgres
	CLEAVE_SOAK=1 go test -timeout 12h ./...
	FUZZTIME=10m .ci/test fuzz

clean:
	rm -rf bin .cache
