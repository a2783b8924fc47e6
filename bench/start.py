"""Runs commands in interleaved rounds and writes their costs into docs/benchmarks.md. Started by bench/start."""

import datetime
import os
import pathlib
import re
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time

import parts
from servers import start_docker_registry, start_sheaf

ROUNDS = int(os.environ.get("START_ROUNDS", "20"))
OUT = pathlib.Path(os.environ.get("START_OUT", "docs/benchmarks.md"))
REFERENCE = "bench/kit"


class Case:
    """One line: a command, and the folders that must be empty for each run.

    Each run gets new folders, because ext4 creates files slowly for some seconds after others were removed.
    """

    def __init__(self, name, program, command, empty=(), environment=None):
        self.name, self.program, self.command, self.empty = name, program, command, empty
        self.environment = {**os.environ, **(environment or {})}
        self.wall, self.cpu, self.runs = [], [], 0

    def fresh(self, text):
        for folder in self.empty:
            text = f"{folder}-{self.runs}".join(text.split(folder))
        return text

    def run(self, counts):
        self.runs += 1
        command = [self.fresh(word) for word in self.command]
        environment = {name: self.fresh(text) for name, text in self.environment.items()}
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        done = subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode:
            raise SystemExit(f"bench: {' '.join(command)}: {done.stderr[-2000:]}")
        if counts:
            self.wall.append(wall * 1000)
            self.cpu.append((after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1000)

    def line(self):
        return f"| {self.name} | {self.program} | {statistics.median(self.cpu):,.0f} | {statistics.median(self.wall):,.0f} |"


def bundle():
    root = pathlib.Path(os.environ["SHEAF_CORPUS"])
    return next(root / name for name in ("azure-autopilot", "linux-triage") if (root / name).is_dir())


def cases(sheaf, registry, folder):
    here = f"127.0.0.1:{sheaf.port}/{REFERENCE}:1.0.0"
    there = f"127.0.0.1:{registry.port}/{REFERENCE}:1.0.0"
    url = {"SHEAF_URL": sheaf.base, "SHEAF_API_KEY": ""}
    plain = ["--plain-http"]
    free = ["--src-tls-verify=false"]
    starts = [
        Case("the launcher alone", "sheaf --print-java-home", ["./sheaf", "--print-java-home"]),
        Case("version", "sheaf --version", ["./sheaf", "--version"]),
        Case("version", "oras version", ["oras", "version"]),
        Case("version", "skopeo --version", ["skopeo", "--version"]),
        Case("resolve", "sheaf resolve", ["./sheaf", "resolve", REFERENCE], environment=url),
        Case("resolve", "oras resolve", ["oras", "resolve", *plain, here]),
        Case("resolve", "skopeo inspect --raw", ["skopeo", "inspect", "--raw", "--tls-verify=false", f"docker://{here}"]),
    ]
    pulls = []
    for state in ("cold", "warm", "again"):
        def case(program, where, command, target, cache=None, environment=None, state=state):
            place = f"{folder}/{re.sub('[^a-z]', '-', program + where)}-{state}"
            emptied = {"cold": (target, cache), "warm": (target,), "again": ()}[state]
            names = {"{target}": f"{place}-out", "{cache}": f"{place}-cache"}
            words = [names["{target}"].join(word.split("{target}")) for word in command]
            filled = {key: names["{cache}"] for key in (environment or {}) if environment[key] == "{cache}"}
            return Case(f"pull, {state}", f"{program} from {where}", words,
                        [names[folder_] for folder_ in emptied if folder_], {**(environment or {}), **filled})

        pulls.append(case("sheaf pull", "Sheaf", ["./sheaf", "pull", REFERENCE, "-o", "{target}"], "{target}", "{cache}",
                          {**url, "SHEAF_CACHE_DIR": "{cache}"}))
        for where, reference in (("Sheaf", here), ("docker-registry", there)):
            pulls.append(case("oras pull", where, ["oras", "pull", *plain, reference, "-o", "{target}"], "{target}", "{cache}",
                              {"ORAS_CACHE": "{cache}"}))
            pulls.append(case("skopeo copy", where, ["skopeo", "copy", *free, f"docker://{reference}", "oci:{target}:kit"],
                              "{target}"))
    # skopeo has no cache: without its target it fetches everything.
    return starts, [pull for pull in pulls if not (pull.program.startswith("skopeo") and pull.name.endswith("warm"))]


class Figures:
    """A line of the table, measured by another program."""

    def __init__(self, name, program, cpu, wall):
        self.name, self.program, self.cpu, self.wall = name, program, [cpu], [wall]

    line = Case.line


def sdk(sheaf, folder):
    """Measures the same pulls in a running program."""
    jar = next(pathlib.Path("cli/target").glob("sheaf-cli-*[0-9].jar"))
    java = subprocess.run(["./sheaf", "--print-java-home"], check=True, capture_output=True, text=True).stdout.strip()
    done = subprocess.run([f"{java}/bin/java", "-cp", str(jar), "bench/SdkPulls.java", sheaf.base, REFERENCE, f"{folder}/sdk",
                           str(max(ROUNDS, 20))], check=True, stdout=subprocess.PIPE, text=True)
    for line in done.stdout.splitlines():
        state, cpu, wall = line.split()
        yield Figures(f"pull, {state}", "the SDK in a running program, from Sheaf", float(cpu), float(wall))


def measure(plan):
    for turn in range(ROUNDS + 1):
        print(f"bench: {f'round {turn} of {ROUNDS}' if turn else 'warm-up'}", file=sys.stderr)
        for case in plan:
            case.run(turn > 0)


def median(pulls, state, words):
    """Returns the lowest medians of these pulls: (CPU ms, wall ms)."""
    chosen = [pull for pull in pulls if pull.name == f"pull, {state}" and pull.program.startswith(words)]
    return tuple(min(statistics.median(figures) for figures in kind)
                 for kind in ([pull.cpu for pull in chosen], [pull.wall for pull in chosen]))


def report(starts, pulls, source, load):
    files = [file for file in source.rglob("*") if file.is_file()]
    others = ("oras", "skopeo")
    own = {state: median(pulls, state, "sheaf") for state in ("cold", "warm", "again")}
    program = {state: median(pulls, state, "the SDK") for state in ("cold", "warm", "again")}
    best = {state: median(pulls, state, others) for state in ("cold", "warm", "again")}
    table = "\n".join(case.line() for case in (*starts, *pulls))
    return f"""## The cost of a command

Made by `make bench-start` on {datetime.date.today()}: medians of {ROUNDS} interleaved runs, for the whole process with its children, and
for `sheaf` with its launcher. Load average before the run: {load:.1f}. CPU is the more reliable figure; a load above one process per core
increases it too.

| Case | Command | CPU ms | wall ms |
|---|---|--:|--:|
{table}

- The pulls are of `{source.name}` ({len(files)} files, {sum(file.stat().st_size for file in files):,} bytes) over loopback without TLS, the same artifact from both servers.
- Cold: cache and target are empty. Warm: the cache has the content (oras with `ORAS_CACHE`; skopeo has no cache). Again: the target
  has it too. skopeo copies into an OCI layout. `sheaf` hashes all content in its cache and target; oras and skopeo trust it.
- Wall time, `sheaf` over the fastest other command: cold {own["cold"][1] / best["cold"][1]:.1f}, warm {own["warm"][1] / best["warm"][1]:.1f}, again {own["again"][1] / best["again"][1]:.1f}. `sheaf` warm over its own cold: {own["warm"][1] / own["cold"][1]:.2f} (CPU {own["warm"][0] / own["cold"][0]:.2f}).
- Most of the time of `sheaf` is the start of Java. A running program with the SDK does not need it: over the fastest other
  command, cold {program["cold"][1] / best["cold"][1]:.2f}, warm {program["warm"][1] / best["warm"][1]:.2f}, again {program["again"][1] / best["again"][1]:.2f}; its warm over its cold {program["warm"][1] / program["cold"][1]:.2f}.
"""


def main():
    # A terminated run must still stop its servers: an exception does that, a signal's default would not.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    servers, load, source = [], os.getloadavg()[0], bundle()
    with tempfile.TemporaryDirectory(prefix="sheaf-start-") as folder:
        try:
            sheaf = start_sheaf(folder)
            servers.append(sheaf)
            registry = start_docker_registry(folder)
            servers.append(registry)
            key = sheaf.headers["Authorization"].removeprefix("Bearer ")
            subprocess.run(["./sheaf", "push", str(source), f"{REFERENCE}:1.0.0", "--public"], check=True, capture_output=True,
                           env={**os.environ, "SHEAF_URL": sheaf.base, "SHEAF_API_KEY": key})
            subprocess.run(["skopeo", "copy", "--src-tls-verify=false", "--dest-tls-verify=false",
                            f"docker://127.0.0.1:{sheaf.port}/{REFERENCE}:1.0.0",
                            f"docker://127.0.0.1:{registry.port}/{REFERENCE}:1.0.0"], check=True, capture_output=True)
            starts, pulls = cases(sheaf, registry, folder)
            measure([*starts, *pulls])
            pulls = sorted([*pulls, *sdk(sheaf, folder)], key=lambda pull: ["pull, cold", "pull, warm", "pull, again"].index(pull.name))
        finally:
            for server in servers:
                server.stop()
    text = report(starts, pulls, source, load)
    OUT.write_text(parts.put(OUT.read_text() if OUT.exists() else "# Benchmarks\n", "start", text))
    print(text)


main()
