"""Measures whether a node with a small heap survives a tenant and a stranger who attack its memory together.

    soak/hostile memory

Starts a server with a small heap and without rate limits, fills its caches, and attacks it: the tenant (with a key) sends pushes,
half-sent pushes, manifests with many annotations and large manifests; the stranger reads everything that costs much and reads some
answers slowly. Meanwhile another address requests /health/live twice a second. Fails if the server ends or gives no answer within
MEMORY_LIMIT_MS. On a machine that others use too, its pauses (printed, from the log of the collector) say more than that.

Environment: MEMORY_HEAP     heap in MiB (128)
             MEMORY_SECONDS  (60)
             MEMORY_LIMIT_MS (1000)
             HOSTILE_SHEAF   another launcher than ./sheaf"""

import base64
import hashlib
import http.client
import itertools
import json
import os
import pathlib
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

from hostile import ATTACKER, HOST, OTHER, Client, free_port, readmes, words

HEAP = int(os.environ.get("MEMORY_HEAP", "128"))
SECONDS = float(os.environ.get("MEMORY_SECONDS", "60"))
LIMIT_MS = float(os.environ.get("MEMORY_LIMIT_MS", "1000"))
TENANT = "127.0.0.4"
MANIFESTS = 17
READMES = 12
EMPTY = "sha256:" + hashlib.sha256(b"{}").hexdigest()
IMAGE = "application/vnd.oci.image.manifest.v1+json"


def manifest(size=0, annotations=0, layers=0, seed=0):
    return json.dumps({
        "schemaVersion": 2, "mediaType": IMAGE, "artifactType": "application/vnd.test",
        "config": {"mediaType": "application/vnd.oci.empty.v1+json", "digest": EMPTY, "size": 2},
        "layers": [{"mediaType": "a/b", "digest": EMPTY, "size": 2}] * layers,
        "annotations": {f"a{i}": "" for i in range(annotations)},
        "x": f"{seed}" + "x" * size}, separators=(",", ":")).encode()


def blob(client, content, repository):
    digest = "sha256:" + hashlib.sha256(content).hexdigest()
    client.send("POST", f"/v2/{repository}/blobs/uploads/?digest={digest}", content,
                {"Content-Type": "application/octet-stream"}, (201,))
    return digest


def publish(client):
    pick = random.Random(1)
    hostile = list(readmes())
    for i in range(READMES):
        text = hostile[i * 4 % len(hostile)] if i % 2 else f"# {i}\n\n" + words(i, 90_000)[:512 * 1024 - 100]
        client.push(f"readme-{i}", "1.0.0", {"SKILL.md": f"---\nname: readme-{i}\ndescription: {words(i, 60)[:900]}\n---\n" + words(i, 2_000)},
                    text[:512 * 1024 - 100])
    for version in range(6):
        client.push("diff", f"1.0.{version}", {f"m{i}.txt": "".join(f"{version} {i} {line}\n" for line in range(1_900)) for i in range(20)})
    for version in range(100):
        client.push("ranges", f"{version % 7}.{version}.{version % 3}", {f"{i}.txt": f"{version} {i}" for i in range(30)})
    client.push("packed", "1.0.0", {f"{i}.bin": pick.randbytes(100_000) for i in range(10)})
    client.push("many", "1.0.0", {f"folder-{i}/file-{i}.txt": str(i) for i in range(2_000)})
    client.push("images", "0.1.0", {"a.txt": "a"})  # public
    blob(client, b"{}", "stranger/images")
    stored, size = 0, 4_000_000
    while stored < MANIFESTS:
        status, _ = client.send("PUT", f"/v2/stranger/images/manifests/tag-{stored}", manifest(size, seed=stored), {"Content-Type": IMAGE}, (201, 413))
        if status == 413:
            size = size * 3 // 4  # the heap is too small for such a manifest
        stored += status == 201
    return size


# --- the stranger -----------------------------------------------------------------------------------------------

