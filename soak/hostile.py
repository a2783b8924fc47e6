"""Measures whether expensive requests of a stranger delay others.

    python3 soak/hostile.py [FAMILY ...]

Starts a server with default settings and publishes what a stranger could publish. One address (127.0.0.2) then sends a
hundred requests at once, one family of requests after the other. Meanwhile another address (127.0.0.3) requests
/health/live and a version of another bundle at fixed moments, even if earlier requests are unanswered. Latency counts from
the moment when a request was due. Fails if the 99th percentile exceeds HOSTILE_LIMIT_MS.

Environment: HOSTILE_SECONDS  for each family (6)
             HOSTILE_LIMIT_MS (250)
             HOSTILE_PORT     (any free one)
             HOSTILE_SHEAF    another launcher than ./sheaf
             HOSTILE_RATES    1: default rate limits; otherwise none, which is harder"""

import base64
import http.client
import itertools
import json
import multiprocessing
import os
import pathlib
import queue
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

SECONDS = float(os.environ.get("HOSTILE_SECONDS", "6"))
LIMIT_MS = float(os.environ.get("HOSTILE_LIMIT_MS", "250"))
AT_ONCE = 100
PROBES = 20  # a second, of each kind
HOST = "127.0.0.1"
ATTACKER, OTHER = "127.0.0.2", "127.0.0.3"
README = 256 << 10


def free_port():
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return probe.getsockname()[1]


# --- content of a stranger --------------------------------------------------------------------------------------

PIECES = ["a*b_c~~d ", "**a *", "*a ", "[", "![", "[a](", "[a](b \"", "[[a]", "[a\n", "[a]: <b\n", "`\n", "\\\n", "`a``",
          "> ", "- ", "* a\n  ", "1. ", "|a|b|\n", "<div>", "<a ", "<b><i>", "<!--", "<? ", "&#", "&amp;", "https://a.b.", "a@b.c ",
          "# a\n", "a\n\n", "- a\n  - b\n"]


