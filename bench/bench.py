"""Runs the cases in interleaved rounds, prints the table and writes it to docs/benchmarks.md. Started by bench/run."""

import datetime
import os
import pathlib
import platform
import random
import signal
import subprocess
import sys
import tempfile

from load import CONNECTIONS, MANIFEST, Connection, Releases, digest_of, median, push_load, read_load
from servers import START

SECONDS = int(os.environ.get("BENCH_SECONDS", "4"))
WARMUP = int(os.environ.get("BENCH_WARMUP", "6"))
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "3"))
OUT = pathlib.Path(os.environ.get("BENCH_OUT", "docs/benchmarks.md"))
SERVERS = os.environ.get("BENCH_SERVERS", "sheaf docker-registry nginx").split()
PUSH = "push"
PUSH_WARMUP = 3 * WARMUP  # pushes are few in a second, and a JIT counts calls


def corpus():
    """The bundle that is pushed: (name, {path: bytes})."""
    root = pathlib.Path(os.environ["SHEAF_CORPUS"])
    folder = next(root / name for name in ("java-kit", "linux-triage") if (root / name).is_dir())
    return folder.name, {str(f.relative_to(folder)): f.read_bytes() for f in sorted(folder.rglob("*")) if f.is_file()}


def seed(servers, name, files):
    """Gives every server the same content; answers the read cases: {case: {server: (path, headers)}}."""
    accept = {"Accept": MANIFEST}
    noise = random.Random(1)
    small, large = noise.randbytes(4 << 10), noise.randbytes(1 << 20)
    cases = {"resolve": {}, "manifest by tag": {}, "4 KiB blob": {}, "1 MiB blob": {}}
    expected = {"4 KiB blob": small, "1 MiB blob": large}
    resolved = b"{}"
    for server in servers:
        if server.name == "nginx":
            continue
        connection = Connection(server)
        expected["manifest by tag"] = connection.push_oci(f"bench/{name}", "1.0.0", files)
        connection.push_oci("bench/payload", "1.0.0", {"small.bin": small, "large.bin": large})
        cases["manifest by tag"][server.name] = (f"/v2/bench/{name}/manifests/1.0.0", accept)
        for case, blob in (("4 KiB blob", small), ("1 MiB blob", large)):
            cases[case][server.name] = (f"/v2/bench/payload/blobs/{digest_of(blob)}", {})
        if server.name == "sheaf":
            cases["resolve"]["sheaf"] = (f"/v1/namespaces/bench/bundles/{name}:resolve", {})
            resolved = connection.send("GET", cases["resolve"]["sheaf"][0])[1]
    for server in servers:
        if server.name == "nginx":  # the same bytes as files: the floor under everything
            for index, (case, content) in enumerate({"resolve": resolved, **expected}.items()):
                pathlib.Path(server.root, str(index)).write_bytes(content)
                cases[case]["nginx"] = (f"/{index}", {})
    for case, content in expected.items():
        for server in servers:
            path, headers = cases[case][server.name]
            if Connection(server).send("GET", path, **headers)[1] != content:
                raise SystemExit(f"bench: {server.name} answers {path} with other bytes than were stored")
    return cases


def measure(servers, cases, releases):
    """Every case on every server, in turn, ROUNDS times: {(case, server): [Sample]}."""
    plan = [(case, server) for case in [*cases, PUSH] for server in servers
            if (server.name in cases[case] if case in cases else server.name != "nginx")]
    samples = {(case, server.name): [] for case, server in plan}
    for turn in range(ROUNDS + 1):
        for case, server in plan:
            seconds = SECONDS if turn else PUSH_WARMUP if case == PUSH else WARMUP
            print(f"bench: {f'round {turn}' if turn else 'warm-up'}: {case}, {server.name}", file=sys.stderr)
            if case == PUSH:
                sample = push_load(server, releases[server.name], seconds)
            else:
                path, headers = cases[case][server.name]
                sample = read_load(server, path, seconds, headers)
            if turn:
                samples[case, server.name].append(sample)
    return samples


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
        "sheaf": f"at {said('git', 'rev-parse', '--short', 'HEAD')}, Java {release['JAVA_VERSION'].strip()[1:-1]}",
        "docker-registry": said("docker-registry", "--version").split()[-1],
        "nginx": said("nginx", "-v").split("/")[-1],
    }


def table(samples):
    lines = ["| Case | Server | CPU µs/request | CPU, Sheaf = 1 | requests/s | p50 ms | p99 ms |",
             "|---|---|--:|--:|--:|--:|--:|"]
    for (case, server), taken in samples.items():
        cpu, rate, p50, p99 = median(taken)
        own = samples.get((case, "sheaf"))
        ratio = f"{cpu / median(own)[0]:.2f}" if own else ""
        lines.append(f"| {case} | {server} | {cpu:,.0f} | {ratio} | {rate:,.0f} | {p50 / 1e3:.2f} | {p99 / 1e3:.2f} |")
    return "\n".join(lines)


def report(samples, servers, name, files, load):
    size = sum(map(len, files.values()))
    rss = "\n".join(f"| {s.name} | {s.peak_rss_mib():.0f} |" for s in servers)
    known = versions()
    return f"""# Benchmarks

Made by `make bench` on {datetime.date.today()}; run it to measure your own machine.

{table(samples)}

| Server | peak RSS MiB |
|---|--:|
{rss}

## What was measured

- Machine: {machine()}. Load average before the run: {load:.1f}; above 0.3 or so, something else was running,
  which shows in rates and p99 first.
- Servers: {"; ".join(f"{s.name} {known[s.name]}" for s in servers)}.
- The server runs on core 0, the load on core 1, over loopback. {ROUNDS} rounds of {SECONDS} s for each line, the servers in
  turn within a round, after a warm-up of {WARMUP} s for each ({PUSH_WARMUP} s for push); every figure is the median of the rounds.
- CPU is user and system time of the whole server process (nginx: master and worker) over the requests served. It is the
  figure to trust; rates and latencies come from a closed loop ({CONNECTIONS} connections for reads, one for pushes) and move with
  whatever else the machine does.
- Sheaf checks an API key on every request and reads from a private bundle. docker-registry and nginx run without any
  authentication.
- Durability: Sheaf syncs a push to disk before it answers, files and directories; docker-registry syncs files only.
- `resolve` has no counterpart in docker-registry, whose clients ask for the manifest by tag. nginx serves the answer's bytes
  from a file, as it does in the other rows: it is the floor, not a registry.
- `push` publishes `{name}` ({len(files)} files, {size:,} bytes) as a new version in which one file has changed. Sheaf takes it as
  one JSON request; docker-registry as an OCI client sends it: HEAD for each blob, POST and PUT for the two new ones, PUT
  of the manifest.
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
            cases = seed(servers, name, files)
            releases = {server.name: Releases(f"bench/{name}", files) for server in servers}
            text = report(measure(servers, cases, releases), servers, name, files, load)
        finally:
            for server in servers:
                server.stop()
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text(text)
    print(text)


main()
