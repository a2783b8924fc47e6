#!/usr/bin/env python3
"""Measures queues: jobs per second, how soon a waiting claim gets a new job, and the cost of a claim if many jobs wait.

    bench/queues.py [--warm 60] [--seconds 20] [--jobs 1500] [--deep 900000] [--parts throughput,latency,depth] [--out docs/benchmarks-features.md]
    bench/queues.py --url 'jdbc:postgresql://host/empty?user=..&password=..'     three nodes on PostgreSQL (psql), or as many as --nodes says

Starts and stops its servers and clients (JobLoad.java) itself, on loopback.
"""

import argparse
import datetime
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import tempfile

import load
import parts
import servers

CLIENTS, WAITERS, PAUSE = 16, 50, 20
ROUNDS, AT_ONCE = 20, 100
TARGETS = {"SQLite": 500, "PostgreSQL": 250}  # jobs a second
SAME, OTHER = 100, 1000  # milliseconds
PARTS = "throughput,latency,depth"
servers.CORE = ",".join(map(str, sorted(os.sched_getaffinity(0))))  # clients and database use the same cores

# The columns of a waiting job that are copied from a job that the server created; the others get their defaults.
COPIED = "organization_id, queue_id, habitat_id, job_type, status, priority, input, last_attempt, created_at, created_by"
SQLITE_ROWS = f"""
    WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < :count)
    INSERT INTO job (id, place, {COPIED})
    SELECT printf('00000000-0000-7000-8000-%012x', n), place - n, {COPIED} FROM number, (SELECT * FROM job WHERE id = :job)"""
POSTGRESQL_ROWS = f"""
    INSERT INTO job (id, place, {COPIED})
    SELECT '00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'), place - n, {COPIED}
    FROM generate_series(1, %d) AS n, (SELECT * FROM job WHERE id = '%s') AS one"""
COUNTS = """
    INSERT INTO job_count (scope_id, status, shard, count) VALUES ('{queue}', 'queued', 0, {count}),
    ('{organization}', 'waiting', 0, {count})
    ON CONFLICT (scope_id, status, shard) DO UPDATE SET count = job_count.count + excluded.count"""


class Nodes:
    """The nodes of one installation."""

    def __init__(self, folder, url, count):
        self.folder, self.url, self.all = folder, url, []
        for index in range(count):
            self.start(f"node{index}")

    def start(self, name):
        """Starts a node; with an existing folder, starts that node again."""
        env = {**servers.RATES, "SHEAF_JAVA_OPTS": "-Xmx512m"}
        data = pathlib.Path(self.folder, name)
        if self.url:
            env["SHEAF_DATABASE_URL"] = self.url
            if self.all:
                env["SHEAF_MASTER_KEY"] = pathlib.Path(self.folder, "node0/secrets/master-key").read_text().strip()
                mark = data / "content/installation"  # the content is small, so it needs no bucket
                mark.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(pathlib.Path(self.folder, "node0/content/installation"), mark)
        port = servers.free_port()
        server = servers.Server(name, ["./sheaf", "serve", "--port", str(port), "--data-dir", str(data)], port,
                                self.folder, env, ready="/health/ready")
        self.all.append(server)
        self.key = pathlib.Path(self.folder, "node0/bootstrap/admin-api-key").read_text().strip()
        server.headers = {"Authorization": f"Bearer {self.key}"}
        return server

    def restart(self, between):
        """Restarts the only node and calls `between` while it is down."""
        self.all.pop().stop()
        between()
        self.start("node0")

    def addresses(self):
        return ",".join(f"127.0.0.1:{server.port}" for server in self.all)

    def pids(self):
        return ",".join(str(server.process.pid) for server in self.all)

    def send(self, path, body):
        _, text = load.Connection(self.all[0]).send("POST", path, json.dumps(body).encode(), Content_Type="application/json")
        return json.loads(text)

    def queue(self, name):
        return self.send("/v1/organizations/default/queues",
                         {"slug": name, "name": name, "maxDepth": 1_000_000})["id"]

    def load(self, *arguments):
        java = subprocess.run(["./sheaf", "--print-java-home"], capture_output=True, text=True, check=True).stdout.strip()
        done = subprocess.run([f"{java}/bin/java", "-Xmx256m", "bench/JobLoad.java", *map(str, arguments)], text=True,
                              stdout=subprocess.PIPE, env={**os.environ, "KEY": self.key})
        if done.returncode:
            raise SystemExit("queues: the clients failed; the servers' logs are in " + str(self.folder))
        return json.loads(done.stdout)

    def stop(self):
        for server in self.all:
            server.stop()


def throughput(nodes, warm, seconds):
    """Returns rows of the table, and whether the target was reached."""
    got = nodes.load("throughput", nodes.queue("throughput"), nodes.addresses(), CLIENTS, warm, seconds, nodes.pids())
    rate = got["jobs"] / got["seconds"]
    cost, whole = (got[ticks] / servers.TICK / max(1, got["jobs"]) * 1000 for ticks in ("ticks", "all"))
    target = TARGETS["PostgreSQL" if nodes.url else "SQLite"]
    rows = [f"| {CLIENTS} clients, each job enqueued, claimed, started and completed: jobs per second, after {warm} s of warm-up | **{rate:.0f}** (target {target}) |",
            f"| CPU time of the server{'s' * (len(nodes.all) > 1)} per job; of the whole machine, with the clients{', PostgreSQL' * bool(nodes.url)} and "
            f"other programs | {cost:.1f}; {whole:.1f} ms |"]
    for verb in ("enqueue", "claim", "start", "complete"):
        rows.append(f"| {verb}: median, p99 | {got[verb][0]:.1f}, {got[verb][1]:.1f} ms |")
    return rows, rate >= target


