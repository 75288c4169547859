#!/usr/bin/env python3
"""Reads a public header or a page of docs/ for Doxygen.

Doxygen wants every name to have a comment of its own. The headers say what is worth saying where it stands. Four habits
of theirs are made explicit here:
 - a comment belongs to the functions and types that follow it up to the next blank line, but that of a class to it alone;
 - members carry the wire's names: members.txt says once what each means;
 - making, moving and ending an object needs a comment only where there is something to say;
 - `operator==` compares everything, a member begins empty, and a type's namespace is spelled without its inline version.

The pages are plain Markdown. Doxygen finds names such as `inferwire::Error` in them by itself; it needs help with links
to headings, and with the order of the pages.
"""
import pathlib
import re
import sys

STRUCT = re.compile(r"^\s*(?:struct|class)\s+(?:INFERWIRE_API\s+|\[\[nodiscard[^\]]*\]\]\s+)?(\w+)[^;]*$")
VARIABLE = re.compile(r"^\s+(?:static constexpr )?[\w:][\w:<>,*& ]* \*?(\w+)(?:\{.*\}| = .*)?;\s*(?://(?!/).*)?$")
EMPTY = re.compile(r"^(\s+[\w:][\w:<>,*& ]* \*?\w+)\{\};")
FUNCTION = re.compile(r"^\s*(?!return|if|for|while|friend|using|static_assert|throw|typedef)(?:[\w:\[][^;=()]*?[ &*])??"
                      r"(operator\W{1,3}|operator [\w:<>& ]+|~?\w+)\(")
TYPE = re.compile(r"^\s*(?:using (\w+) =|enum class (\w+)|(?:struct|class) (?:INFERWIRE_API )?(\w+)[^;]*$)")


def glossary():
    """What members.txt says: a name, or Struct::name, to a sentence."""
    lines = (pathlib.Path(__file__).parent / "members.txt").read_text().splitlines()
    return dict(line.split(": ", 1) for line in lines if line and not line.startswith("#"))


def declared_at(lines, number):
    """The line that declares what a template is, behind its `template` and `requires`."""
    return next(line for line in lines[number:] if not line.strip().startswith(("template", "requires")))


def without_comparisons(lines):
    """The lines without `operator==`, its `template` and its body; blank ones take their place."""
    lines = list(lines)
    for first in (number for number, line in enumerate(lines) if "friend bool operator==" in line):
        last = first
        while "{" in lines[first] and "}" not in lines[last]:
            last += 1
        while lines[first - 1].strip().startswith(("template", "requires")):
            first -= 1
        lines[first : last + 1] = [""] * (last + 1 - first)
    return lines


