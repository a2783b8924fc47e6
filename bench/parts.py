"""The parts of docs/benchmarks.md and docs/benchmarks-features.md, between markers. Each is written by its own command."""

import re

# The beginning of the second page, if it does not exist.
FEATURES = "# Benchmarks of features\n"
NAMES = ("start", "scale", "skills", "mcp", "commit", "idle", "webhooks", "webhooks-postgresql", "queues",
         "queues-postgresql")


def _marked(name, text):
    return f"<!-- {name} -->\n{text.rstrip()}\n<!-- /{name} -->\n"


def _find(page, name):
    found = re.search(f"<!-- {name} -->\n.*?<!-- /{name} -->\n", page, re.S)
    return found.group(0) if found else ""


def all_of(page):
    """Returns all parts with their markers, in order; "" if there are none."""
    return "\n".join(part for part in (_find(page, name) for name in NAMES) if part)


def put(page, name, text):
    """Returns the page with the part replaced, or appended if the page does not have it."""
    part, old = _marked(name, text), _find(page, name)
    return page.replace(old, part) if old else page.rstrip() + "\n\n" + part


def by_size(lines):
    """Turns rows `| request | bundles | SQLite median | p95 | PostgreSQL median | p95 |` into one row for each request."""
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines if not line.startswith("|---")][1:]
    sizes = list(dict.fromkeys(row[1] for row in rows))
    found = {}
    for request, size, *times in rows:
        found.setdefault(request, {})[size] = (", ".join(times[:2]), ", ".join(times[2:]))
    heads = [f"{name}: {size}" if size == sizes[0] else size for name in ("SQLite", "PostgreSQL") for size in sizes]
    text = [f"| Request | {' | '.join(heads)} |", "|---" + "|--:" * len(heads) + "|"]
    for request, times in found.items():
        cells = [times[size][engine] if size in times else "" for engine in (0, 1) for size in sizes]
        text.append(f"| {request} | {' | '.join(cells)} |")
    return "\n".join(text) + "\n"
