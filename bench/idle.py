"""Measures the cost of followers of events, and of claims of jobs, that wait while nothing happens: memory, CPU time and, on
PostgreSQL, transactions.

The server has a heap of 256 MiB. Readers are plain sockets of this process, from several loopback addresses, because one
address gets only a share of the connections. They read the answers and drop them.
"""

import argparse
import datetime
import json
import os
import pathlib
import resource
import selectors
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

import parts
import servers

EACH_ADDRESS = 500
WARM = 200
SETTLE = 5  # seconds of rest before memory is read
servers.CORE = ",".join(map(str, sorted(os.sched_getaffinity(0))))  # with one core, Java would choose another collector
STREAM, POLL, CLAIM = "streams (SSE)", "long polls", "claims of jobs"


def queue(server):
    """Returns the id of a queue that stays empty."""
    request = urllib.request.Request(server.base + "/v1/organizations/default/queues", b'{"slug":"idle","name":"Idle"}',
                                     {**server.headers, "Content-Type": "application/json"})
    try:
        return json.load(urllib.request.urlopen(request))["id"]
    except urllib.error.HTTPError as answer:
        if answer.code != 409:
            raise
    there = urllib.request.Request(server.base + "/v1/organizations/default/queues/idle", headers=server.headers)
    return json.load(urllib.request.urlopen(there))["id"]


