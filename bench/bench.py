"""Runs the cases in interleaved rounds, prints the table and writes it to docs/benchmarks.md. Started by bench/run."""

import datetime
import os
import pathlib
import platform
import random
import re
import signal
import subprocess
import sys
import tempfile

import access
import parallel
import parts
from load import (CONNECTIONS, MANIFEST, Blobs, Connection, Releases, blob_load, digest_of, head_load, median, pull_load,
                  push_load, read_load)
from servers import START, start_sheaf

SECONDS = int(os.environ.get("BENCH_SECONDS", "3"))
WARMUP = int(os.environ.get("BENCH_WARMUP", "5"))
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "3"))
OUT = pathlib.Path(os.environ.get("BENCH_OUT", "docs/benchmarks.md"))
SERVERS = os.environ.get("BENCH_SERVERS", "sheaf docker-registry nginx crowded").split()
CASES = os.environ.get("BENCH_CASES", "")
SLOW_WARMUP = 3 * WARMUP  # a JIT counts calls, and there are only a few pushes a second
HEAP = "-Xmx128m"
TAGS = 200
LAYERS = 20
BLOBS = {"1 KiB": 1 << 10, "4 KiB": 4 << 10, "64 KiB": 64 << 10, "1 MiB": 1 << 20, "100 MB": 100_000_000}


class Case:
    """One line of the table. run(server, seconds) measures one server and returns a Sample."""

    def __init__(self, name, run, servers, warmup=WARMUP):
        self.name, self.run, self.servers, self.warmup = name, run, servers, warmup


def corpus():
    """Returns the bundle that is pushed: (name, {path: bytes})."""
    root = pathlib.Path(os.environ["SHEAF_CORPUS"])
    folder = next(root / name for name in ("java-kit", "linux-triage") if (root / name).is_dir())
    return folder.name, {str(f.relative_to(folder)): f.read_bytes() for f in sorted(folder.rglob("*")) if f.is_file()}


def seed(servers, name, files):
    """Stores the same content on every server. Returns the targets of reads: {case: {server: (path, headers)}}."""
    noise = random.Random(1).randbytes(BLOBS["100 MB"])
    blobs = {f"{size} blob": noise[:length] for size, length in BLOBS.items()}
    paths = {"resolve": {}, "GET manifest": {}, "HEAD manifest": {}, "page of 50 tags": {}, **{case: {} for case in blobs}}
    expected = dict(blobs)
    page = {server.name: ("/v2/bench/tags/tags/list?n=50", {}) for server in servers}
    for server in servers:
        if server.name in ("nginx", access.CROWDED):
            continue
        connection = Connection(server)
        expected["GET manifest"] = connection.push_oci(f"bench/{name}", "1.0.0", files)
        connection.push_oci("bench/payload", "1.0.0", {f"{i}.bin": blob for i, blob in enumerate(blobs.values())})
        tagged = connection.push_oci("bench/tags", "1.0.0", {"one.bin": noise[:1]})
        for i in range(TAGS):
            connection.send("PUT", f"/v2/bench/tags/manifests/tag-{i:04}", tagged, Content_Type=MANIFEST)
        for case in ("GET manifest", "HEAD manifest"):
            paths[case][server.name] = (f"/v2/bench/{name}/manifests/1.0.0", {"Accept": MANIFEST})
        for case, blob in blobs.items():
            paths[case][server.name] = (f"/v2/bench/payload/blobs/{digest_of(blob)}", {})
        paths["page of 50 tags"][server.name] = page[server.name]
        if server.name == "sheaf":
            paths["resolve"]["sheaf"] = (f"/v1/namespaces/bench/bundles/{name}:resolve", {})
            expected["resolve"] = connection.send("GET", paths["resolve"]["sheaf"][0])[1]
            expected["page of 50 tags"] = connection.send("GET", page["sheaf"][0])[1]
    for server in servers:
        if server.name == "nginx":  # the same bytes as files: the lower bound
            for index, (case, content) in enumerate(expected.items()):
                pathlib.Path(server.root, str(index)).write_bytes(content)
                paths[case]["nginx"] = (f"/{index}", {})
            paths["HEAD manifest"]["nginx"] = paths["GET manifest"]["nginx"]
    for case, content in {case: expected[case] for case in ("GET manifest", *blobs)}.items():
        for server in (server for server in servers if server.name in paths[case]):
            path, headers = paths[case][server.name]
            if Connection(server).send("GET", path, **headers)[1] != content:
                raise SystemExit(f"bench: {server.name} returns other bytes for {path} than were stored")
    return {**paths, **access.paths(servers, name, files)}