def heavy_reads():
    bundle = "/v1/namespaces/stranger/bundles/"
    html = {"Accept": "text/html"}
    gzip = {"Accept-Encoding": "gzip"}
    git = {"Git-Protocol": "version=2"}
    for i in itertools.count():
        yield f"{bundle}readme-{i % READMES}/readme", html
        yield f"{bundle}readme-{i % READMES}/readme", {}
        yield f"{bundle}readme-{i % READMES}", gzip
        yield f"/stranger/readme-{i % READMES}", html
        yield f"/v1/hub/bundles/stranger/readme-{i % READMES}", {}
        yield f"/stranger/readme-{i % READMES}/.well-known/agent-skills/index.json", {}
        yield f"/stranger/readme-{i % READMES}/.well-known/agent-skills/readme-{i % READMES}.tar.gz", {}
        yield f"{bundle}diff/versions/1.0.{i % 6}:diff?to=1.0.{i // 6 % 6}", gzip
        yield f"/stranger/diff/compare/1.0.{i % 6}...1.0.{(i + 1) % 6}", html
        yield f"{bundle}packed/versions/1.0.0:pull?binary=base64", gzip
        yield f"{bundle}diff/versions/1.0.{i % 6}:pull", {"Accept-Encoding": "zstd"}
        yield f"{bundle}ranges:resolve?version=%3E%3D{i % 7}.{i % 100}", {}
        yield f"{bundle}many:resolve?version=%5E1.0.0%20%7C%7C%20{i % 1000}", {}
        yield f"{bundle}many/versions/1.0.0", gzip
        yield f"/stranger/many", html
        yield f"{bundle}ranges/versions?limit=100", {}
        yield f"{bundle}ranges/tags?limit=100", {}
        yield f"/v2/stranger/images/manifests/tag-{i % MANIFESTS}", {}
        yield f"/v2/stranger/images/tags/list", {}
        yield f"/v2/stranger/images/referrers/{EMPTY}", {}
        yield f"/stranger/ranges.git/info/refs?service=git-upload-pack", git
        yield f"/v1/hub/bundles?limit=100&q={words(i, 2).replace(' ', '+')}", {}
        yield "/v1/openapi.json", gzip


