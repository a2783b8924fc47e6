# Each target is what a developer would type; `make` alone lists them.

# Maven under the JDK that the launcher finds (25 or newer), whatever the default `java` is.
MVN = JAVA_HOME=$$(./sheaf --print-java-home) && export JAVA_HOME && mvn

# For runs that compile only what changed: leaves the templates of pages out if none is newer than what was made of them.
pages = server/target/classes/dev/sheaf/server/pages/jte
CHANGED = -Dmaven.compiler.useIncrementalCompilation=false $(shell made=$$(find $(pages) -name '*.class' 2>/dev/null | head -n 1); \
  [ -z "$$made" ] || find server/src/main/java -name '*.jte' -newer "$$made" | grep -q . || echo -Djte.phase=none)

.DEFAULT_GOAL := help
.PHONY: help build one test test-rest test-all coverage measure screenshots crash fuzz soak soak-nodes faults queue-crash damage hostile wire conformance bench bench-start bench-commit bench-nodes bench-webhooks bench-queues bench-idle bench-skills bench-mcp ranges scale dist image image-check sdk dist-check errors fmt run clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s  %s\n", $$1, $$2 }' Makefile

build: ## compile and package, without tests or format check, and make the AOT caches
	export JAVA_HOME=$$(./sheaf --print-java-home) && packaging/build

# Without Error Prone and the format, and only of what changed; a class that uses a changed signature is not compiled again.
one: ## compile what changed and run one test class: make one TEST=PushApiTest (ten seconds; `make clean` first if a signature changed)
	$(MVN) -o -P '!checks,!format' $(CHANGED) -Dsurefire.failIfNoSpecifiedTests=false \
	  -Dsheaf.excludedGroups=measure,screenshots -pl model,client,cli,engine,server test -Dtest='$(TEST)' $(ARGS)

test: ## compile, check the format, run the tests except the slow ones and those by keyboard (minutes; a test class: make one)
	packaging/test-launcher
	$(MVN) verify $(ARGS)
	packaging/libraries
	packaging/links

test-rest: ## what `make test` leaves out: slow tests, other programs, pages by keyboard, PostgreSQL with a bucket
	$(MVN) $(CHANGED) -P '!checks,!format' -pl model,client,cli,engine,server test -Dsheaf.run=rest \
	  -Dsheaf.groups='slow | programs | stacks | hands' -Dsheaf.excludedGroups=measure,screenshots $(ARGS)

test-all: test test-rest ## both, as .ci/run does

coverage: ## the same, with the coverage in target/coverage (JaCoCo)
	$(MAKE) test ARGS="-Dcoverage -Dsheaf.excludedGroups=measure,screenshots -Dsheaf.hands=keyboard -Dsheaf.stacks=all $(ARGS)"

measure: ## measure times, such as how long a revoked key still works (some minutes, on a quiet machine)
	$(MVN) -pl model,client,cli,engine,server test -Dsheaf.groups=measure -Dsheaf.excludedGroups= -Dsheaf.testJvm= -Dsurefire.failIfNoSpecifiedTests=false

screenshots: ## take the pictures of the console in docs/images (Chromium and its driver, as .ci/run installs them)
	$(MVN) -pl model,client,cli,engine,server test -Dtest=ScreenshotsTest -Dsheaf.groups=screenshots -Dsheaf.excludedGroups= -Dsurefire.failIfNoSpecifiedTests=false

crash: ## kill the server, and break its disk, at every sync of a push (Linux, strace; about three minutes)
	$(MVN) -pl model,client,cli,engine,server test -Dtest=CrashMatrixTest -Dsheaf.excludedGroups=measure,screenshots -Dsurefire.failIfNoSpecifiedTests=false -Dsheaf.crash=all

fuzz: ## look for inputs that break a parser (Jazzer; a minute each, FUZZ_SECONDS=n)
	fuzz/run

ranges: ## ask npm's semver again for the ranges that the tests expect (Node with npm)
	cd model/src/test/node && npm ci --no-audit --no-fund --silent && \
	  node ranges.js | gzip -9n >../resources/dev/sheaf/model/ranges.gz

soak: ## run clients and the collector together for ten minutes (SOAK_MINUTES=n SOAK_CLIENTS=n; Linux)
	soak/program dev.sheaf.server.soak.Soak