def cases(paths, name, files):
    def read(case, servers):
        size = BLOBS.get(case.removesuffix(" blob"), 0)
        if size > 1 << 24:
            return Case(case, lambda server, seconds: pull_load(server, servers[server.name][0], seconds, size), servers)
        if case.startswith("HEAD"):
            return Case(case, lambda server, seconds: head_load(
                server, servers[server.name][0], seconds, servers[server.name][1]), servers)
        return Case(case, lambda server, seconds: read_load(
            server, servers[server.name][0], seconds, servers[server.name][1], size), servers)

    registries = ("sheaf", "docker-registry")
    noise = random.Random(2).randbytes(BLOBS["100 MB"])
    bundle = {server: Releases(f"bench/{name}", files) for server in registries}
    artifact = {server: Releases("bench/layers", {f"{i:02}.bin": noise[i << 12:(i + 1) << 12] for i in range(LAYERS)}, LAYERS)
                for server in registries}
    bulk = {(size, server): Blobs(noise[:size]) for size in (64 << 20, BLOBS["100 MB"]) for server in registries}
    return [
        *(read(case, servers) for case, servers in paths.items()),
        Case("push of a bundle", lambda server, seconds: push_load(
            server, bundle[server.name], seconds, server.name == "sheaf"), registries, SLOW_WARMUP),
        Case(f"push of {LAYERS} new layers", lambda server, seconds: push_load(
            server, artifact[server.name], seconds, False), registries, SLOW_WARMUP),
        *(Case(f"push of a {label} blob", lambda server, seconds, size=size: blob_load(
            server, bulk[size, server.name], seconds), registries)
          for label, size in (("64 MiB", 64 << 20), ("100 MB", BLOBS["100 MB"]))),
    ]


def measure(servers, plan):
    """Measures every case on every server in turn, ROUNDS times. Returns {(case, server): [Sample]}."""
    lines = [(case, server) for case in plan for server in servers if server.name in case.servers]
    samples = {(case.name, server.name): [] for case, server in lines}
    for turn in range(ROUNDS + 1):
        for case, server in lines:
            print(f"bench: {f'round {turn}' if turn else 'warm-up'}: {case.name}, {server.name}", file=sys.stderr)
            taken = case.run(server, SECONDS if turn else case.warmup)
            if turn:
                samples[case.name, server.name].append(taken)
    return samples


def memory(folder):
    """Starts a Sheaf with a small heap and sends simultaneous uploads. Returns its memory in MiB: (at start, peak)."""
    # All uploads come from one address and key, which by default get only a share; the defaults also shrink with the heap.
    limits = {f"SHEAF_MAX_{what}": "1024" for what in (
        "CONNECTIONS", "CONNECTIONS_PER_ADDRESS", "OPEN_UPLOADS", "OPEN_UPLOADS_PER_CREDENTIAL")}
    server = start_sheaf(folder, "sheaf-small", {"SHEAF_JAVA_OPTS": HEAP, **limits})
    try:
        begun = server.peak_rss_mib()
        ends = parallel.run(server)
        if ends != {"201": parallel.UPLOADS}:
            raise SystemExit(f"bench: some parallel uploads failed: {ends}")
        return begun, server.peak_rss_mib()
    finally:
        server.stop()


def said(*command):
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return run.stdout.strip()


def machine():
    cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "?")
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{cpu}, {os.cpu_count()} cores, {memory:.0f} GiB, Linux {platform.release()}"


def versions():
    java = subprocess.run(["./sheaf", "--print-java-home"], capture_output=True, text=True).stdout.strip()
    release = dict(line.split("=", 1) for line in open(f"{java}/release") if "=" in line)
    return {
        **dict.fromkeys(access.SERVERS, f"at {said('git', 'rev-parse', '--short', 'HEAD')}, Java {release['JAVA_VERSION'].strip()[1:-1]}"),
        "docker-registry": said("docker-registry", "--version").split()[-1],
        "nginx": said("nginx", "-v").split("/")[-1],
    }


def figures(samples):
    """{(case, server): (CPU microseconds, requests a second, p50 and p99 in milliseconds)}"""
    medians = {place: median(taken) for place, taken in samples.items()}
    return {place: (cpu, rate, p50 / 1e3, p99 / 1e3) for place, (cpu, _, rate, p50, p99) in medians.items()}


def table(measured):
    """One table for each set of servers that are compared, with a line for each case."""
    tables, done = [], set()
    for group in (("sheaf", "docker-registry", "nginx"), access.SERVERS):
        lines = {}
        for case in dict.fromkeys(case for case, _ in measured):
            taken = {server: found for (name, server), found in measured.items() if name == case}
            if case not in done and set(taken) <= set(group):
                done.add(case)
                lines[case] = taken
        names = [server for server in group if any(server in taken for taken in lines.values())]
        if names:
            tables.append(compared(lines, names))
    return "\n\n".join(tables)


def compared(lines, names):
    kinds = [lambda found: f"{found[0]:,.0f}",
             lambda found: f"{found[1]:,.{0 if found[1] > 10 else 1}f}",
             lambda found: f"{found[2]:.2f}, {found[3]:.2f}"]
    heads = [f"{unit}: {names[0]}" if name == names[0] else name
             for unit in ("CPU µs/request", "requests/s", "p50, p99 ms") for name in names]
    rows = [f"| Case | {' | '.join(heads)} |", "|---" + "|--:" * len(heads) + "|"]
    for case, taken in lines.items():
        cells = [kind(taken[name]) if name in taken else "" for kind in kinds for name in names]
        rows.append(f"| {case} | {' | '.join(cells)} |")
    return "\n".join(rows)


