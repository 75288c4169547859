#!/usr/bin/env python3
"""Breaks a source in small ways, one at a time, and looks whether its tests notice.

usage: mutate.py <build directory> <test target> <source> [--filter FILTER] [--count N] [--seed N]

Each mutant is one operator or constant of one line. The test program is built anew with it and run; a mutant that does
not compile does not count, one that the tests let through is printed. The source is restored in the end.
"""
import argparse
import pathlib
import random
import re
import subprocess
import sys

SWAPS = [
    (r"(?<![<>=!+\-*/&|])==(?!=)", "!="),
    (r"!=", "=="),
    (r"(?<![<\-])<=", "<"),
    (r"(?<![>\-])>=", ">"),
    (r" < ", " <= "),
    (r" > ", " >= "),
    (r"&&", "||"),
    (r"\|\|", "&&"),
    (r" \+ ", " - "),
    (r" - ", " + "),
    (r"\+\+", "--"),
    (r"\+= ", "-= "),
    (r"\btrue\b", "false"),
    (r"\bfalse\b", "true"),
    (r"(?<![\w.'x])0(?![\w.'x])", "1"),
    (r"(?<![\w.'x])1(?![\w.'x])", "2"),
    (r"\bif \((?!!)", "if (!"),
    (r"\bcontinue;", ";"),
]


def mutants_of(text):
    """Every (line number, line as it would be) that is worth a try."""
    for number, line in enumerate(text.splitlines()):
        code = line.split("//")[0]
        if not code.strip() or re.match(r"\s*(#|namespace|template|static_assert|using|///)", code):
            continue
        for pattern, replacement in SWAPS:
            for match in re.finditer(pattern, code):
                quotes = code[: match.start()].count('"')
                if quotes % 2 == 0:
                    yield number, line[: match.start()] + replacement + line[match.end() :]


def verdict(arguments):
    """What becomes of the mutant that is on the disk: "killed", "survived", or nothing where it does not compile."""
    build = ["cmake", "--build", arguments.build, "--target", arguments.target, "-j2"]
    if subprocess.run(build, capture_output=True, check=False).returncode != 0:
        return None
    program = next(pathlib.Path(arguments.build, "tests").glob(f"*/{arguments.target}"))
    try:
        tests = [str(program), *([arguments.filter] if arguments.filter else [])]
        run = subprocess.run(tests, capture_output=True, check=False, timeout=120)
    except subprocess.TimeoutExpired:
        return "killed"
    return "survived" if run.returncode == 0 else "killed"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("target")
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("--filter", help="which tests to run, in Catch2's words")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()

    original = arguments.source.read_text()
    lines = original.splitlines()
    mutants = list(mutants_of(original))
    random.Random(arguments.seed).shuffle(mutants)
    killed, survived = 0, 0
    try:
        for number, mutated in mutants:
            if killed + survived == arguments.count:
                break
            arguments.source.write_text("\n".join(lines[:number] + [mutated] + lines[number + 1 :]) + "\n")
            found = verdict(arguments)
            killed += found == "killed"
            survived += found == "survived"
            if found == "survived":
                print(f"{arguments.source}:{number + 1}: survived\n  - {lines[number].strip()}\n  + {mutated.strip()}", flush=True)
    finally:
        arguments.source.write_text(original)
    print(f"{arguments.source}: {killed} of {killed + survived} mutants killed")
    sys.exit(killed + survived == 0)


main()
