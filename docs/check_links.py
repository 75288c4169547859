#!/usr/bin/env python3
"""Follows every link of the pages within this repository, and every link of the site within itself.

A name of the API in backticks (`inferwire::Error`) is a link on the site. The pages are read without the site, too: what
only Doxygen reads has no place in them.

usage: check_links.py <directory of the site> <page.md>...
"""
import html.parser
import pathlib
import re
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    """The links and the places of one page of the site."""

    def __init__(self, text):
        super().__init__()
        self.links, self.places = [], set()
        self.unknown = set(re.findall(r"<code>(inferwire::[\w:]+)", text)) - {"inferwire::inferwire"}  # a CMake target
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.places.update(value for name in ("id", "name") if (value := attrs.get(name)))
        self.links += [attrs[name] for name in ("href", "src") if attrs.get(name)]


def is_outside(link):
    return re.match(r"[a-z]+:|//", link) is not None


def headings(text):
    """The places of a page in Markdown, as they are named where repositories are shown."""
    text = re.sub(r"```.*?```", "", text, flags=re.S)
    titles = re.findall(r"^#+ (.*)$", text, flags=re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def broken_in_site(site):
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in site.glob("**/*.html")}
    for path, page in pages.items():
        yield from (f"{path.name}: {name}: the reference has no such name" for name in page.unknown)
        for link in page.links:
            target, _, place = urllib.parse.unquote(link).partition("#")
            # Doxygen links to a list of nested classes even where all of them are private.
            if is_outside(link) or (not target and place in ("", "nested-classes")):
                continue
            file = (path.parent / target).resolve() if target else path
            if not file.exists():
                yield f"{path.name}: {link}: there is no such file"
            elif place and file in pages and place not in pages[file].places:
                yield f"{path.name}: {link}: there is no such place"


def broken_in_page(path):
    text = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.S)
    yield from (f"{path}: {word}: only Doxygen reads this" for word in re.findall(r"[@\\]\w*(?:ref|page)\b|\{#.*?\}", text))
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        target, _, place = link.partition("#")
        if is_outside(link):
            continue
        file = path.parent / target if target else path
        if not file.exists():
            yield f"{path}: {link}: there is no such file"
        elif place and place not in headings(file.read_text(encoding="utf-8")):
            yield f"{path}: {link}: there is no such heading"


def main():
    site, *pages = map(pathlib.Path, sys.argv[1:])
    site = site.resolve()
    problems = list(broken_in_site(site))
    for page in pages:
        problems += broken_in_page(page)
    print("\n".join(problems) or f"every link of {len(list(site.glob('*.html')))} pages and {len(pages)} texts leads on")
    sys.exit(bool(problems))


main()