def report(measured, servers, small, name, files, load):
    size = sum(map(len, files.values()))
    rss = "\n".join(f"| {s.name} | {s.peak_rss_mib():.0f} |" for s in servers)
    known = versions()
    return f"""# Benchmarks

For everyone who wants to know the cost of Sheaf on a machine, compared with docker-registry and nginx.
[benchmarks-features.md](benchmarks-features.md) has skills, MCP, followers, webhooks and queues.

Made by `make bench` on {datetime.date.today()}; run it to measure your own machine.

{table(measured)}

| Server | peak RSS MiB |
|---|--:|
{rss}
| sheaf, {HEAP}, after its start | {small[0]:.0f} |
| sheaf, {HEAP}, {parallel.UPLOADS:,} simultaneous uploads of {parallel.SIZE >> 10:,} KiB | {small[1]:.0f} |

## How it was measured

- Machine: {machine()}. Load average before the run: {load:.1f}. Above about 0.3, something else was running, which
  affects rates and p99 first.
- Servers: {"; ".join(f"{s.name} {known[s.name]}" for s in servers)}.
- The server runs on core 0, the load on core 1, over loopback. Each figure is the median of {ROUNDS} rounds of {SECONDS} s. The servers
  take turns within a round, after a warm-up of {WARMUP} s each ({SLOW_WARMUP} s for bundles and artifacts).
- CPU is the user and system time of the whole server process (nginx: master and worker), divided by the requests. It is the
  reliable figure. Rates and latencies come from a closed loop ({CONNECTIONS} connections for reads, one for pushes and for pulls
  of 100 MB) and depend on other load of the machine.
- Sheaf checks an API key on every request and reads from a private bundle. docker-registry and nginx check no credentials.
- nginx serves the same bytes from files: it is the lower bound, not a registry. docker-registry has no `resolve`.
- `resolve with ...` asks for one public bundle with different credentials. A restricted key is limited to namespaces, bundles
  and addresses; the access token was exchanged for a key. The database of `{access.CROWDED}` has that many live keys.
- Sheaf syncs files and directories to disk before it answers a push; docker-registry syncs only files.
- `HEAD manifest` sends 8 requests at once and waits for all; its latencies are those of the whole round.
- `page of 50 tags` asks a repository of {TAGS + 1} tags for the first 50.
- `push of a bundle` publishes `{name}` ({len(files)} files, {size:,} bytes) as a new version with one changed file: to Sheaf as one
  JSON request, to docker-registry as an OCI client does. `push of {LAYERS} new layers` uses OCI for both, with new layers of 4 KiB.
- `push of a ... blob` begins an upload with POST and sends new content with PUT.
- Each simultaneous upload sends half of its bytes before any of them sends the rest, and each ends with 201. Content is stored in
  files, rows in SQLite (`bench/parallel.py`).

**Loopback.** On the machine where this was tuned, sending 1 MiB cost nginx with `sendfile` 0.30 to 0.34 CPU-s/GiB, nearly all of
it in the kernel. Sheaf uses `sendfile` too, in pieces of 256 KiB, so that downloads take turns; not over TLS, which encrypts in memory.

**Large pushes.** The kernel uses a third to a half of the CPU time of a push, for the socket, the page cache and the sync. Most of
the rest is SHA-256. Warm, one push at a time took 1.60 to 1.76 CPU-s/GiB for 64 MiB and 1.72 to 1.94 for 100 MB. The table shows
more, because its runs have only a few pushes, and some code is still interpreted.

**100,000 tags in one repository**, by hand on 2026-11-20 (SQLite, half of the tags are versions, server on one core): a page of 50
from the middle took 68 µs of CPU under `/v2` and 252 µs under `/v1`, with the version and digest of each tag; another tag 2.1 ms
(median; 3.1 ms of CPU); another version 4.4 ms (median).
"""


def main():
    # A terminated run must still stop its servers: an exception does that, a signal's default would not.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    name, files = corpus()
    servers, load = [], os.getloadavg()[0]
    with tempfile.TemporaryDirectory(prefix="sheaf-bench-") as folder:
        try:
            for server in SERVERS:
                servers.append(START[server](folder))
            plan = [case for case in cases(seed(servers, name, files), name, files) if re.search(CASES, case.name)]
            samples = measure(servers, plan)
            if CASES:
                print(table(figures(samples)))
                return
            text = report(figures(samples), servers, memory(folder), name, files, load)
        finally:
            for server in servers:
                server.stop()
    OUT.parent.mkdir(exist_ok=True)
    others = parts.all_of(OUT.read_text()) if OUT.exists() else ""
    OUT.write_text(text.rstrip() + "\n" + ("\n" + others if others else ""))
    print(text)


if __name__ == "__main__":
    main()
