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
SLOW_WARMUP = 3 * WARMUP  # pushes are few in a second, and a JIT counts calls
HEAP = "-Xmx128m"
TAGS = 200
LAYERS = 20
BLOBS = {"1 KiB": 1 << 10, "4 KiB": 4 << 10, "64 KiB": 64 << 10, "1 MiB": 1 << 20, "100 MB": 100_000_000}


class Case:
    """One line of the table for each server that takes part: run(server, seconds) answers a Sample."""

    def __init__(self, name, run, servers, warmup=WARMUP):
        self.name, self.run, self.servers, self.warmup = name, run, servers, warmup


def corpus():
    """The bundle that is pushed: (name, {path: bytes})."""
    root = pathlib.Path(os.environ["SHEAF_CORPUS"])
    folder = next(root / name for name in ("java-kit", "linux-triage") if (root / name).is_dir())
    return folder.name, {str(f.relative_to(folder)): f.read_bytes() for f in sorted(folder.rglob("*")) if f.is_file()}


def seed(servers, name, files):
    """Gives every server the same content; answers where the reads go: {case: {server: (path, headers)}}."""
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
        if server.name == "nginx":  # the same bytes as files: the floor under everything
            for index, (case, content) in enumerate(expected.items()):
                pathlib.Path(server.root, str(index)).write_bytes(content)
                paths[case]["nginx"] = (f"/{index}", {})
            paths["HEAD manifest"]["nginx"] = paths["GET manifest"]["nginx"]
    for case, content in {case: expected[case] for case in ("GET manifest", *blobs)}.items():
        for server in (server for server in servers if server.name in paths[case]):
            path, headers = paths[case][server.name]
            if Connection(server).send("GET", path, **headers)[1] != content:
                raise SystemExit(f"bench: {server.name} answers {path} with other bytes than were stored")
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
    """Every case on every server, in turn, ROUNDS times: {(case, server): [Sample]}."""
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
    """A Sheaf of its own with a small heap, and uploads at the same moment: (start, peak) of its memory in MiB."""
    # One address and one key make all uploads here, which else have a part of the room; and such a heap has less.
    limits = {f"SHEAF_MAX_{what}": "1024" for what in (
        "CONNECTIONS", "CONNECTIONS_PER_ADDRESS", "OPEN_UPLOADS", "OPEN_UPLOADS_PER_CREDENTIAL")}
    server = start_sheaf(folder, "sheaf-small", {"SHEAF_JAVA_OPTS": HEAP, **limits})
    try:
        begun = server.peak_rss_mib()
        ends = parallel.run(server)
        if ends != {"201": parallel.UPLOADS}:
            raise SystemExit(f"bench: of the parallel uploads not all ended well: {ends}")
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


def table(samples):
    lines = ["| Case | Server | CPU µs/request | CPU-s/GiB | CPU, Sheaf = 1 | requests/s | p50 ms | p99 ms |",
             "|---|---|--:|--:|--:|--:|--:|--:|"]
    for (case, server), taken in samples.items():
        cpu, per_gib, rate, p50, p99 = median(taken)
        own = samples.get((case, "sheaf"))
        ratio = f"{cpu / median(own)[0]:.2f}" if own else ""
        bulk = f"{per_gib:.2f}" if taken[0].size >= 1 << 20 else ""
        lines.append(f"| {case} | {server} | {cpu:,.0f} | {bulk} | {ratio} | {rate:,.{0 if rate > 10 else 1}f} | "
                     f"{p50 / 1e3:.2f} | {p99 / 1e3:.2f} |")
    return "\n".join(lines)


