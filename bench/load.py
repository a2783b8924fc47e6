"""The load: wrk for reads, curl for large pulls, one Python connection for pushes. All of it runs on core 1."""

import atexit
import dataclasses
import hashlib
import http.client
import json
import os
import pathlib
import re
import socket
import statistics
import subprocess
import tempfile
import time
import urllib.parse

MANIFEST = "application/vnd.oci.image.manifest.v1+json"
BUNDLE = "application/vnd.sheaf.bundle.v1"
CONFIG = "application/vnd.sheaf.bundle.config.v1+json"
CONNECTIONS = 8


@dataclasses.dataclass
class Sample:
    """One measurement: the requests served and their cost for the server. Latencies are in microseconds."""

    requests: int
    seconds: float
    cpu: float
    p50: float
    p99: float
    size: int = 0  # bytes that each request transfers; 0 if that does not matter

    @property
    def cpu_micros(self):
        return self.cpu / self.requests * 1e6

    @property
    def rate(self):
        return self.requests / self.seconds

    @property
    def cpu_per_gib(self):
        return self.cpu / (self.requests * self.size) * 2**30 if self.size else 0


def median(samples):
    """Returns the median of each figure: (CPU microseconds per request, CPU seconds per GiB, requests per second, p50, p99)."""
    return tuple(statistics.median(figure) for figure in zip(*(
        (s.cpu_micros, s.cpu_per_gib, s.rate, s.p50, s.p99) for s in samples)))


def micros(text):
    number, unit = re.fullmatch(r"([\d.]+)(us|ms|s)", text).groups()
    return float(number) * {"us": 1, "ms": 1e3, "s": 1e6}[unit]


def read_load(server, path, seconds, headers, size=0, post=None):
    """Sends GETs in a closed loop, or POSTs of the JSON text `post`. An answer other than 2xx or a broken connection ends the
    run."""
    command = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "--latency"]
    if post is not None:
        return _load(server, path, seconds, {"Content-Type": "application/json", **headers}, size, [*command, *_posting(post)])
    return _load(server, path, seconds, headers, size, command)


def _posting(text):
    """Returns the option that makes wrk send this text."""
    script = pathlib.Path(tempfile.gettempdir(), f"wrk-{os.getpid()}.lua")
    script.write_text(f'wrk.method = "POST"\nwrk.body = [==[{text}]==]\n')
    atexit.register(script.unlink, missing_ok=True)
    return ["-s", str(script)]


def _load(server, path, seconds, headers, size, command):
    for name, value in {**server.headers, **headers}.items():
        command += ["-H", f"{name}: {value}"] if value else []  # a header without a value replaces the one of the server
    before = server.cpu_seconds()
    out = subprocess.run([*command, server.base + path], check=True, capture_output=True, text=True).stdout
    cpu = server.cpu_seconds() - before
    errors = re.search(r"(Non-2xx|Socket errors).*", out)
    if errors:
        raise SystemExit(f"bench: {server.name} {path}: {errors.group(0)}")
    requests, took = re.search(r"(\d+) requests in ([\d.]+\w+)", out).groups()
    if int(requests) == 0:
        raise SystemExit(f"bench: {server.name} {path}: no answer in {seconds} s")
    percentile = {p: micros(re.search(rf"^ +{p}% +(\S+) *$", out, re.M).group(1)) for p in (50, 99)}
    return Sample(int(requests), micros(took) / 1e6, cpu, percentile[50], percentile[99], size)


def sample(server, seconds, size, operation):
    """Repeats an operation for this time, at least three times."""
    latencies, before, began = [], server.cpu_seconds(), time.monotonic()
    while time.monotonic() - began < seconds or len(latencies) < 3:
        start = time.perf_counter()
        operation()
        latencies.append((time.perf_counter() - start) * 1e6)
    took, cpu = time.monotonic() - began, server.cpu_seconds() - before
    cuts = statistics.quantiles(latencies, n=100, method="inclusive")
    return Sample(len(latencies), took, cpu, cuts[49], cuts[98], size)


def head_load(server, path, seconds, headers):
    """Sends HEAD on all connections at once, repeatedly. wrk cannot, because it would wait for a body."""
    lines = "".join(f"{name}: {value}\r\n" for name, value in {**server.headers, **headers}.items())
    request = f"HEAD {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n{lines}\r\n".encode()
    connections = [socket.create_connection(("127.0.0.1", server.port), timeout=30) for _ in range(CONNECTIONS)]

    def round_trip():
        for connection in connections:
            connection.sendall(request)
        for connection in connections:
            answer = connection.recv(8192)
            while not answer.endswith(b"\r\n\r\n"):
                answer += connection.recv(8192)
            if not answer.startswith(b"HTTP/1.1 200"):
                raise SystemExit(f"bench: {server.name} HEAD {path}: {answer[:200]!r}")

    taken = sample(server, seconds, 0, round_trip)
    for connection in connections:
        connection.close()
    return dataclasses.replace(taken, requests=taken.requests * CONNECTIONS)


