"""The parts of docs/benchmarks.md that a command of its own writes, between markers, and that `make bench` leaves alone."""

import re

NAMES = ("start", "scale", "skills", "mcp", "commit", "idle", "webhooks", "webhooks-postgresql", "queues",
         "queues-postgresql")


def _marked(name, text):
    return f"<!-- {name} -->\n{text.rstrip()}\n<!-- /{name} -->\n"


def _find(page, name):
    found = re.search(f"<!-- {name} -->\n.*?<!-- /{name} -->\n", page, re.S)
    return found.group(0) if found else ""


def all_of(page):
    """All parts with their markers, in their order; "" where there are none."""
    return "\n".join(part for part in (_find(page, name) for name in NAMES) if part)


def put(page, name, text):
    """The page with this as that part, at the end where it has none."""
    part, old = _marked(name, text), _find(page, name)
    return page.replace(old, part) if old else page.rstrip() + "\n\n" + part