class Reader:
    """Goes through the lines of a header and gives each declaration its comment."""

    def __init__(self):
        self.words = glossary()
        self.structs = []  # the names of the structs that are open, and the depth at which each was opened
        self.depth = 0
        self.block = []  # the comment that stands above what comes
        self.shared = []  # the comment of the declarations since the last blank line
        self.continued = False  # within a declaration of several lines

    def at_declarations(self):
        """Whether a line is among declarations, and not in a function or an expression."""
        inside = self.structs[-1][1] + 1 if self.structs else self.depth_of_namespaces
        return self.depth == inside and not self.continued

    def lookup(self, name):
        for struct, _ in reversed(self.structs):
            if f"{struct}::{name}" in self.words:
                return self.words[f"{struct}::{name}"]
        return self.words.get(name)

    def comment_for(self, line):
        if variable := VARIABLE.match(line):
            name = variable.group(1)
            return [f"/// {text}"] if (text := self.lookup(name)) else []
        if function := FUNCTION.match(line):
            name = function.group(1)
            if text := self.lookup(name + "()"):
                return [f"/// {text}"]
            return self.usual_comment(name, line) or self.shared
        if kind := TYPE.match(line):
            if text := self.lookup(next(name for name in kind.groups() if name)):
                return [f"/// {text}"]
            return self.shared if kind.group(1) else []
        return []

    def usual_comment(self, name, line):
        """What there is to say of a constructor or a destructor that has no comment of its own."""
        struct = self.structs[-1][0] if self.structs else ""
        if name == "~" + struct:
            return ["/// Lets go of what it holds."]
        if name != struct:
            return []
        if f"({struct}&&" in line:
            return ["/// Takes what the other has."]
        if f"(const {struct}&" in line:
            return ["/// Not to be copied." if "= delete" in line else "/// A copy."]
        return [] if self.shared else ["/// Makes one."]

    def read(self, text):
        self.depth_of_namespaces = 0
        lines = without_comparisons(text.splitlines())
        for number, line in enumerate(lines):
            line = line.replace("inferwire::inline v0_1", "inferwire")
            stripped = line.strip()
            if stripped.startswith(("friend class", "friend struct")):
                line = stripped = ""
            if not stripped:
                self.block, self.shared = [], []
            elif stripped.startswith("///") and not self.continued:
                self.block.append(stripped)
            elif macro := re.match(r"#define (\w+)", stripped):
                if not self.block and macro.group(1) in self.words:
                    yield f"/// {self.words[macro.group(1)]}"
                self.block = []
            elif not stripped.startswith(("//", "#")):
                if self.at_declarations() and not stripped.startswith(("}", "public:", "private:", "requires")):
                    if self.block:
                        self.shared = [] if STRUCT.match(line) else self.block
                        if not stripped.startswith("template"):  # it is that of what the template declares
                            self.block = []
                    elif stripped.startswith("template"):  # its comment stands before it
                        self.block = list(self.comment_for(declared_at(lines, number)))
                        yield from self.block
                    elif "///<" not in line:
                        yield from self.comment_for(line)
                    line = EMPTY.sub(r"\1;", line)
                self.follow(line, stripped)
            yield line

    def follow(self, line, stripped):
        """Keeps count of what is open after this line."""
        code = re.sub(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|//.*', "", line)
        struct = STRUCT.match(code)
        if struct and "{" in code and code.count("{") > code.count("}"):
            self.structs.append((struct.group(1), self.depth))
        if re.match(r"^(inline )?namespace .*\{", stripped):
            self.depth_of_namespaces += 1
        self.depth += code.count("{") - code.count("}")
        while self.structs and self.depth <= self.structs[-1][1]:
            self.structs.pop()
        self.depth_of_namespaces = min(self.depth_of_namespaces, self.depth)
        end = code.rstrip()
        self.continued = bool(end) and not end.endswith((";", "{", "}", ":")) and not stripped.startswith(("template", "requires"))


LINK = re.compile(r"\[([^\]]+)\]\((?=[^)])(?:([\w-]+)\.md)?(?:#([\w-]+))?\)")


def page(path):
    """A page whose title and headings have names, and whose links lead to names; those of the index order the site."""

    def named(heading):
        level, title = heading.groups()
        place = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")  # as in check_links.py
        if path.stem == "index":  # its other headings are no part of the tree of pages
            return f"# {title} {{#mainpage}}" if level == "#" else f"<h2>{title}</h2>"
        return f"{level} {title} {{#{path.stem if level == '#' else f'{path.stem}-{place}'}}}"

    def linked(link):
        text, target, place = link.groups()
        text = " ".join(text.split())  # Doxygen would cut it at the end of a line
        name = (target or path.stem) + (f"-{place}" if place else "")
        return f'@subpage {name} "{text}"' if path.stem == "index" else f"[{text}](@ref {name})"

    parts = re.split(r"(^```.*?^```$)", path.read_text(), flags=re.M | re.S)
    parts[::2] = [LINK.sub(linked, re.sub(r"^(#+) (.*)$", named, part, flags=re.M)) for part in parts[::2]]
    return "".join(parts)


source = pathlib.Path(sys.argv[1])
print(page(source) if source.suffix == ".md" else "\n".join(Reader().read(source.read_text())))
