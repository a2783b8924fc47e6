"""The part of docs/benchmarks.md that `make scale` writes, and that `make bench` leaves alone."""

BEGIN, END = "<!-- scale -->\n", "<!-- /scale -->\n"


def of(page):
    """The part with its markers; "" where there is none."""
    begin, end = page.find(BEGIN), page.find(END)
    return page[begin : end + len(END)] if 0 <= begin < end else ""


def put(page, text):
    """The page with this as its part, at the end where it has none."""
    part, old = BEGIN + text.rstrip() + "\n" + END, of(page)
    return page.replace(old, part) if old else page.rstrip() + "\n\n" + part