def readmes():
    for piece in PIECES:
        yield (piece * (README // len(piece)))[:README - 100]
        marks = max(1, sum(piece.count(c) for c in "*_~[]!<&`\\\n@:"))
        paragraph = piece * (990 // marks) + "\n\n"
        yield (paragraph * (README // len(paragraph) + 1))[:README - 100]
    half = README // 2
    yield "*" * (half - 100) + "a" + "*" * (half - 100)
    yield "[a]: " + "b" * half + "\n\n" + "[a] " * (half // 5)
    yield "|a" * (README // 8) + "\n" + "|-" * (README // 8) + "\n" + "|\n" * (README // 8)
    yield "<a " + "href=b " * (README // 8) + ">"


class Client:
    def __init__(self, port, key=None, source=HOST):
        self.connection = http.client.HTTPConnection(HOST, port, timeout=60, source_address=(source, 0))
        self.headers = {"Authorization": f"Bearer {key}"} if key else {}

    def send(self, method, path, body=None, headers=None, expect=None):
        self.connection.request(method, path, body, {**self.headers, **(headers or {})})
        answer = self.connection.getresponse()
        content = answer.read()
        if expect and answer.status not in expect:
            raise SystemExit(f"hostile: {method} {path}: {answer.status} {content[:400]!r}")
        return answer.status, content

    def push(self, slug, version, files, readme=None):
        manifest = [{"logicalPath": path, **({"contentText": content} if isinstance(content, str) else
                                             {"contentBase64": base64.b64encode(content).decode()})}
                    for path, content in files.items()]
        body = {"slug": slug, "name": slug, "visibility": "public", "version": version, "manifest": manifest,
                **({"readmeContent": readme, "readmeFormat": "markdown"} if readme else {})}
        self.send("POST", f"/v1/namespaces/stranger/bundles/{slug}:push", json.dumps(body),
                  {"Content-Type": "application/json"}, (200, 201))


def words(seed, count):
    pick = random.Random(seed)
    return " ".join("".join(pick.choice("abcdefghijkl") for _ in range(pick.randint(2, 6))) for _ in range(count))


def publish(client):
    """Publishes the bundles. Returns the number of READMEs."""
    client.push("quiet", "1.0.0", {"a.txt": "nothing"})
    for index, readme in enumerate(readmes()):
        client.push(f"readme-{index}", "1.0.0", {"a.txt": words(index, 400)}, readme)
    for version in range(6):
        # a diff costs the most if everything differs, and has the most lines if they are empty
        files = {f"{i}.txt": "\n" * (250_000 - version - i) + "x" for i in range(20)}
        files.update({f"m{i}.txt": "".join(f"{version} {i} {line}\n" for line in range(1_900)) for i in range(20)})
        client.push("diff", f"1.0.{version}", files)
    for version in range(200):
        client.push("ranges", f"{version % 7}.{version}.{version % 3}", {"a.txt": f"{version}"})
    client.push("large", "1.0.0", {f"{i}.txt": words(i, 60_000) for i in range(24)})
    client.push("packed", "1.0.0", {f"{i}.bin": random.Random(i).randbytes(250_000) for i in range(20)})
    return index + 1


# --- requests of a stranger -------------------------------------------------------------------------------------

def get(path, headers=None):
    return lambda client: client.send("GET", path, None, headers)


def families(readmes):
    count = itertools.count()

    def each(make):
        return lambda client: make(next(count))(client)

    bundle = "/v1/namespaces/stranger/bundles/"
    value = ("[" + "{}," * 340_000 + "{}]").encode()
    html = {"Accept": "text/html"}
    gzip = {"Accept-Encoding": "gzip"}
    return {
        "READMEs": each(lambda i: get(f"{bundle}readme-{i % readmes}/readme", html)),
        "one README": get(f"{bundle}readme-0/readme", html),
        "diffs": each(lambda i: get(f"{bundle}diff/versions/1.0.{i % 6}:diff?to=1.0.{i // 6 % 6}")),
        "ranges": each(lambda i: get(f"{bundle}ranges:resolve?version=" + "%7C%7C".join(
            f"^{i % 9}.{i % 211}.{j}" for j in range(20)))),
        "ranges with minAge": each(lambda i: get(f"{bundle}ranges:resolve?minAge=PT0.00{i % 9}S&version=%3E{i % 7}")),
        "missing versions": each(lambda i: get(f"{bundle}ranges:resolve?version=9.{i}.0")),
        "searches": each(lambda i: get("/v1/hub/bundles?limit=100&q=" + "+".join(
            words(i, 8).replace(" ", "+")[k:k + 2] for k in range(0, 16, 2)))),
        "pulls in gzip": get(f"{bundle}large/versions/1.0.0:pull", gzip),
        "pulls of packed content": get(f"{bundle}packed/versions/1.0.0:pull?binary=base64", gzip),
        "pulls in zstd": get(f"{bundle}large/versions/1.0.0:pull", {"Accept-Encoding": "zstd"}),
        "sign-ins": each(lambda i: lambda client: client.send("POST", "/v1/sessions", json.dumps(
            {"email": f"a{i}@example.org", "password": f"wrong password {i}"}), {"Content-Type": "application/json"})),
        "JSON of empty objects": lambda client: client.send(
            "POST", "/v1/leaked-credentials", value, {"Content-Type": "application/json"}),
        "long headers": get(f"{bundle}quiet:resolve", {"Accept-Encoding": "a;q=0.5," * 3_000, "If-None-Match": '"a",' * 1_500}),
        "feeds and badges": each(lambda i: get(f"/v1/hub/bundles/stranger/ranges/{('feed.atom', 'badge.svg')[i % 2]}")),
        "slow bodies": dribble,
        "announced bodies": promise,
        "connections": connect,
    }


def raw(client, head, pieces):
    """Sends a head, then some bytes one by one with pauses."""
    with socket.create_connection((HOST, client.connection.port), timeout=10, source_address=(ATTACKER, 0)) as line:
        line.sendall(head)
        for piece in pieces:
            time.sleep(0.1)
            line.sendall(piece)


def dribble(client):
    raw(client, b"POST /v1/sessions HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n",
        [b"{"] * 30)


def promise(client):
    raw(client, b"POST /v1/sessions HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 1048576\r\n\r\n{",
        [b""] * 20)


def connect(client):
    lines = []
    try:
        for _ in range(10):
            lines.append(socket.create_connection((HOST, client.connection.port), timeout=5, source_address=(ATTACKER, 0)))
        time.sleep(1)
    finally:
        for line in lines:
            line.close()


def attack(port, name, readmes, seconds, answers):
    """Runs in a process: a hundred at once, each repeated without a pause. Returns the count of each status."""
    ask, end, counts, lock = families(readmes)[name], time.monotonic() + seconds, {}, threading.Lock()

    def run():
        client = Client(port, source=ATTACKER)
        while time.monotonic() < end:
            try:
                outcome = ask(client)
                outcome = outcome[0] if outcome else "done"
            except (OSError, http.client.HTTPException) as e:
                outcome = type(e).__name__
                client = Client(port, source=ATTACKER)
                time.sleep(0.02)
            with lock:
                counts[outcome] = counts.get(outcome, 0) + 1

    threads = [threading.Thread(target=run, daemon=True) for _ in range(AT_ONCE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(seconds + 30)
    answers.put(counts)


# --- other callers ---------------------------------------------------------------------------------------------

def probe(port, path, seconds):
    """Sends requests at fixed moments, on as many connections as needed. Returns the latencies in ms, in order."""
    due, times, lock = queue.Queue(), [], threading.Lock()

    def run():
        client = Client(port, source=OTHER)
        while True:
            moment = due.get()
            if moment is None:
                return
            try:
                status, _ = client.send("GET", path)
            except (OSError, http.client.HTTPException):
                status, client = 0, Client(port, source=OTHER)
            took = (time.monotonic() - moment) * 1_000 if status == 200 else 60_000.0
            with lock:
                times.append(took)

    threads = [threading.Thread(target=run, daemon=True) for _ in range(16)]
    for thread in threads:
        thread.start()
    begin = time.monotonic()
    for i in range(int(seconds * PROBES)):
        moment = begin + i / PROBES
        time.sleep(max(0.0, moment - time.monotonic()))
        due.put(moment)
    for _ in threads:
        due.put(None)
    for thread in threads:
        thread.join(60)
    return sorted(times)


def percentile(times, part):
    return times[min(len(times) - 1, int(len(times) * part))]


def measure(port, name, readmes):
    answers = multiprocessing.Queue()
    attacker = multiprocessing.Process(target=attack, args=(port, name, readmes, SECONDS + 1, answers)) if name else None
    if attacker:
        attacker.start()
        time.sleep(0.5)
    results = {}
    probes = [threading.Thread(target=lambda kind, path: results.update({kind: probe(port, path, SECONDS)}), args=pair)
              for pair in (("health", "/health/live"), ("resolve", "/v1/namespaces/stranger/bundles/quiet:resolve"))]
    for thread in probes:
        thread.start()
    for thread in probes:
        thread.join()
    counts = answers.get(timeout=60) if attacker else {}
    if attacker:
        attacker.join()
    worst = max(percentile(times, 0.99) for times in results.values())
    shown = "  ".join(f"{kind} {percentile(times, 0.5):6.1f} {percentile(times, 0.99):7.1f} {times[-1]:7.1f}"
                      for kind, times in sorted(results.items()))
    print(f"{name or '(nobody)':26}{shown}   {', '.join(f'{key}: {n}' for key, n in sorted(counts.items(), key=str))}", flush=True)
    return worst <= LIMIT_MS


def main():
    port = int(os.environ.get("HOSTILE_PORT", "0")) or free_port()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="sheaf-hostile-"))
    rates = [] if os.environ.get("HOSTILE_RATES") else [
        f"--rate-{kind}=0" for kind in ("anonymous-reads", "reads", "writes", "content", "runner", "failed-authentications")]
    with open(folder / "log", "wb") as log:
        server = subprocess.Popen([os.environ.get("HOSTILE_SHEAF", "./sheaf"), "serve", "--port", str(port), "--data-dir", str(folder / "data"), *rates],
                                  stdout=log, stderr=log)
    try:
        end = time.monotonic() + 600  # it may need a build
        while True:
            try:
                Client(port).send("GET", "/health/ready", expect=(200,))
                break
            except OSError:
                if time.monotonic() > end or server.poll() is not None:
                    raise SystemExit(f"hostile: the server did not start:\n{(folder / 'log').read_text()[-3000:]}")
                time.sleep(0.2)
        count = publish(Client(port, (folder / "data/bootstrap/admin-api-key").read_text().strip()))
        print(f"{AT_ONCE} at once for {SECONDS:g} s; of others, in ms:   p50     p99     max", flush=True)
        names = sys.argv[1:] or list(families(count))
        kept = [measure(port, None, count)] + [measure(port, name, count) for name in names]
        return 0 if all(kept) else 1
    finally:
        server.terminate()
        server.wait(30)
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