soak-nodes: ## run three nodes behind nginx for an hour, or longer from where the last run ended (SOAK_MINUTES=n SOAK_RATE=n; Linux)
	soak/program dev.sheaf.server.faults.NodesSoak

faults: ## break the database, bucket, disks and nodes of three nodes under load (FAULTS_RATE=n FAULTS_ONLY=regex; Linux, root; 25 minutes)
	soak/program dev.sheaf.server.faults.FaultRun

queue-crash: ## kill nodes and workers during 50,000 jobs, on PostgreSQL and SQLite (QUEUE_CRASH_JOBS=n QUEUE_CRASH_STACKS=SQLITE; about 20 minutes)
	soak/program dev.sheaf.server.queue.crash.QueueCrash

damage: ## overwrite a page of sheaf.db at fifty places, then serve, save and restore the rest (DAMAGE_PLACES=n; Linux, Python; half an hour)
	soak/damage

hostile: ## send expensive requests from one address while another is served (three minutes; HOSTILE_SECONDS=n; Linux)
	soak/hostile

wire: ## attack HTTP/1.1 and HTTP/2 with 128 MB of heap, ten minutes each (WIRE_MINUTES=n; Linux, Python)
	soak/wire
	soak/wire http2

conformance: ## run the OCI conformance suite on a server of its own (CONFORMANCE=its folder or the compiled suite; Go; three minutes)
	soak/conformance

bench: ## measure beside docker-registry and nginx; writes docs/benchmarks.md (about nine minutes)
	bench/run

scale: ## measure over 100, 1,000 and 10,000 bundles; writes its part of docs/benchmarks.md (SCALE_BUNDLES="100 1000")
	bench/scale

bench-start: ## measure how commands start and pull, beside oras and skopeo; writes its part of docs/benchmarks.md
	bench/start

bench-commit: ## measure commits and publishes on PostgreSQL if each commit costs 5 ms; writes its part of docs/benchmarks.md (three minutes)
	bench/commit

bench-nodes: build ## measure the work of PostgreSQL with 3 and 100 nodes, and reads on 1, 2 and 3; prints tables for docs/scale.md (Linux; three minutes)
	bench/nodes.py --parts work,requests

bench-idle: ## measure the cost of 5,000 waiting followers of events or claims of jobs; writes its part of docs/benchmarks-features.md (Linux; four minutes)
	bench/idle

bench-skills: ## measure archives, indexes, catalogs and marketplaces beside blobs; writes its part of docs/benchmarks-features.md (Linux; ten minutes)
	bench/skills.py --out docs/benchmarks-features.md

bench-mcp: ## measure requests of the Model Context Protocol beside 10,000 bundles; writes its part of docs/benchmarks-features.md (Linux; six minutes)
	bench/mcp.py --out docs/benchmarks-features.md

bench-webhooks: ## measure deliveries to twenty webhooks, five of them dead; writes its part of docs/benchmarks-features.md (URL=jdbc:postgresql://... for PostgreSQL)
	bench/webhooks.py --out docs/benchmarks-features.md $(if $(URL),--url '$(URL)')

bench-queues: ## measure jobs per second, waiting claims and deep queues on SQLite; writes its part of docs/benchmarks-features.md (Linux; three minutes)
	bench/queues.py --out docs/benchmarks-features.md

dist: ## build tar.gz and Debian packages with their own Java, of everything and of the client alone, in target/dist
	packaging/dist

image: ## build the container image of the server in target/image (Linux; no container engine needed)
	packaging/image

image-check: ## run the image with podman and push it to itself (podman, skopeo; a minute or two)
	packaging/check-image

sdk: ## build the jars of the SDK with sources and Javadoc in target/sdk
	packaging/sdk

dist-check: ## unpack, install and use the packages of `make dist` (the Debian packages: as root)
	packaging/check

errors: ## list every error message of the sources in target/errors.md, to read them in one go
	$$(./sheaf --print-java-home)/bin/java server/src/test/errors/ErrorTexts.java target/errors.md

fmt: ## format the Java sources
	$(MVN) spotless:apply

run: ## start the server; options in ARGS="--port 9000"
	./sheaf serve $(ARGS)

clean: ## delete the build; data directories stay
	$(MVN) clean