def stranger(port, end, counts):
    client = Client(port, source=ATTACKER)
    for number, (path, headers) in enumerate(heavy_reads()):
        if time.monotonic() > end:
            return
        try:
            counts.add("stranger", client.send("GET", path, None, headers)[0])
            if number % 5 == 0:
                rpc = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
                counts.add("MCP", client.send("POST", "/mcp/stranger", rpc, {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"})[0])
        except (OSError, http.client.HTTPException) as e:
            counts.add("stranger", type(e).__name__)
            client = Client(port, source=ATTACKER)
            time.sleep(0.1)


def slow_reader(port, end, counts):
    """Requests large answers and reads them slowly."""
    for i in itertools.count():
        if time.monotonic() > end:
            return
        path = (f"/v1/namespaces/stranger/bundles/readme-{i % READMES}", f"/v2/stranger/images/manifests/tag-{i % MANIFESTS}",
                "/v1/namespaces/stranger/bundles/packed/versions/1.0.0:pull?binary=base64")[i % 3]
        try:
            with socket.create_connection((HOST, port), timeout=5, source_address=(ATTACKER, 0)) as line:
                line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                line.sendall(f"GET {path} HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
                for _ in range(6):
                    line.recv(1024)
                    time.sleep(0.5)
            counts.add("slow readers", "done")
        except OSError as e:
            counts.add("slow readers", type(e).__name__)
            time.sleep(0.1)


def cloner(port, end, counts, folder):
    """Clones with git, if the machine has it."""
    for i in itertools.count():
        if time.monotonic() > end or not shutil.which("git"):
            return
        run = subprocess.run(["git", "clone", "-q", "--bare", f"http://{HOST}:{port}/stranger/{('ranges', 'diff', 'many')[i % 3]}.git", folder / f"clone-{i}"],
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        counts.add("git clone", run.returncode)
        shutil.rmtree(folder / f"clone-{i}", ignore_errors=True)


# --- the tenant -------------------------------------------------------------------------------------------------

def half_pushes(port, key, end, counts):
    """Sends half of a push on each of six connections, waits, and closes them."""
    body = b'{"slug":"half","name":"half","version":"1.0.0","manifest":[{"logicalPath":"a","contentText":"' + b"a" * 600_000
    head = (f"POST /v1/namespaces/stranger/bundles/half:push HTTP/1.1\r\nHost: {HOST}\r\nAuthorization: Bearer {key}\r\n"
            "Content-Type: application/json\r\nContent-Length: 1200000\r\n\r\n").encode()
    while time.monotonic() < end:
        lines = []
        try:
            for _ in range(6):
                lines.append(socket.create_connection((HOST, port), timeout=5, source_address=(TENANT, 0)))
                lines[-1].sendall(head + body)
            time.sleep(2)
            counts.add("half-sent pushes", "done")
            for line in lines:
                line.close()
            time.sleep(random.uniform(0, 8))  # room for the tenant's other requests
        except OSError as e:
            counts.add("half-sent pushes", type(e).__name__)
            time.sleep(0.1)
        finally:
            for line in lines:
                line.close()


def tenant(port, key, end, counts, size):
    client = Client(port, key, TENANT)
    jsons = {"Content-Type": "application/json"}
    image = {"Content-Type": IMAGE}
    empties = ("[" + "{}," * 90_000 + "{}]").encode()
    push = json.dumps({"slug": "full", "name": "full", "version": "1.0.0", "visibility": "public",
                       "manifest": [{"logicalPath": f"{i}.txt", "contentText": "y" * 20_000} for i in range(50)]})
    manifests = [manifest(annotations=280_000), manifest(layers=20_000), manifest(size)]
    for i in itertools.count():
        if time.monotonic() > end:
            return
        try:
            counts.add("manifests", client.send("PUT", f"/v2/stranger/images/manifests/attack-{i % 3}", manifests[i % 3], image)[0])
            counts.add("pushes", client.send("POST", "/v1/namespaces/stranger/bundles/full:push", push, jsons)[0])
            counts.add("empty objects", client.send("POST", "/v1/namespaces/stranger/bundles/full:push", empties, jsons)[0])
            counts.add("tenant's reads", client.send("GET", f"/v1/namespaces/stranger/bundles/many/versions/1.0.0:pull")[0])
        except (OSError, http.client.HTTPException) as e:
            counts.add("tenant", type(e).__name__)
            client = Client(port, key, TENANT)
            time.sleep(0.1)


class Counts:
    def __init__(self):
        self.lock, self.all = threading.Lock(), {}

    def add(self, kind, outcome):
        with self.lock:
            key = (kind, str(outcome))
            self.all[key] = self.all.get(key, 0) + 1


def health(port, end, times):
    while time.monotonic() < end:
        began = time.monotonic()
        try:
            status, _ = Client(port, source=OTHER).send("GET", "/health/live")
        except (OSError, http.client.HTTPException):
            status = 0
        times.append((time.monotonic() - began) * 1_000 if status == 200 else 60_000.0)
        time.sleep(0.5)


def resident(pid):
    found = re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) >> 10 if found else 0  # a process that has ended has none


def main():
    port, folder = free_port(), pathlib.Path(tempfile.mkdtemp(prefix="sheaf-memory-"))
    options = f"-Xmx{HEAP}m -Xlog:gc*:file={folder}/gc.log:uptime"
    rates = [f"--rate-{kind}=0" for kind in ("anonymous-reads", "reads", "writes", "failed-authentications")]
    with open(folder / "log", "wb") as log:
        server = subprocess.Popen([os.environ.get("HOSTILE_SHEAF", "./sheaf"), "serve", "--port", str(port), "--data-dir", str(folder / "data"), *rates],
                                  stdout=log, stderr=log, env={**os.environ, "SHEAF_JAVA_OPTS": options})
    try:
        started = time.monotonic() + 600  # it may need a build
        while True:
            try:
                Client(port).send("GET", "/health/ready", expect=(200,))
                break
            except OSError:
                if time.monotonic() > started or server.poll() is not None:
                    raise SystemExit(f"memory: the server did not start:\n{(folder / 'log').read_text()[-3000:]}")
                time.sleep(0.2)
        key = (folder / "data/bootstrap/admin-api-key").read_text().strip()
        size = publish(Client(port, key))
        counts, times, most = Counts(), [], resident(server.pid)
        end = time.monotonic() + SECONDS
        threads = [threading.Thread(target=health, args=(port, end, times), daemon=True)]
        threads += [threading.Thread(target=stranger, args=(port, end, counts), daemon=True) for _ in range(12)]
        threads += [threading.Thread(target=cloner, args=(port, end, counts, folder), daemon=True)]
        threads += [threading.Thread(target=slow_reader, args=(port, end, counts), daemon=True) for _ in range(12)]
        threads += [threading.Thread(target=half_pushes, args=(port, key, end, counts), daemon=True) for _ in range(10)]
        threads += [threading.Thread(target=tenant, args=(port, key, end, counts, size), daemon=True) for _ in range(8)]
        for thread in threads:
            thread.start()
        while time.monotonic() < end and server.poll() is None:
            most = max(most, resident(server.pid))
            time.sleep(1)
        for thread in threads:
            thread.join(60)
        lives = server.poll() is None
        pauses = [float(pause) for pause in re.findall(r"Pause .*? ([0-9.]+)ms", (folder / "gc.log").read_text())]
        times.sort()
        print(f"heap {HEAP} MiB, {SECONDS:g} s: the server {'lives' if lives else f'ended with {server.returncode}'}; manifests of {size} bytes; "
              f"resident at most {most} MiB; /health/live p50 {times[len(times) // 2]:.0f}, p99 {times[int(len(times) * 0.99)]:.0f}, max {times[-1]:.0f} ms; "
              f"pauses of the collector: {len(pauses)}, longest {max(pauses):.0f} ms, together {sum(pauses) / 1000:.1f} s")
        for (kind, outcome), number in sorted(counts.all.items()):
            print(f"  {kind:20}{outcome:24}{number}")
        if not lives:
            print((folder / "log").read_text()[-3000:])
        return 0 if lives and times[-1] <= LIMIT_MS else 1
    finally:
        server.terminate()
        server.wait(30)
        if os.environ.get("MEMORY_KEEP"):
            shutil.copytree(folder, os.environ["MEMORY_KEEP"], ignore=shutil.ignore_patterns("data"), dirs_exist_ok=True)
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