def pull_load(server, path, seconds, size):
    """Downloads large content, one download after another."""
    command = ["curl", "-sf", "-o", "/dev/null", server.base + path]
    for name, value in server.headers.items():
        command += ["-H", f"{name}: {value}"]
    return sample(server, seconds, size, lambda: subprocess.run(command, check=True))


class Blobs:
    """Different blobs of one size."""

    def __init__(self, noise):
        self.noise, self.count = noise, 0

    def next(self):
        self.count += 1
        return self.count.to_bytes(8, "big") + self.noise[8:]


def blob_load(server, blobs, seconds):
    """Pushes one large blob after another: POST begins the upload, PUT sends the bytes. The latency includes the hashing by the
    client."""
    connection, size = Connection(server), len(blobs.noise)
    return sample(server, seconds, size, lambda: connection.put_blob("bench/bulk", blobs.next()))


class Connection:
    """One kept-alive connection to a server, with its credentials."""

    def __init__(self, server):
        self.server, self.http = server, http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)

    def send(self, method, path, body=b"", expect=(200, 201, 202), **headers):
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        self.http.request(method, path, body, {**self.server.headers, **names})
        answer = self.http.getresponse()
        content = answer.read()
        if answer.status not in expect:
            raise SystemExit(f"bench: {self.server.name}: {method} {path}: {answer.status} {content[:500]!r}")
        return answer, content

    def put_blob(self, repository, content):
        """Pushes a blob like an OCI client: HEAD, then POST and PUT if it is missing."""
        digest = digest_of(content)
        found, _ = self.send("HEAD", f"/v2/{repository}/blobs/{digest}", expect=(200, 404))
        if found.status == 404:
            opened, _ = self.send("POST", f"/v2/{repository}/blobs/uploads/")
            location = urllib.parse.urlsplit(opened.headers["Location"])
            query = (location.query + "&" if location.query else "") + "digest=" + digest
            self.send("PUT", f"{location.path}?{query}", content, Content_Type="application/octet-stream")
        return digest

    def push_oci(self, repository, version, files):
        """Pushes {path: bytes} as the artifact that Sheaf makes from a bundle. Returns the bytes of the manifest."""
        namespace, slug = repository.split("/")
        assets = [{"logical_path": path, "asset_type": "other", "content_sha256": digest_of(content)[7:],
                   "size": len(content), "media_type": "application/octet-stream"}
                  for path, content in sorted(files.items())]
        config = json.dumps({"namespace": namespace, "slug": slug, "version": version, "name": slug,
                             "assets": assets}).encode()
        layers = [{"mediaType": "application/octet-stream", "digest": self.put_blob(repository, content),
                   "size": len(content), "annotations": {"org.opencontainers.image.title": path}}
                  for path, content in sorted(files.items())]
        manifest = json.dumps({
            "schemaVersion": 2, "mediaType": MANIFEST, "artifactType": BUNDLE,
            "config": {"mediaType": CONFIG, "digest": self.put_blob(repository, config), "size": len(config)},
            "layers": layers}).encode()
        self.send("PUT", f"/v2/{repository}/manifests/{version}", manifest, Content_Type=MANIFEST)
        return manifest

    def push_json(self, repository, version, files, visibility="private"):
        """Sheaf's own push: the whole bundle in one request."""
        namespace, slug = repository.split("/")
        body = json.dumps({
            "slug": slug, "name": slug, "visibility": visibility, "version": version,
            "manifest": [{"logicalPath": path, "assetType": "other", "contentText": content.decode()}
                         for path, content in sorted(files.items())]}).encode()
        self.send("POST", f"/v1/namespaces/{namespace}/bundles/{slug}:push", body, Content_Type="application/json")


def digest_of(content):
    return "sha256:" + hashlib.sha256(content).hexdigest()


class Releases:
    """Successive versions of one bundle. Each changes some of its files, by default one."""

    def __init__(self, repository, files, changed=1):
        self.repository, self.files, self.minor = repository, files, 0
        self.changed = sorted(files)[:changed]

    def next(self):
        self.minor += 1
        note = f"\nRelease {self.minor}\n".encode()
        return f"1.{self.minor}.0", {**self.files, **{path: self.files[path] + note for path in self.changed}}


def push_load(server, releases, seconds, as_json):
    """Pushes one release after another over one connection: as one JSON request, or as an OCI client does."""
    connection = Connection(server)
    push = connection.push_json if as_json else connection.push_oci
    return sample(server, seconds, 0, lambda: push(releases.repository, *releases.next()))