class Readers:
    """Followers of one feed, or claims of one queue, each on its own connection."""

    def __init__(self, server, kind):
        self.server, self.kind = server, kind
        self.selector = selectors.DefaultSelector()
        self.answers = 0
        auth = "".join(f"{name}: {value}\r\n" for name, value in server.headers.items())
        what, more, body = {
            STREAM: ("GET /v1/organizations/default/events?after=latest", "Accept: text/event-stream\r\n", ""),
            POLL: ("GET /v1/organizations/default/events?after=latest&wait=30", "", ""),
            CLAIM: ("POST /v1/runner/jobs:claim?wait_timeout_seconds=55",
                    "Content-Type: application/json\r\nContent-Length: {}\r\n", '{"queueId":"%s"}'),
        }[kind]
        if kind == CLAIM:
            body %= queue(server)
        self.request = (f"{what} HTTP/1.1\r\nHost: 127.0.0.1\r\n{auth}{more.format(len(body))}\r\n{body}").encode()

    def add(self, count):
        for index in range(count):
            sock = socket.socket()
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
            sock.bind((f"127.0.0.{2 + index // EACH_ADDRESS}", 0))
            sock.connect(("127.0.0.1", self.server.port))
            sock.sendall(self.request)
            sock.setblocking(False)
            self.selector.register(sock, selectors.EVENT_READ)
            if index % 100 == 99:
                self.read(0.02)

    def read(self, seconds):
        """Reads for this time; repeats each request that was answered, except streams."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            for key, _ in self.selector.select(left):
                data = key.fileobj.recv(65536)
                if not data:
                    raise SystemExit(f"idle: the server ended one of the {self.kind}")
                if data.startswith(b"HTTP/1.1"):
                    if not data.startswith((b"HTTP/1.1 200", b"HTTP/1.1 204")):
                        raise SystemExit(f"idle: refused: {data[:200]!r}")
                    self.answers += 1
                    if self.kind != STREAM:
                        key.fileobj.sendall(self.request)

    def close(self):
        for key in list(self.selector.get_map().values()):
            key.fileobj.close()
        self.selector.close()


def rss(server):
    for line in pathlib.Path(f"/proc/{server.process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise SystemExit("idle: the server is gone")


def transactions(url):
    """Returns the number of transactions so far; None for SQLite."""
    if not url:
        return None
    query = "SELECT sum(xact_commit + xact_rollback) FROM pg_stat_database WHERE datname = current_database()"
    done = subprocess.run(["psql", "-tAc", query, url.removeprefix("jdbc:")], capture_output=True, text=True, check=True)
    return int(done.stdout)


def warm(server):
    """Sends the first requests, so that their lasting memory is not counted for the readers."""
    for kind in (STREAM, POLL, CLAIM):
        readers = Readers(server, kind)
        readers.add(WARM)
        readers.read(SETTLE)
        readers.close()


def measure(folder, kind, count, seconds, options, url):
    env = {"SHEAF_MAX_CONNECTIONS": str(count + 3 * WARM), "SHEAF_MAX_FOLLOWERS": str(2 * count + 3 * WARM),
           "SHEAF_MAX_CONNECTIONS_PER_ADDRESS": str(EACH_ADDRESS + 3 * WARM),
           "SHEAF_JAVA_OPTS": f"-Xmx256m {options}", **({"SHEAF_DATABASE_URL": url} if url else {})}
    server = servers.start_sheaf(folder, "idle-" + kind.split()[0], env)
    try:
        warm(server)
        time.sleep(SETTLE)
        cpu, since, asked = server.cpu_seconds(), time.monotonic(), transactions(url)
        time.sleep(seconds)
        before = rss(server)
        quiet = (server.cpu_seconds() - cpu) / (time.monotonic() - since)
        quiet_asked = None if asked is None else transactions(url) - asked
        readers = Readers(server, kind)
        readers.add(count)
        readers.read(SETTLE)
        cpu, since, asked = server.cpu_seconds(), time.monotonic(), transactions(url)
        readers.read(seconds)
        busy = (server.cpu_seconds() - cpu) / (time.monotonic() - since)
        busy_asked = None if asked is None else transactions(url) - asked
        after = rss(server)
        if os.environ.get("IDLE_LOOK"):  # such as "jcmd {pid} GC.class_histogram"
            subprocess.run(os.environ["IDLE_LOOK"].format(pid=server.process.pid), shell=True)
        readers.close()
    finally:
        server.stop()
    asked = "" if busy_asked is None else f"{quiet_asked} and {busy_asked}"
    row = (f"| {count:,} {kind} | {before:.0f} | {after:.0f} | **{after - before:.0f}** | {(after - before) * 1024 / count:.1f} "
           f"| {quiet * 1000:.0f} and {busy * 1000:.0f} | {asked or '-'} |")
    print(row, flush=True)
    return row


def main():
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--out", default="docs/benchmarks-features.md")
    asked.add_argument("--readers", type=int, default=5000, help="at most 10,000")
    asked.add_argument("--seconds", type=int, default=40, help="how long they wait")
    asked.add_argument("--options", default="", help="further options for the JVM")
    asked.add_argument("--database-url", default="", help="an empty database on PostgreSQL; default: SQLite")
    asked.add_argument("--kinds", default=f"{STREAM},{POLL},{CLAIM}")
    given = asked.parse_args()
    count = min(given.readers, 10_000)
    wanted = 2 * count + 500
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted, hard), hard))
    with tempfile.TemporaryDirectory(prefix="sheaf-idle-") as folder:
        rows = [measure(folder, kind, count, given.seconds, given.options, given.database_url)
                for kind in given.kinds.split(",")]
    if given.out == "-":
        return
    load = os.getloadavg()[0]
    text = f"""## Waiting followers

Made by `make bench-idle` on {datetime.date.today()}, with a load of {load:.1f} at the end: a node with `-Xmx256m`, and readers of one feed of
events or workers of one queue from {-(-count // EACH_ADDRESS)} addresses over plain HTTP/1.1, while nothing happens. Memory is the RSS of the process.
A stream gets a comment every 15 s. A poll is answered after 30 s, a claim of an empty queue after 55 s, and both are repeated.
The last two columns compare {given.seconds} s without and with readers; transactions are those of PostgreSQL.

| Readers | MiB before | MiB with readers | more | KiB each | CPU ms/s | transactions |
|---|--:|--:|--:|--:|--:|--:|
{chr(10).join(rows)}
"""
    out = pathlib.Path(given.out)
    out.write_text(parts.put(out.read_text() if out.exists() else parts.FEATURES, "idle", text))


main()
