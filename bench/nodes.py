#!/usr/bin/env python3
"""Measures several nodes on one PostgreSQL: publishes by many writers if a commit costs more or less, the work of the database
with 3 and 100 nodes, and the CPU time of reads on 1, 2 and 3 nodes. Prints tables.

    bench/nodes.py [--parts publish,work,requests] [--seconds 10] [--publishes 40]

Starts and stops PostgreSQL, nodes (ManyNodes.java) and clients (wrk, and Python for a fixed rate) itself, on loopback. All of
them share all cores. BENCH_CLASS_PATH may name other classes of the server than those of `make build`.
"""

import argparse
import base64
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import threading
import time
import urllib.request

import load
import parts
import postgres
import servers

TOP = pathlib.Path(__file__).resolve().parent.parent
WRITERS, MICROS = (1, 8, 32), (100, 5000, 50000)
FEW, MANY = 3, 100
LOAD = {"publishes": 40, "reads": 160}  # a second
BUNDLES = 20  # of each writer
NOTES = "Notes of a bundle. " * 50
RATES = [f"rate-{kind}=0" for kind in ("anonymous-reads", "reads", "writes", "content", "runner", "failed-authentications")]

# Each thread of wrk is a writer with one connection: its organization's key is the argument of that number.
WRITER = """
local threads = 0
function setup(thread) thread:set("number", threads); threads = threads + 1 end
function init(args)
  sent, run, handle = 0, args[1], args[2 * number + 2]
  headers = {["Authorization"] = "Bearer " .. args[2 * number + 3], ["Content-Type"] = "application/json"}
end
function request()
  sent = sent + 1
  local bundle = sent %% %d
  return wrk.format("POST", "/v1/namespaces/" .. handle .. "/bundles/b" .. bundle .. ":push", headers,
    '{"name": "Notes", "visibility": "private", "version": "' .. run .. "." .. sent .. '.0", "manifest": [{"logicalPath": "notes.md", '
    .. '"assetType": "context", "contentText": "%s' .. number .. "/" .. run .. "/" .. sent .. '"}]}')
end
""" % (BUNDLES, NOTES)


def class_path():
    """Returns the class path of the server: a given one, or what was built."""
    found = list((TOP / "server/target").glob("sheaf-server-[0-9]*.jar"))
    given = os.environ.get("BENCH_CLASS_PATH")
    if not given and not found:
        raise SystemExit("bench: run make build first")
    return given or f"{found[0]}:{found[0].parent}/lib/*"


