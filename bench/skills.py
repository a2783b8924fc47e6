#!/usr/bin/env python3
"""Measures the cost of skill archives compared with blobs of the same bytes, and of indexes and git's names.

    bench/skills.py [--out docs/benchmarks-features.md]

Starts its own server on core 0 and stops it; the load is wrk on core 1, over loopback.
"""

import argparse
import base64
import datetime
import json
import os
import pathlib
import random
import statistics
import tempfile

import parts
from load import Connection, digest_of, read_load
from servers import start_sheaf

SECONDS = int(os.environ.get("BENCH_SECONDS", "3"))
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "5"))
SIZES = {"4 KiB in 3 files": [1 << 11, 1 << 10, 1 << 10], "64 KiB in 10 files": [6_500] * 10,
         "1 MiB in 20 files": [52_000] * 20, "10 MiB in 40 files": [262_144] * 40}


def push(connection, bundle, files):
    namespace, slug = bundle.split("/")
    manifest = [{"logicalPath": path, "contentBase64": base64.b64encode(content).decode()} for path, content in files.items()]
    connection.send("POST", f"/v1/namespaces/{namespace}/bundles/{slug}:push", json.dumps(
        {"name": slug, "visibility": "public", "version": "1.0.0", "manifest": manifest}).encode(),
        Content_Type="application/json")


def seed(connection):
    """Publishes content. Returns the requests: {case: (path, bytes of the answer)}."""
    noise, asked = random.Random(4), {}
    for number, (label, sizes) in enumerate(SIZES.items()):
        text = b"---\nname: kit%d\ndescription: Measured.\n---\n" % number
        files = {"SKILL.md": text + b"x" * (sizes[0] - len(text))}
        files |= {f"references/{i}.bin": noise.randbytes(size) for i, size in enumerate(sizes[1:])}
        push(connection, f"bench/kit{number}", files)
        path = f"/bench/kit{number}@1.0.0/.well-known/agent-skills/kit{number}.tar.gz"
        archive = connection.send("GET", path)[1]
        push(connection, f"bench/blob{number}", {"SKILL.md": b"x", "archive": archive})
        asked[f"archive of {label}"] = (path, len(archive))
        asked[f"blob of {label}"] = (f"/v2/bench/blob{number}/blobs/{digest_of(archive)}", len(archive))
    for name, path in {"index of a version": "/bench/kit1@1.0.0/.well-known/agent-skills/index.json",
                       "index of the latest": "/bench/kit1/.well-known/agent-skills/index.json",
                       "git: names, version 0": "/bench/kit1.git/info/refs?service=git-upload-pack"}.items():
        asked[name] = (path, len(connection.send("GET", path)[1]))
    return asked


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--out")
    given = arguments.parse_args()
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        server = start_sheaf(folder)
        try:
            asked = seed(Connection(server))
            server.headers = {}  # all of it is public
            taken = {case: [] for case in asked}
            for turn in range(ROUNDS + 1):
                for case, (path, size) in asked.items():
                    sample = read_load(server, path, SECONDS, {}, size)
                    if turn:
                        taken[case].append(sample.cpu_micros)
        finally:
            server.stop()
    lines = ["| Case | bytes | CPU µs/request, median | lowest | divided by the blob |", "|---|--:|--:|--:|--:|"]
    for case, (_, size) in asked.items():
        median, least = statistics.median(taken[case]), min(taken[case])
        blob = taken.get(case.replace("archive of", "blob of"))
        over = f"{median / statistics.median(blob):.2f}" if case.startswith("archive") else ""
        lines.append(f"| {case} | {size:,} | {median:,.0f} | {least:,.0f} | {over} |")
    table = "\n".join(lines) + "\n"
    print(table)
    if given.out:
        out = pathlib.Path(given.out)
        out.write_text(parts.put(out.read_text(), "skills", f"""## Skills without our client

Made by `make bench-skills` on {datetime.date.today()}, with a load of {load:.1f} before: the server on core 0, wrk with 8 connections on core 1,
{ROUNDS} rounds of {SECONDS} s for each line in turn after a warm-up, public content without credentials. An archive is assembled from its
files and cached for a few minutes, in memory (up to 128 KiB) or on disk. The blob has the same bytes.

{table}"""))


if __name__ == "__main__":
    main()
