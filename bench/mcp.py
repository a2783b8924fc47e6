#!/usr/bin/env python3
"""Measures the cost of requests of the Model Context Protocol on a server with 10,000 bundles.

    bench/mcp.py [--out docs/benchmarks-features.md] [--bundles 10000]

Starts its own server on core 0 and stops it; the load is wrk on core 1, over loopback.
"""

import argparse
import datetime
import json
import os
import pathlib
import statistics
import tempfile

import parts
from load import Connection, read_load
from servers import start_sheaf

SECONDS = int(os.environ.get("BENCH_SECONDS", "3"))
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "5"))
SKILLS = 1_000
WORDS = "agent browser chart data email figure graph html index json key list mail note office page query report sheet table".split()


def skill(name, text):
    return f"---\nname: {name}\ndescription: What {name} is for, with {text}.\n---\n{text}\n"


def push(connection, bundle, files):
    namespace, slug = bundle.split("/")
    manifest = [{"logicalPath": path, "contentText": text} for path, text in files.items()]
    connection.send("POST", f"/v1/namespaces/{namespace}/bundles/{slug}:push", json.dumps(
        {"name": slug, "visibility": "public", "version": "1.0.0", "manifest": manifest}).encode(),
        Content_Type="application/json")


def seed(connection, bundles):
    files = {f"s/skill-{i:04}/SKILL.md": skill(f"skill-{i:04}", "text") for i in range(SKILLS)}
    push(connection, "bench/kit", files | {"large.md": 'A line of text, with "quotes".\n' * 2_000, "small.md": "Short.\n"})
    for i in range(bundles):
        text = f"pdf {WORDS[i % len(WORDS)]} {WORDS[i * 7 % len(WORDS)]}" + (" unicorn" if i % 500 == 0 else "")
        push(connection, f"crowd/b{i}", {"SKILL.md": skill(f"b{i}", text)})


def call(name, **arguments):
    return "/mcp", "tools/call", {"name": name, "arguments": arguments}


CASES = {
    "search_bundles: a rare word": call("search_bundles", query="unicorn"),
    "search_bundles: two words": call("search_bundles", query="chart office"),
    "search_bundles: a word in all": call("search_bundles", query="pdf"),
    "search_bundles: the name of one": call("search_bundles", query="b17"),
    "read_file: 7 bytes": call("read_file", bundle="bench/kit", path="small.md"),
    "read_file: 62 kB": call("read_file", bundle="bench/kit", path="large.md"),
    "resources/read: a SKILL.md": ("/mcp/bench/kit", "resources/read",
                                   {"uri": "skill://bench/kit@1.0.0/skill-0007/SKILL.md"}),
    "skills/list: the first page, 100 of 1,000": ("/mcp/bench/kit", "skills/list", {}),
    "skills/list: 100 bundles of a namespace": ("/mcp/crowd", "skills/list", {}),
    "get_bundle: 1,000 skills": call("get_bundle", bundle="bench/kit"),
    "tools/list": ("/mcp", "tools/list", {}),
}


def body(method, params):
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})


def whole_list(connection):
    """Reads all pages of the 1,000 skills, one after the other."""
    cursor, seen = {}, 0
    while True:
        page = json.loads(connection.send("POST", "/mcp/bench/kit", body("skills/list", cursor).encode(),
                                          Content_Type="application/json")[1])["result"]
        seen += len(page["skills"])
        if "nextCursor" not in page:
            break
        cursor = {"cursor": page["nextCursor"]}
    if seen != SKILLS:
        raise SystemExit(f"bench: a list of {seen} skills")


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--out")
    arguments.add_argument("--bundles", type=int, default=10_000)
    given = arguments.parse_args()
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        server = start_sheaf(folder)
        try:
            connection = Connection(server)
            seed(connection, given.bundles)
            server.headers = {}  # all of it is public
            taken, sizes = {case: [] for case in CASES}, {}
            for turn in range(ROUNDS + 1):
                for case, (path, method, params) in CASES.items():
                    message = body(method, params)
                    answer = json.loads(connection.send("POST", path, message.encode(),
                                                        Content_Type="application/json")[1])
                    sizes[case] = len(json.dumps(answer))
                    if "result" not in answer or answer["result"].get("isError"):
                        raise SystemExit(f"bench: {case}: {answer}")
                    taken[case].append(read_load(server, path, SECONDS, {}, post=message).cpu_micros)
            whole, times = [], 50
            for _ in range(ROUNDS + 1):
                before = server.cpu_seconds()
                for _ in range(times):
                    whole_list(connection)
                whole.append((server.cpu_seconds() - before) / times * 1e6)
        finally:
            server.stop()
    case = "skills/list: all 1,000, in ten pages"
    taken[case], sizes[case] = whole, None
    lines = ["| Request | bytes | CPU ms, median | highest |", "|---|--:|--:|--:|"]
    for case, micros in taken.items():
        size = f"{sizes[case]:,}" if sizes[case] else ""
        lines.append(f"| {case} | {size} | {statistics.median(micros[1:]) / 1e3:.2f} | {max(micros[1:]) / 1e3:.2f} |")
    table = "\n".join(lines) + "\n"
    print(table)
    if given.out:
        out = pathlib.Path(given.out)
        out.write_text(parts.put(out.read_text(), "mcp", f"""## The Model Context Protocol

Made by `make bench-mcp` on {datetime.date.today()}, with a load of {load:.1f} before: the server on core 0 with {given.bundles:,} bundles on
SQLite, wrk with 8 connections on core 1, {ROUNDS} rounds of {SECONDS} s for each line in turn after a warm-up. The figures are the CPU time of
the server's process per request.

{table}"""))


if __name__ == "__main__":
    main()