def latency(nodes, jobs):
    rows, good = [], True
    for node, place, target in zip(nodes.all, ("the same node", "another node"), (SAME, OTHER)):
        got = nodes.load("latency", nodes.queue("latency-" + place.split()[0]), f"127.0.0.1:{node.port}",
                         f"127.0.0.1:{nodes.all[0].port}", WAITERS, jobs, PAUSE)
        if got["lost"]:
            raise SystemExit(f"queues: {got['lost']} of {jobs} jobs were not handed out on {place} within 20 s")
        begin, answer = got["begin"], got["answer"]
        rows.append(f"| {WAITERS} claims wait on {place}, a job every {PAUSE} ms: from the start of its enqueue to the claim's "
                    f"answer, median, p99, highest | {begin[0]:.1f}, **{begin[1]:.1f}** (target {target}), {begin[2]:.1f} ms |")
        rows.append(f"| the same from the enqueue's answer | {answer[0]:.1f}, {answer[1]:.1f}, {answer[2]:.1f} ms |")
        good = good and begin[1] <= target
    return rows, good


def psql(url, sql):
    done = subprocess.run(["psql", "-v", "ON_ERROR_STOP=1", "-qtAc", sql, url.removeprefix("jdbc:")], capture_output=True,
                          text=True)
    if done.returncode:
        raise SystemExit("queues: " + done.stderr)


def fill(nodes, queue, count):
    """Inserts jobs directly into the database, because the API would take an hour."""
    job = nodes.send(f"/v1/organizations/default/queues/{queue}/jobs", {})
    counts = COUNTS.format(queue=queue, organization=job["organizationId"], count=count)
    if nodes.url:
        psql(nodes.url, POSTGRESQL_ROWS % (count, job["id"]))
        psql(nodes.url, counts)
        psql(nodes.url, "VACUUM ANALYZE job")
        return

    def insert():
        with sqlite3.connect(pathlib.Path(nodes.folder, "node0/sheaf.db")) as database:
            database.execute(SQLITE_ROWS, {"count": count, "job": job["id"]})
            database.execute(counts)
        database.close()
    nodes.restart(insert)


def depth(nodes, deep):
    """Measures claims with few and with many waiting jobs, in turn on the same warm server."""
    few, many = nodes.queue("few"), nodes.queue("many")
    fill(nodes, many, deep)
    got = {few: [], many: []}
    for _ in range(2):
        for queue in got:
            got[queue].append(nodes.load("claims", queue, f"127.0.0.1:{nodes.all[0].port}", ROUNDS, nodes.all[0].process.pid))
    rows, costs = [], []
    for queue, waiting in ((few, AT_ONCE), (many, deep)):
        last = got[queue][-1]
        costs.append(last["ticks"] / servers.TICK / last["claims"] * 1000)
        rows.append(f"| a claim while {waiting:,} jobs wait: median, p99; CPU time of the server | {last['times'][0]:.2f}, "
                    f"{last['times'][1]:.2f} ms; {costs[-1]:.2f} ms |")
    return rows, costs[1] <= 2 * costs[0]


def main():
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--seconds", type=int, default=20, help="how long jobs are counted")
    asked.add_argument("--warm", type=int, default=60, help="seconds of warm-up, in which Java compiles frequent code")
    asked.add_argument("--nodes", type=int, default=3, help="number of nodes on PostgreSQL")
    asked.add_argument("--jobs", type=int, default=1500, help="number of jobs for waiting claims")
    asked.add_argument("--deep", type=int, default=900_000, help="number of jobs in the deep queue")
    asked.add_argument("--parts", default=PARTS)
    asked.add_argument("--out", default="-")
    asked.add_argument("--url", default="", help="an empty database on PostgreSQL; default: SQLite")
    given = asked.parse_args()
    kind = "PostgreSQL" if given.url else "SQLite"
    with tempfile.TemporaryDirectory(prefix="sheaf-queues-") as folder:
        nodes = Nodes(folder, given.url, given.nodes if given.url else 1)
        rows, missed = [], []
        try:
            for part in given.parts.split(","):
                made, good = {"throughput": lambda: throughput(nodes, given.warm, given.seconds),
                              "latency": lambda: latency(nodes, given.jobs),
                              "depth": lambda: depth(nodes, given.deep)}[part]()
                print("\n".join(made), flush=True)
                rows += made
                missed += [] if good else [part]
        finally:
            nodes.stop()
    if given.out != "-":
        out = pathlib.Path(given.out)
        name, title = ("queues-postgresql", "Queues on PostgreSQL") if given.url else ("queues", "Queues")
        where = f"{given.nodes} nodes, PostgreSQL" if given.url else "one node on SQLite"
        text = f"""## {title}

Made by `make bench-queues` on {datetime.date.today()}, with a load of {os.getloadavg()[0]:.1f} at the end: {where} and the clients share
{os.cpu_count()} processors. All claims name one queue; the jobs of the deep queue were inserted with SQL.

| What | |
|---|---|
{chr(10).join(rows)}
"""
        out.write_text(parts.put(out.read_text() if out.exists() else parts.FEATURES, name, text))
    if missed:
        raise SystemExit(f"queues: missed its target on {kind}: {', '.join(missed)}")


main()
