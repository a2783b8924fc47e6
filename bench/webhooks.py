#!/usr/bin/env python3
"""Measures webhooks: events to 20 receivers, 5 of them dead, simultaneous reads, and the cost of a publish for its caller.

    bench/webhooks.py [--events 10000] [--pace 30] [--out docs/benchmarks-features.md] [--url jdbc:postgresql://...]
                      [--receivers nginx|java]

Starts and stops the server and the receivers itself, on loopback. The receivers share the machine with the server, so they
are nginx if that is installed, which costs the least.
"""

import argparse
import concurrent.futures
import datetime
import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import parts

TOP = pathlib.Path(__file__).resolve().parent.parent
LIVE, DEAD = 15, ["error", "slow", "slow", "redirect", "refused"]


class Server:
    def __init__(self, folder, url):
        flags = ["--data-dir", f"{folder}/data", "--port", "0", "--webhook-http", "true",
                 "--webhook-private-addresses", "true"]
        for rate in ["anonymous-reads", "reads", "writes", "content", "runner", "failed-authentications"]:
            flags += [f"--rate-{rate}=0"]
        if url:
            flags += ["--database-url", url]
        self.log = open(f"{folder}/log", "ab")
        self.process = subprocess.Popen([TOP / "sheaf", "serve", *flags], stdout=subprocess.PIPE, stderr=self.log,
                                        text=True)
        for line in self.process.stdout:
            if line.startswith("Sheaf is up at "):
                self.port = int(line.split()[4].rstrip("/").rsplit(":", 1)[1])
                break
        else:
            raise SystemExit("webhooks: the server did not start; see " + self.log.name)
        threading.Thread(target=self.process.stdout.read, daemon=True).start()
        self.key = pathlib.Path(f"{folder}/data/bootstrap/admin-api-key").read_text().strip()

    def cpu(self):
        return cpu_of(self.process.pid)

    def stop(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        self.process.wait()


class Client:
    def __init__(self, server):
        self.server = server
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)

    def close(self):
        """Closes the connection, because the server ends idle ones. The next request opens another."""
        self.connection.close()

    def send(self, method, path, body=None):
        headers = {"Authorization": "Bearer " + self.server.key}
        if body is not None:
            headers["Content-Type"] = "application/json"
        self.connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = self.connection.getresponse()
        text = answer.read()
        if answer.status >= 300:
            raise SystemExit(f"webhooks: {method} {path}: {answer.status} {text.decode()}")
        return json.loads(text) if text else None


