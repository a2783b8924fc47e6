"""Measures whether small requests are answered while bulk transfers use the same core fully.

    python3 bench/fair.py URL API-KEY-FILE [PATH]

Two uploads and two downloads of 256 MiB run all the time. 500 requests a second go to PATH (a resolve) at fixed moments, even
if earlier ones are unanswered. Latency counts from the moment when a request was due. The bulk clients have a low priority, or the
small requests would wait for their own core. Run the load on another core than the
server: prefix `taskset -c 1`."""

import hashlib
import http.client
import os
import pathlib
import queue
import statistics
import subprocess
import sys
import threading
import time
import urllib.parse

RATE = 500
SECONDS = int(os.environ.get("BENCH_SECONDS", "10"))
SIZE = 256 << 20
SENDERS = 32


class Target:
    def __init__(self, url, key):
        self.port, self.headers = urllib.parse.urlsplit(url).port, {"Authorization": f"Bearer {key}"}

    def send(self, connection, method, path, body=None, expect=(200, 201, 202, 404)):
        connection.request(method, path, body, {**self.headers, "Content-Type": "application/octet-stream"})
        answer = connection.getresponse()
        content = answer.read()
        if answer.status not in expect:
            raise SystemExit(f"bench: {method} {path}: {answer.status} {content[:300]!r}")
        return answer, content

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def begin(self, connection):
        return self.send(connection, "POST", "/v2/bench/fair/blobs/uploads/")[0].headers["Location"]


def curl(*arguments):
    return subprocess.Popen(["nice", "-n", "19", "curl", "-sf", "-o", "/dev/null", *arguments])


def bulk(target, file, digest, stop):
    """Keeps two uploads and two downloads running. Returns the number of finished ones."""
    base, key = f"http://127.0.0.1:{target.port}", f"Authorization: {target.headers['Authorization']}"
    connection, ended = target.connect(), 0

    def upload():
        return curl("-H", key, "-H", "Content-Type: application/octet-stream", "-T", str(file),
                    f"{base}{target.begin(connection)}?digest={digest}")

    def download():
        return curl("-H", key, f"{base}/v2/bench/fair/blobs/{digest}")

    running = [[make, make()] for make in (upload, upload, download, download)]
    while not stop.is_set():
        for slot in running:
            if slot[1].poll() is not None:
                ended += 1
                slot[1] = slot[0]()
        time.sleep(0.02)
    for _, process in running:
        process.kill()
        process.wait()
    return ended


def main(url, key, path):
    target = Target(url, pathlib.Path(key).read_text().strip())
    file = pathlib.Path(os.environ.get("TMPDIR", "/tmp"), f"sheaf-fair-{os.getpid()}.bin")
    noise = os.urandom(1 << 20)
    content = b"".join(i.to_bytes(4, "big") + noise[4:] for i in range(SIZE >> 20))
    digest = "sha256:" + hashlib.sha256(content).hexdigest()
    file.write_bytes(content)
    del content
    try:
        connection = target.connect()
        subprocess.run(["curl", "-sf", "-o", "/dev/null", "-H", f"Authorization: {target.headers['Authorization']}", "-T", str(file),
                        f"http://127.0.0.1:{target.port}{target.begin(connection)}?digest={digest}"], check=True)
        stop, due, latencies, ended = threading.Event(), queue.Queue(), [], []
        load = threading.Thread(target=lambda: ended.append(bulk(target, file, digest, stop)))
        load.start()

        def sender():
            own = target.connect()
            while (moment := due.get()) is not None:
                target.send(own, "GET", path)
                latencies.append(time.perf_counter() - moment)

        senders = [threading.Thread(target=sender) for _ in range(SENDERS)]
        for thread in senders:
            thread.start()
        time.sleep(2)
        began = time.perf_counter()
        for i in range(RATE * SECONDS):
            moment = began + i / RATE
            time.sleep(max(0, moment - time.perf_counter()))
            due.put(moment)
        for _ in senders:
            due.put(None)
        for thread in senders:
            thread.join()
        took = time.perf_counter() - began
        stop.set()
        load.join()
        cuts = [cut * 1e3 for cut in statistics.quantiles(latencies, n=100)]
        print(f"{len(latencies)} of {RATE * SECONDS} requests answered in {took:.1f} s, p50 {cuts[49]:.1f} ms, p99 {cuts[98]:.1f} ms; "
              f"{ended[0]} bulk transfers of 256 MiB ended meanwhile")
    finally:
        file.unlink(missing_ok=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else "/v2/")
