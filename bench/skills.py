#!/usr/bin/env python3
"""Measures the cost of archives, indexes, catalogs, marketplaces and lists that are asked for again, beside blobs of the same bytes.

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
import time

import parts
from load import Connection, digest_of, read_load
from servers import start_sheaf

SECONDS = int(os.environ.get("BENCH_SECONDS", "3"))
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "5"))
SIZES = {"4 KiB in 3 files": [1 << 11, 1 << 10, 1 << 10], "64 KiB in 10 files": [6_500] * 10,
         "1 MiB in 20 files": [52_000] * 20, "10 MiB in 40 files": [262_144] * 40}
OTHERS = {
    "index of a version": "/bench/kit1@1.0.0/.well-known/agent-skills/index.json",
    "index of the latest": "/bench/kit1/.well-known/agent-skills/index.json",
    "list of versions": "/bench/kit1/.well-known/agent-skills/versions.json",
    "plugin of Claude Code": "/bench/kit1/plugin.zip",
    "marketplace": "/bench/marketplace.json",
    "git: names of a bundle": "/bench/kit1.git/info/refs?service=git-upload-pack",
    "git: names of a marketplace": "/bench.git/info/refs?service=git-upload-pack",
    "AI Catalog: the root": "/.well-known/ai-catalog.json",
    "AI Catalog: a namespace": "/ard/catalog/bench",
    "APM: versions": "/apm/v1/packages/bench/kit1/versions",
    "APM: an archive": "/apm/v1/packages/bench/kit1/versions/1.0.0/download",
    "ClawHub: a skill": "/api/v1/skills/kit1?ownerHandle=bench",
    "ClawHub: its versions": "/api/v1/skills/kit1/versions?ownerHandle=bench",
    "ClawHub: its archive": "/api/v1/download?slug=kit1&ownerHandle=bench",
}


def push(connection, bundle, files):
    namespace, slug = bundle.split("/")
    manifest = [{"logicalPath": path, "contentBase64": base64.b64encode(content).decode()} for path, content in files.items()]
    connection.send("POST", f"/v1/namespaces/{namespace}/bundles/{slug}:push", json.dumps(
        {"name": slug, "visibility": "public", "version": "1.0.0", "manifest": manifest}).encode(),
        Content_Type="application/json")


def ask(connection, path):
    """Returns the answer, as soon as what is derived for it is there."""
    while True:
        answer, content = connection.send("GET", path, expect=(200, 503))
        if answer.status == 200:
            return content
        time.sleep(1)


def seed(connection):
    """Publishes content. Returns the requests: {case: (path, path of a blob with the bytes of the answer, how many they are)}."""
    noise, paths, asked = random.Random(4), {}, {}
    for number, (label, sizes) in enumerate(SIZES.items()):
        text = b"---\nname: kit%d\ndescription: Measured.\n---\n" % number
        files = {"SKILL.md": text + b"x" * (sizes[0] - len(text))}
        files |= {f"references/{i}.bin": noise.randbytes(size) for i, size in enumerate(sizes[1:])}
        push(connection, f"bench/kit{number}", files)
        paths[f"archive of {label}"] = f"/bench/kit{number}@1.0.0/.well-known/agent-skills/kit{number}.tar.gz"
    for number, (case, path) in enumerate((paths | OTHERS).items()):
        answer = ask(connection, path)
        push(connection, f"blobs/blob{number}", {"SKILL.md": b"x", "answer": answer})
        asked[case] = (path, f"/v2/blobs/blob{number}/blobs/{digest_of(answer)}", len(answer))
    return asked


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--out")
    given = arguments.parse_args()
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        server = start_sheaf(folder, env={"SHEAF_PUBLIC_URL": "https://sheaf.example", "SHEAF_AI_CATALOG": "true"})
        try:
            asked = seed(Connection(server))
            server.headers = {}  # all of it is public
            taken, blobs = {case: [] for case in asked}, {case: [] for case in asked}
            for turn in range(ROUNDS + 1):
                for case, (path, blob, size) in asked.items():
                    samples = [read_load(server, which, SECONDS, {}, size) for which in (path, blob)]
                    if turn:
                        taken[case].append(samples[0].cpu_micros)
                        blobs[case].append(samples[1].cpu_micros)
        finally:
            server.stop()
    lines = ["| Case | bytes | CPU µs/request, median | lowest | the blob, median | divided by the blob |", "|---|--:|--:|--:|--:|--:|"]
    for case, (_, _, size) in asked.items():
        median, blob = statistics.median(taken[case]), statistics.median(blobs[case])
        lines.append(f"| {case} | {size:,} | {median:,.0f} | {min(taken[case]):,.0f} | {blob:,.0f} | {median / blob:.2f} |")
    table = "\n".join(lines) + "\n"
    print(table)
    if given.out:
        out = pathlib.Path(given.out)
        out.write_text(parts.put(out.read_text(), "skills", f"""## Skills without our client

Made by `make bench-skills` on {datetime.date.today()}, with a load of {load:.1f} before: the server on core 0, wrk with 8 connections on core 1,
{ROUNDS} rounds of {SECONDS} s for each line in turn after a warm-up, public content without credentials. An archive is assembled from its
files and cached for a few minutes, in memory (up to 128 KiB) or on disk. The blob beside each line has the same bytes. What APM and
ClawHub ask for is of the skill with 64 KiB.

{table}"""))


if __name__ == "__main__":
    main()