def cpu_of(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Nginx:
    """Receivers in nginx. It answers, and its log shows the received events."""

    NAME = "nginx"

    def __init__(self, folder):
        self.port, self.log, self.read, self.seen = free_port(), pathlib.Path(folder, "received"), 0, {}
        config = pathlib.Path(folder, "receivers.conf")
        places = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in
                         ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        config.write_text(f"""
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log stderr crit;
events {{ worker_connections 1024; }}
http {{
    {places}
    access_log off;
    log_format count '$uri $http_webhook_id';
    keepalive_requests 10000000;
    server {{
        listen 127.0.0.1:{self.port} backlog=1000;
        location /ok/ {{ access_log {self.log} count buffer=64k flush=100ms; return 204; }}
        location /error/ {{ return 500; }}
        location /redirect/ {{ return 302 /ok/0; }}
    }}
}}
""")
        self.process = subprocess.Popen(["nginx", "-e", "stderr", "-c", config])
        self.silent = socket.create_server(("127.0.0.1", 0), backlog=1000)  # never reads, never answers
        self.held = []
        threading.Thread(target=self.hold, daemon=True).start()
        if not until(self.log.exists, 10):
            raise SystemExit("webhooks: nginx did not start")

    def hold(self):
        try:
            while True:
                self.held = [*self.held[-500:], self.silent.accept()]
        except OSError:
            pass  # closed

    def url(self, path):
        port = self.silent.getsockname()[1] if path.startswith("/slow/") else self.port
        return f"http://127.0.0.1:{port}{path}"

    def counts(self):
        with self.log.open() as log:
            log.seek(self.read)
            for line in log:
                if not line.endswith("\n"):
                    break
                self.read += len(line)
                path, _, event = line.rstrip().partition(" ")
                events, requests = self.seen.get(path, (set(), 0))
                events.add(event)
                self.seen[path] = events, requests + 1
        return {path: (len(events), requests) for path, (events, requests) in self.seen.items()}

    def cpu(self):
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return sum(map(cpu_of, [self.process.pid, *children]))

    def stop(self):
        self.silent.close()
        self.process.terminate()
        self.process.wait()


class Java:
    NAME = "Java"

    def __init__(self, folder):
        java = subprocess.run([TOP / "sheaf", "--print-java-home"], capture_output=True, text=True).stdout.strip()
        self.process = subprocess.Popen([f"{java}/bin/java", "-Xmx128m", TOP / "bench/Receivers.java"],
                                        stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())

    def url(self, path):
        return f"http://127.0.0.1:{self.port}{path}"

    def cpu(self):
        return cpu_of(self.process.pid)

    def counts(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("GET", "/counts")
        lines = connection.getresponse().read().decode().splitlines()
        return {path: (int(events), int(requests)) for path, events, requests in (line.split() for line in lines)}

    def stop(self):
        self.process.terminate()
        self.process.wait()


def push(client, version):
    client.send("POST", "/v1/namespaces/bench/bundles/kit:push", {
        "version": version, "visibility": "private",
        "manifest": [{"logicalPath": "README.md", "assetType": "file", "contentText": "# Kit " + version}]})


def webhooks(client, receivers, live, dead):
    """Creates webhooks. Returns the paths of the live ones."""
    paths = [f"/ok/{i}" for i in range(live)]
    urls = [receivers.url(path) for path in paths]
    for i, kind in enumerate(dead):
        urls.append("http://127.0.0.1:9/" if kind == "refused" else receivers.url(f"/{kind}/{i}"))
    for url in urls:
        client.send("POST", "/v1/organizations/default/webhooks", {"url": url, "eventTypes": ["tag.moved"]})
    return paths


def delete_all(client):
    for webhook in client.send("GET", "/v1/organizations/default/webhooks?limit=100")["data"]:
        client.send("DELETE", "/v1/organizations/default/webhooks/" + webhook["id"])


def move_tags(server, events, prefix="t", clients=8, pace=0):
    """Moves tags, one event each, at this pace or as fast as possible. Returns the seconds."""
    begin = time.monotonic()

    def some(which):
        client = Client(server)
        for i in range(events // clients):
            if pace:
                time.sleep(max(0, begin + (i * clients + which) / pace - time.monotonic()))
            client.send("PUT", f"/v1/namespaces/bench/bundles/kit/tags/{prefix}{which}", {"version": f"1.0.{i % 2}"})
    with concurrent.futures.ThreadPoolExecutor(clients) as pool:
        list(pool.map(some, range(clients)))
    return time.monotonic() - begin


class Reads:
    """Resolves 50 times a second and records each duration."""

    def __init__(self, server):
        self.server, self.times, self.over = server, [], False
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        client = Client(self.server)
        while not self.over:
            begin = time.monotonic()
            client.send("GET", "/v1/namespaces/bench/bundles/kit:resolve")
            took = time.monotonic() - begin
            self.times.append(took * 1000)
            time.sleep(max(0, 0.02 - took))

    def end(self):
        self.over = True
        self.thread.join()
        ordered = sorted(self.times)
        return statistics.median(ordered), ordered[int(len(ordered) * 0.99)]


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def until(condition, seconds):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.2)
    return True


def publisher(server, receivers, client):
    """Measures a change that waits for no other, with 0, 1 and 20 webhooks in turn. Returns medians in milliseconds."""
    rows = {0: [], 1: [], 20: []}
    serial = 0
    for _ in range(5):
        for count in rows:
            delete_all(client)
            webhooks(client, receivers, count, [])
            time.sleep(0.5)
            times = []
            for _ in range(60):
                serial += 1
                begin = time.monotonic()
                client.send("PUT", "/v1/namespaces/bench/bundles/kit/tags/cost", {"version": f"1.0.{serial % 2}"})
                times.append((time.monotonic() - begin) * 1000)
                time.sleep(0.05)
            rows[count].append(statistics.median(times))
    return {count: statistics.median(times) for count, times in rows.items()}


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--events", type=int, default=10_000)
    arguments.add_argument("--pace", type=int, default=0, help="events a second; 0: as fast as possible")
    arguments.add_argument("--out")
    arguments.add_argument("--url")
    arguments.add_argument("--kill", action="store_true", help="kill -9 the server once in the middle")
    arguments.add_argument("--receivers", choices=["nginx", "java"], default="nginx" if shutil.which("nginx") else "java")
    given = arguments.parse_args()
    folder = tempfile.mkdtemp(prefix="sheaf-webhooks-")
    receivers = (Nginx if given.receivers == "nginx" else Java)(folder)
    try:
        server = Server(folder, given.url)
    except BaseException:
        receivers.stop()
        raise
    try:
        client = Client(server)
        push(client, "1.0.0")
        push(client, "1.0.1")
        move_tags(server, 400, "warm")
        reads = Reads(server)
        move_tags(server, min(given.events // 4, 1_000), "alone", pace=given.pace)
        alone = reads.end()
        client.close()
        paths = webhooks(client, receivers, LIVE, DEAD)
        move_tags(server, 400)  # warms up
        until(lambda: all(receivers.counts().get(path, (0, 0))[0] >= 400 for path in paths), 60)
        reads = Reads(server)
        time.sleep(5)
        quiet = reads.end()
        reads = Reads(server)
        begin, cpu, theirs = time.monotonic(), server.cpu(), receivers.cpu()
        wrote = move_tags(server, given.events, pace=given.pace)
        if given.kill:
            reads.end()
            server.stop(signal.SIGKILL)
            server = Server(folder, given.url)
            client = Client(server)
        want = 400 + given.events // 8 * 8
        done = until(lambda: all(receivers.counts().get(path, (0, 0))[0] >= want for path in paths), 600)
        took = time.monotonic() - begin
        busy = (0, 0) if given.kill else reads.end()
        counts = receivers.counts()
        events = sum(counts[path][0] for path in paths) - LIVE * 400
        twice = sum(counts[path][1] - counts[path][0] for path in paths)
        lines = [
            f"| events, live webhooks, dead webhooks | {given.events}, {LIVE}, {len(DEAD)} |",
            f"| all written after | {wrote:.0f} s{f', {given.pace} a second' if given.pace else ''} |",
            f"| all delivered to the live ones after | {took:.0f} s{'' if done else ' (not all)'} |",
            f"| deliveries per second | {events / took:.0f} |",
            f"| delivered twice | {twice} |",
            f"| CPU of the server, events included | {server.cpu() - (0 if given.kill else cpu):.0f} s |",
            f"| CPU of the receivers ({receivers.NAME}) | {receivers.cpu() - theirs:.0f} s |",
            f"| a simultaneous resolve, median and p99 | {busy[0]:.1f} and {busy[1]:.1f} ms |",
            f"| the same during these writes, without webhooks | {alone[0]:.1f} and {alone[1]:.1f} ms |",
            f"| the same without other load | {quiet[0]:.1f} and {quiet[1]:.1f} ms |",
        ]
        print("\n".join(lines), flush=True)
        if not given.kill:
            client.close()
            costs = publisher(server, receivers, client)
            lines.append("| a moved tag with 0, 1, 20 webhooks | "
                         + ", ".join(f"{costs[count]:.2f} ms" for count in (0, 1, 20)) + " |")
        table = "| What | |\n|---|---|\n" + "\n".join(lines) + "\n"
        print(table)
        if given.out:
            out = pathlib.Path(given.out)
            part, title = ("webhooks-postgresql", "Webhooks on PostgreSQL") if given.url else ("webhooks", "Webhooks")
            out.write_text(parts.put(out.read_text(), part, f"""## {title}

Made by `make bench-webhooks` on {datetime.date.today()}, with a load of {os.getloadavg()[0]:.1f} at the end; server, receivers and clients
share {os.cpu_count()} processors. One of the dead receivers answers 500, two never answer, one redirects, and one does not exist.

{table}"""))
        if not done:
            sys.exit(1)
    finally:
        server.stop()
        receivers.stop()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