def report(samples, servers, small, name, files, load):
    size = sum(map(len, files.values()))
    rss = "\n".join(f"| {s.name} | {s.peak_rss_mib():.0f} |" for s in servers)
    known = versions()
    return f"""# Benchmarks

For everyone who wants to know what Sheaf costs on a machine, beside docker-registry and nginx.

Made by `make bench` on {datetime.date.today()}; run it to measure your own machine.

{table(samples)}

| Server | peak RSS MiB |
|---|--:|
{rss}
| sheaf, {HEAP}, after its start | {small[0]:.0f} |
| sheaf, {HEAP}, {parallel.UPLOADS:,} uploads of {parallel.SIZE >> 10:,} KiB at the same moment | {small[1]:.0f} |

## What was measured

- Machine: {machine()}. Load average before the run: {load:.1f}; above 0.3 or so, something else was running,
  which shows in rates and p99 first.
- Servers: {"; ".join(f"{s.name} {known[s.name]}" for s in servers)}.
- The server runs on core 0, the load on core 1, over loopback. {ROUNDS} rounds of {SECONDS} s for each line, the servers in
  turn within a round, after a warm-up of {WARMUP} s for each ({SLOW_WARMUP} s for bundles and artifacts); every figure is the
  median of the rounds.
- CPU is user and system time of the whole server process (nginx: master and worker) over the requests served. It is the
  figure to trust; rates and latencies come from a closed loop ({CONNECTIONS} connections for reads, one for pushes and for pulls of
  100 MB) and move with whatever else the machine does.
- Sheaf checks an API key on every request and reads from a private bundle. docker-registry and nginx run without any
  authentication.
- The rows `resolve with ...` ask for one public bundle, whoever asks, so they differ by what the credential costs: an API
  key; one that is restricted to namespaces, bundles and addresses; an access token exchanged for a key. `{access.CROWDED}` is a
  server whose database has so many live keys.
- Durability: Sheaf syncs a push to disk before it answers, files and directories; docker-registry syncs files only.
- `resolve` has no counterpart in docker-registry, whose clients ask for the manifest by tag. nginx serves the answer's bytes
  from a file, as it does in the other rows: it is the floor, not a registry.
- `HEAD manifest` asks on 8 connections at once and then waits for all of them; its latencies are those of the whole round.
- `page of 50 tags` asks a repository of {TAGS + 1} tags for its first 50.
- `push of a bundle` publishes `{name}` ({len(files)} files, {size:,} bytes) as a new version in which one file has changed. Sheaf
  takes it as one JSON request; docker-registry as an OCI client sends it: HEAD for each blob, POST and PUT for the two new
  ones, PUT of the manifest. `push of {LAYERS} new layers` is that way of OCI on both, with layers of 4 KiB that all are new.
- `push of a ... blob`: POST for a session, PUT of the bytes, another content each time.
- The uploads at the same moment: each has sent half of its bytes before any of them sends the rest, and every one ends with
  201. The store is files, the database SQLite (`bench/parallel.py`).

## A limit: the loopback

1 MiB over loopback cost nginx with `sendfile` 0.30 to 0.34 CPU-s/GiB on the machine where this was tuned, nearly all of it in
the kernel; Sheaf 0.32 in a run where nginx had 0.30 (medians of three interleaved rounds: user 66 µs and system 226 µs a MiB,
nginx 5 and 293). Sheaf copies through a buffer of 128 KiB. That spends less in the kernel than `sendfile` does, and about as
much more on two copies in memory, from the file to the buffer and from there to the socket. Buffers of 256 KiB gained
nothing that could be told from noise. Helidon shows no handler the socket's channel, so `sendfile` would need its internals; by
nginx's figures it would gain at most a tenth. With Helidon's NIO socket, which copies all it sends through 8 KiB, the same
read cost 0.57 in that run.

## A limit: pushes of large blobs

Between a third and a half of the CPU of a push is the kernel's, for the socket, the page cache and the sync; of the rest, a
profile shows most in SHA-256. Helidon hands a body over in pieces of 8 KiB, each with a read of the socket of its own. Warm, one
push at a time beside a build took 1.60 to 1.76 CPU-s/GiB for 64 MiB and 1.72 to 1.94 for 100 MB; the table's rows are of
runs of a few pushes, in which some of the code is still interpreted and the kernel writes back what earlier cases left.

## A repository of 100,000 tags

By hand on 2026-11-20 (SQLite, half of the tags are versions, server on one core): a page of 50 under `/v2` from the middle
68 µs of CPU; a page of 50 under `/v1`, with the version and digest of each tag, 252 µs; one more tag 2.1 ms (median; 3.1 ms
of CPU); one more version 4.4 ms (median).
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
                print(table(samples))
                return
            text = report(samples, servers, memory(folder), name, files, load)
        finally:
            for server in servers:
                server.stop()
    OUT.parent.mkdir(exist_ok=True)
    others = parts.all_of(OUT.read_text()) if OUT.exists() else ""
    OUT.write_text(text.rstrip() + "\n" + ("\n" + others if others else ""))
    print(text)


main()
