# Every target is one line of what a developer would type; `make` alone lists them.

# Maven under the JDK that the launcher finds (25 or newer), whatever the default `java` is.
MVN = JAVA_HOME=$$(./sheaf --print-java-home) && export JAVA_HOME && mvn

.DEFAULT_GOAL := help
.PHONY: help build test coverage measure screenshots crash fuzz soak queue-crash hostile wire bench bench-start bench-commit bench-webhooks bench-queues bench-idle bench-skills bench-mcp ranges scale dist sdk dist-check fmt run clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s  %s\n", $$1, $$2 }' Makefile

build: ## compile and package, without tests or format check, and make the AOT caches
	export JAVA_HOME=$$(./sheaf --print-java-home) && packaging/build

test: ## everything: compile, check the format, run all tests
	packaging/test-launcher
	$(MVN) verify $(ARGS)
	packaging/libraries
	packaging/links

coverage: ## the same, and what the tests run of the code, in target/coverage (JaCoCo)
	$(MAKE) test ARGS="-Dcoverage $(ARGS)"

measure: ## what only a clock shows, such as how long a revoked key still works (some minutes, on a quiet machine)
	$(MVN) -pl model,client,cli,server test -Dsheaf.groups=measure -Dsheaf.excludedGroups= -Dsurefire.failIfNoSpecifiedTests=false

screenshots: ## take the pictures of the console in docs/images (Chromium and its driver, as .ci/run installs them)
	$(MVN) -pl model,client,cli,server test -Dtest=ScreenshotsTest -Dsheaf.groups=screenshots -Dsheaf.excludedGroups= -Dsurefire.failIfNoSpecifiedTests=false

crash: ## kill the server, and break its disk, at every sync of a push (Linux, strace; about three minutes)
	$(MVN) -pl model,client,cli,server test -Dtest=CrashMatrixTest -Dsurefire.failIfNoSpecifiedTests=false -Dsheaf.crash=all

fuzz: ## look for inputs that break a parser (Jazzer; a minute each, FUZZ_SECONDS=n)
	fuzz/run

ranges: ## ask npm's semver anew what the tests hold ranges against (Node with npm)
	cd model/src/test/node && npm ci --no-audit --no-fund --silent && \
	  node ranges.js | gzip -9n >../resources/dev/sheaf/model/ranges.gz

soak: ## clients and the collector at work for ten minutes (SOAK_MINUTES=n; Linux)
	soak/run

queue-crash: ## kill nodes while workers, some of whom die, do 50,000 jobs, on PostgreSQL and SQLite (QUEUE_CRASH_JOBS=n; some 20 minutes)
	soak/queues

hostile: ## does anybody notice what a stranger asks for? one address against another (three minutes; HOSTILE_SECONDS=n; Linux)
	soak/hostile

wire: ## attacks on HTTP/1.1 and HTTP/2 against 128 MB of heap, ten minutes each (WIRE_MINUTES=n; Linux, Python)
	soak/wire
	soak/wire http2

bench: ## measure beside docker-registry and nginx; writes docs/benchmarks.md (about nine minutes)
	bench/run

scale: ## measure over 100, 1,000 and 10,000 bundles; writes its part of docs/benchmarks.md (SCALE_BUNDLES="100 1000")
	bench/scale

bench-start: ## measure how commands start and pull, beside oras and skopeo; writes its part of docs/benchmarks.md
	bench/start

bench-commit: ## measure commits on PostgreSQL where each costs 5 ms; writes its part of docs/benchmarks.md (a minute)
	bench/commit

bench-idle: ## measure what 5,000 followers of events or claims of jobs cost that wait; writes its part of docs/benchmarks.md (Linux; four minutes)
	bench/idle

bench-skills: ## measure archives of skills beside blobs, indexes and git's names; writes its part of docs/benchmarks.md (Linux; four minutes)
	bench/skills.py --out docs/benchmarks.md

bench-mcp: ## measure requests of the Model Context Protocol beside 10,000 bundles; writes its part of docs/benchmarks.md (Linux; six minutes)
	bench/mcp.py --out docs/benchmarks.md

bench-webhooks: ## measure deliveries to twenty webhooks of which five are dead; writes its part of docs/benchmarks.md (URL=jdbc:postgresql://... for PostgreSQL)
	bench/webhooks.py --out docs/benchmarks.md $(if $(URL),--url '$(URL)')

bench-queues: ## measure jobs a second, hand-out and deep queues on SQLite; writes its part of docs/benchmarks.md (Linux; three minutes)
	bench/queues.py --out docs/benchmarks.md

dist: ## tar.gz and Debian packages with a Java runtime of their own, of all and of the client alone, in target/dist
	packaging/dist

sdk: ## the jars of the SDK with sources and Javadoc, in target/sdk
	packaging/sdk

dist-check: ## unpack and install what `make dist` made, and use it (the Debian packages: as root)
	packaging/check

fmt: ## format the Java sources
	$(MVN) spotless:apply

run: ## start the server; options in ARGS="--port 9000"
	./sheaf serve $(ARGS)

clean: ## delete what was built; data directories stay
	$(MVN) clean