class Process:
    """A process with some nodes."""

    def __init__(self, folder, name, count, settings):
        java = subprocess.run(["./sheaf", "--print-java-home"], cwd=TOP, capture_output=True, text=True, check=True).stdout.strip()
        self.folder, self.log = pathlib.Path(folder, name), open(pathlib.Path(folder, name + ".log"), "wb")
        self.process = subprocess.Popen(
            [f"{java}/bin/java", f"@{TOP}/packaging/server.options", "-Xmx2g", "--enable-native-access=ALL-UNNAMED", "-cp", class_path(),
             "bench/ManyNodes.java", str(count), str(self.folder), *settings],
            cwd=TOP, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, text=True)
        self.ports = list(map(int, self.process.stdout.readline().split()))
        if not self.ports:
            raise SystemExit("bench: a node did not start; see " + self.log.name)

    def cpu_seconds(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / servers.TICK

    def stop(self):
        self.process.stdin.close()
        self.process.wait(60)
        self.log.close()


class Installation:
    """A PostgreSQL and processes with nodes on it."""

    def __init__(self, folder, settings=(), slow=False):
        self.folder, self.settings = folder, list(settings)
        self.database = postgres.Postgres(folder, slow)
        self.settings += [f"database-url={self.database.url}", "database-user=sheaf",
                          "master-key=" + base64.b64encode(os.urandom(32)).decode()]
        self.processes, self.writers = [], []

    def add(self, count, name=None, **more):
        name = name or f"nodes-{len(self.processes)}"
        if self.processes:  # as ManyNodes.java does for its own
            mark = pathlib.Path(self.folder, name, "node-0/content/installation")
            mark.parent.mkdir(parents=True)
            shutil.copy(self.processes[0].folder / "node-0/content/installation", mark)
        self.processes.append(Process(self.folder, name, count,
                                      self.settings + [f"{key}={value}" for key, value in more.items()]))
        if len(self.processes) == 1:
            first = self.processes[0].folder / "node-0"
            self.key = (first / "bootstrap/admin-api-key").read_text().strip()
        return self.processes[-1]

    def ports(self):
        return [port for process in self.processes for port in process.ports]

    def send(self, method, path, body=None, key=None, port=None, **headers):
        request = urllib.request.Request(f"http://127.0.0.1:{port or self.ports()[0]}{path}", body and body.encode(), method=method, headers={
            "Authorization": f"Bearer {key or self.key}", "Content-Type": "application/json",
            **{name.replace("_", "-"): value for name, value in headers.items()}})
        with urllib.request.urlopen(request) as answer:
            return answer.read(), answer.headers

    def organizations(self, count):
        """Returns (handle, key) of this many organizations."""
        while len(self.writers) < count:
            handle = f"writer{len(self.writers)}"
            made, _ = self.send("POST", "/v1/organizations", json.dumps({"handle": handle, "name": handle}))
            self.writers.append((handle, json.loads(made)["adminKey"]["key"]))
        return self.writers[:count]

    def push(self, handle, key, bundle, version, port=None):
        self.send("POST", f"/v1/namespaces/{handle}/bundles/{bundle}:push", json.dumps({
            "name": "Notes", "visibility": "private", "version": version, "manifest": [
                {"logicalPath": "notes.md", "assetType": "context", "contentText": f"{NOTES}{handle}/{bundle}/{version}"}]}), key, port)

    def stop(self):
        for process in self.processes:
            process.stop()
        self.database.stop()


def publishes(place, writers, seconds, run):
    """Returns (per second, p50 ms, p99 ms, CPU ms of the node per publish, of PostgreSQL)."""
    script = pathlib.Path(place.folder, "writer.lua")
    script.write_text(WRITER)
    node = place.processes[0]
    arguments = [str(run), *(text for pair in place.organizations(writers) for text in pair)]
    before = node.cpu_seconds(), place.database.cpu_seconds()
    out = subprocess.run(["wrk", f"-t{writers}", f"-c{writers}", f"-d{seconds}s", "--timeout", "30s", "--latency", "-s", script, f"http://127.0.0.1:{node.ports[0]}",
                          "--", *arguments], check=True, capture_output=True, text=True).stdout
    cpu = node.cpu_seconds() - before[0], place.database.cpu_seconds() - before[1]
    if "Non-2xx" in out or "Socket errors" in out:
        raise SystemExit("bench: a publish failed:\n" + out)
    lines = [line.split() for line in out.splitlines()]
    count, took = next((int(line[0]), load.micros(line[3].rstrip(","))) for line in lines if line[1:3] == ["requests", "in"])
    p50, p99 = (next(load.micros(line[1]) / 1e3 for line in lines if line[:1] == [name]) for name in ("50%", "99%"))
    return count / took * 1e6, p50, p99, cpu[0] / count * 1e3, cpu[1] / count * 1e3


def publish_part(folder, seconds):
    rows = ["| A commit costs | Writers | publishes/s | p50, p99 ms | CPU ms per publish: node | PostgreSQL |", "|--:|--:|--:|--:|--:|--:|"]
    place = Installation(pathlib.Path(tempfile.mkdtemp(dir=folder)), settings=RATES, slow=True)
    place.add(1)
    publishes(place, 8, 2 * seconds, 1)  # until it is compiled
    publishes(place, 32, 2 * seconds, 2)
    run = 2
    for micros in MICROS:
        place.database.set_commit(micros)
        for writers in WRITERS:
            run += 1
            rate, p50, p99, own, there = publishes(place, writers, seconds, run)
            rows.append(f"| {micros / 1000:g} ms more | {writers} | {rate:,.0f} | {p50:.1f}, {p99:.1f} | {own:.1f} | {there:.1f} |")
            print(rows[-1], flush=True)
    place.stop()
    return rows


def paced(per_second, seconds, work):
    """Calls work(number) this often a second, in four threads."""
    begin = time.monotonic()

    def run(first):
        for number in range(first, int(per_second * seconds), 4):
            time.sleep(max(0.0, begin + number / per_second - time.monotonic()))
            work(number)
    threads = [threading.Thread(target=run, args=(first,)) for first in range(4)]
    for thread in threads:
        thread.start()
    return threads


def mixed(place, ports, seconds, run):
    """Sends the load to these nodes in turn: publishes, and reads of what was published first."""
    writers = place.organizations(32)
    digests = {}
    for number, (handle, key) in enumerate(writers):
        place.push(handle, key, "read", f"0.{run}.0", ports[number % len(ports)])
        answer, _ = place.send("GET", f"/v1/namespaces/{handle}/bundles/read:resolve", key=key)
        digests[handle] = json.loads(answer)["ociDigest"]

    def publish(number):
        handle, key = writers[number % len(writers)]
        place.push(handle, key, f"b{number % BUNDLES}", f"{run}.{number}.0", ports[number % len(ports)])

    def read(number):
        handle, key = writers[number % len(writers)]
        path = f"/v1/namespaces/{handle}/bundles/read:resolve" if number % 2 else f"/v2/{handle}/read/manifests/{digests[handle]}"
        place.send("GET", path, key=key, port=ports[number % len(ports)])
    threads = paced(LOAD["publishes"], seconds, publish) + paced(LOAD["reads"], seconds, read)
    for thread in threads:
        thread.join()


def measured(place, seconds, work):
    """Returns what PostgreSQL does in a second while work(seconds) runs."""
    place.database.ask("SELECT pg_stat_statements_reset()")
    before, begin = place.database.work(), time.monotonic()
    work()
    took = time.monotonic() - begin
    after = place.database.work()
    return [(new - old) / took for old, new in zip(before, after)]


def work_part(folder, seconds):
    place = Installation(pathlib.Path(tempfile.mkdtemp(dir=folder)))
    place.add(FEW)
    ports = place.ports()
    mixed(place, ports, 6, 1)
    rows, run = {}, 2
    for nodes in (FEW, MANY):
        if nodes > len(place.ports()):
            place.settings.append("database-connections=2")
            place.add(nodes - FEW)
            time.sleep(5)
        rows[f"{nodes} nodes, no requests"] = measured(place, seconds, lambda: time.sleep(seconds))
        run += 1
        rows[f"{nodes} nodes, {LOAD['publishes']} publishes and {LOAD['reads']} reads a second"] = measured(place, seconds, lambda: mixed(place, ports, seconds, run))
    place.stop()
    table = ["| Nodes | statements/s | ms of statements/s | WAL bytes/s | CPU ms/s of PostgreSQL |", "|---|--:|--:|--:|--:|"]
    return table + [f"| {name} | {calls:,.0f} | {ms:.1f} | {wal:,.0f} | {cpu * 1e3:.0f} |" for name, (calls, ms, wal, cpu) in rows.items()]


def reads(place, path, key, seconds):
    """Reads this path on all nodes at once. Returns (requests, CPU microseconds and bytes of each, statements of all)."""
    before, did = sum(node.cpu_seconds() for node in place.processes), place.database.work()
    loads = [subprocess.Popen(["wrk", "-t1", "-c2", f"-d{seconds}s", "-H", f"Authorization: Bearer {key}", f"http://127.0.0.1:{port}{path}"],
                              stdout=subprocess.PIPE, text=True) for port in place.ports()]
    outs = [wrk.communicate()[0] for wrk in loads]
    cpu, asked = sum(node.cpu_seconds() for node in place.processes) - before, place.database.work()[0] - did[0]
    if any("Non-2xx" in out for out in outs):
        raise SystemExit("bench: a read failed:\n" + outs[0])
    count, size = 0, 0
    for out in outs:
        words = next(line.split() for line in out.splitlines() if "requests in" in line)
        count += int(words[0])
        size += float(words[4][:-2]) * {"KB": 2**10, "MB": 2**20, "GB": 2**30}[words[4][-2:]]
    return count, cpu / count * 1e6, size / count, asked


def requests_part(folder, seconds):
    place, table = Installation(pathlib.Path(tempfile.mkdtemp(dir=folder)), settings=RATES), {}
    for nodes in (1, 2, 3):
        place.add(1)
        handle, key = place.organizations(1)[0]
        if nodes == 1:
            place.push(handle, key, "read", "1.0.0")
            found = json.loads(place.send("GET", f"/v1/namespaces/{handle}/bundles/read:resolve", key=key)[0])
        for name, path in {"resolve": f"/v1/namespaces/{handle}/bundles/read:resolve",
                           "GET manifest": f"/v2/{handle}/read/manifests/{found['ociDigest']}",
                           "GET blob of 1 KB": f"/v2/{handle}/read/blobs/sha256:{found['manifest']['layers'][0]['contentSha256']}"}.items():
            reads(place, path, key, 2 * seconds)  # until it is compiled
            count, cpu, size, asked = reads(place, path, key, seconds)
            table.setdefault(name, [f"{size:,.0f}"]).append(f"{cpu:.0f}")
            print(name, nodes, count, f"{cpu:.1f} us, {asked:.0f} statements in all", flush=True)
    place.stop()
    return ["| Request | bytes | CPU us on one node | two | three |", "|---|--:|--:|--:|--:|"] + [
        f"| {name} | {' | '.join(cells)} |" for name, cells in table.items()]


PARTS = {"publish": publish_part, "work": work_part, "requests": requests_part}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--parts", default=",".join(PARTS))
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--publishes", type=int, default=LOAD["publishes"], help="a second, of the part work")
    arguments = parser.parse_args()
    LOAD["publishes"] = arguments.publishes
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        for name in arguments.parts.split(","):
            print("\n".join(PARTS[name](folder, arguments.seconds)), flush=True)


if __name__ == "__main__":
    main()
