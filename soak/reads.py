"""Measures whether one address that reads public content as fast as it can leaves others served.

    soak/hostile reads

Starts a server with default settings. One address (127.0.0.1) requests blobs and manifests of public bundles with wrk on 100 connections; the
rate limits refuse most. Meanwhile others send requests at fixed moments, even if earlier
ones are unanswered: a key's owner at 127.0.0.2 reads, pulls and pushes, and a visitor at 127.0.0.3 reads. Latency counts from the moment
when a request was due. Fails if one of theirs is refused or fails.

Environment: READS_SECONDS     (60)
             READS_CONNECTIONS (100)
             HOSTILE_SHEAF     another launcher than ./sheaf"""

import collections
import http.client
import json
import os
import pathlib
import queue
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

from hostile import ATTACKER, HOST, OTHER, Client, free_port, percentile, words

SECONDS = float(os.environ.get("READS_SECONDS", "60"))
CONNECTIONS = int(os.environ.get("READS_CONNECTIONS", "100"))
OWNER, VISITOR = ATTACKER, OTHER  # here the attacker is 127.0.0.1, since wrk chooses no address
BUNDLE = "/v1/namespaces/stranger/bundles/"
LUA = """
local paths = {%s}
local i = 0
request = function()
  i = i %% #paths + 1
  return wrk.format("GET", paths[i])
end
"""


def publish(client):
    """Returns the addresses of public content."""
    paths = []
    for number in range(20):
        client.push(f"kit-{number}", "1.0.0", {"skills/kit/SKILL.md": f"---\nname: kit\ndescription: A kit.\n---\n{words(number, 800)}",
                                               "data.txt": words(number, 30_000)})
        _, text = client.send("GET", f"/v2/stranger/kit-{number}/manifests/1.0.0", expect=(200,))
        paths += [f"/v2/stranger/kit-{number}/blobs/{layer['digest']}" for layer in json.loads(text)["layers"]]
        paths.append(f"/v2/stranger/kit-{number}/manifests/1.0.0")
    return paths


class Caller:
    """Sends one kind of request at fixed moments, on as many connections as needed."""

    def __init__(self, name, port, source, key, rate, ask):
        self.name, self.port, self.source, self.key, self.rate, self.ask = name, port, source, key, rate, ask
        self.due, self.times, self.statuses, self.lock = queue.Queue(), [], collections.Counter(), threading.Lock()

    def work(self):
        client = Client(self.port, self.key, self.source)
        while (moment := self.due.get()) is not None:
            try:
                status = self.ask(client, moment)
            except (OSError, http.client.HTTPException) as e:
                status, client = type(e).__name__, Client(self.port, self.key, self.source)
            with self.lock:
                self.times.append((time.monotonic() - moment) * 1_000)
                self.statuses[status] += 1

    def run(self, seconds):
        threads = [threading.Thread(target=self.work, daemon=True) for _ in range(8)]
        for thread in threads:
            thread.start()
        begin = time.monotonic()
        for i in range(int(seconds * self.rate)):
            moment = begin + i / self.rate
            time.sleep(max(0.0, moment - time.monotonic()))
            self.due.put(moment)
        for _ in threads:
            self.due.put(None)
        for thread in threads:
            thread.join(60)
        self.times.sort()

    def failed(self):
        return sum(number for status, number in self.statuses.items() if status not in (200, 201))

    def __str__(self):
        return (f"  {self.name:28}{len(self.times):6} requests  p50 {percentile(self.times, 0.5):7.1f}  p99 {percentile(self.times, 0.99):7.1f}  "
                f"max {self.times[-1]:7.1f} ms   {', '.join(f'{status}: {number}' for status, number in sorted(self.statuses.items(), key=str))}")


def callers(port, key, paths):
    def get(path):
        return lambda client, _: client.send("GET", path)[0]

    def push(client, moment):
        body = {"slug": "mine", "name": "Mine", "visibility": "private", "version": f"1.0.{int(moment * 1_000)}",
                "manifest": [{"logicalPath": "a.md", "contentText": f"# {moment}"}]}
        return client.send("POST", f"{BUNDLE}mine:push", json.dumps(body), {"Content-Type": "application/json"})[0]

    def each(paths):
        turn = iter(paths * 100_000)
        return lambda client, _: client.send("GET", next(turn))[0]

    return [
        Caller("key: resolve", port, OWNER, key, 20, get(f"{BUNDLE}kit-0:resolve")),
        Caller("key: content", port, OWNER, key, 20, each(paths)),
        Caller("key: push", port, OWNER, key, 2, push),
        Caller("visitor: content", port, VISITOR, None, 20, each(paths)),
        Caller("visitor: resolve", port, VISITOR, None, 3, get(f"{BUNDLE}kit-1:resolve")),
        Caller("visitor: /health/live", port, VISITOR, None, 5, get("/health/live")),
    ]


def measure(port, key, paths, wrk, folder):
    """Returns whether no request of the others failed."""
    attack = None
    if wrk:
        script = folder / "reads.lua"
        script.write_text(LUA % ", ".join(json.dumps(path) for path in paths))
        attack = subprocess.Popen([wrk, "-t2", f"-c{CONNECTIONS}", f"-d{int(SECONDS) + 2}s", "--latency", "-s", script, f"http://{HOST}:{port}"],
                                  stdout=subprocess.PIPE, text=True)
        time.sleep(1)
    others = callers(port, key, paths)
    threads = [threading.Thread(target=one.run, args=(SECONDS,)) for one in others]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print("under attack:" if attack else "alone:")
    if attack:
        said, _ = attack.communicate(timeout=60)
        requests = re.search(r"(\d+) requests in ([\d.]+)(m|s)", said)
        refused = re.search(r"Non-2xx or 3xx responses: (\d+)", said)
        sockets = re.search(r"Socket errors: (.*)", said)
        print(f"  the attacker: {requests[1]} requests, {re.search(r'Requests/sec: *([0-9.]+)', said)[1]} a second, "
              f"of them refused {refused[1] if refused else 0}; errors of connections: {sockets[1] if sockets else 'none'}")
    for one in others:
        print(one, flush=True)
    return sum(one.failed() for one in others) == 0


def main():
    wrk = shutil.which("wrk")
    if not wrk:
        print("reads: wrk is missing (Debian: apt-get install wrk)", file=sys.stderr)
        return 69
    port, folder = free_port(), pathlib.Path(tempfile.mkdtemp(prefix="sheaf-reads-"))
    with open(folder / "log", "wb") as log:
        server = subprocess.Popen([os.environ.get("HOSTILE_SHEAF", "./sheaf"), "serve", "--port", str(port), "--data-dir", str(folder / "data")],
                                  stdout=log, stderr=log)
    try:
        end = time.monotonic() + 600  # it may need a build
        while True:
            try:
                Client(port).send("GET", "/health/ready", expect=(200,))
                break
            except (OSError, http.client.HTTPException):
                if time.monotonic() > end or server.poll() is not None:
                    raise SystemExit(f"reads: the server did not start:\n{(folder / 'log').read_text()[-3000:]}")
                time.sleep(0.2)
        key = (folder / "data/bootstrap/admin-api-key").read_text().strip()
        paths = publish(Client(port, key))
        return 0 if all([measure(port, key, paths, None, folder), measure(port, key, paths, wrk, folder)]) else 1
    finally:
        server.terminate()
        server.wait(30)
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
