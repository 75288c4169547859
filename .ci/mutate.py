#!/usr/bin/env python3
"""Breaks a source in small ways, one at a time, and looks whether its tests notice.

usage: mutate.py <build directory> <test target> <source> [--filter FILTER] [--count N] [--seed N]

Each mutant is one operator or constant of one line. The test program is built anew with it and run; a mutant that does
not compile does not count, one that the tests let through is printed. The source is restored in the end. Tests that
fail or take very long without a mutant would say nothing, so they are run and timed first.
"""
import argparse
import pathlib
import random
import re
import resource
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


def build(arguments):
    command = ["cmake", "--build", arguments.build, "--target", arguments.target, "-j2"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def passes(arguments, seconds):
    """Whether the tests pass within so much time of a processor."""

    def bound():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        # A mutant that never stops asking for memory leaves some to the machine.
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))

    program = next(pathlib.Path(arguments.build, "tests").glob(f"*/{arguments.target}"))
    tests = [str(program), "--abort", *([arguments.filter] if arguments.filter else [])]
    try:
        run = subprocess.run(tests, capture_output=True, check=False, timeout=300, preexec_fn=bound)
    except subprocess.TimeoutExpired:
        return False
    return run.returncode == 0


def verdict(arguments, seconds):
    """What becomes of the mutant that is on the disk: "killed", "survived", or nothing where it does not compile."""
    if not build(arguments):
        return None
    return "survived" if passes(arguments, seconds) else "killed"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("target")
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("--filter", help="which tests to run, in Catch2's words")
    parser.add_argument("--count", type=int, default=20, help="how many mutants; 0: all")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()

    if not build(arguments):
        sys.exit("the tests cannot be built")
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    if not passes(arguments, seconds=300):
        sys.exit("the tests fail without a mutant")
    seconds = 5 + round(3 * (resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before))

    original = arguments.source.read_text()
    lines = original.splitlines()
    mutants = list(mutants_of(original))
    random.Random(arguments.seed).shuffle(mutants)
    killed, survived = 0, 0
    try:
        for number, mutated in mutants:
            if arguments.count and killed + survived == arguments.count:
                break
            arguments.source.write_text("\n".join(lines[:number] + [mutated] + lines[number + 1 :]) + "\n")
            found = verdict(arguments, seconds)
            killed += found == "killed"
            survived += found == "survived"
            if found == "survived":
                print(f"{arguments.source}:{number + 1}: survived\n  - {lines[number].strip()}\n  + {mutated.strip()}", flush=True)
    finally:
        arguments.source.write_text(original)
    print(f"{arguments.source}: {killed} of {killed + survived} mutants killed")
    sys.exit(killed + survived == 0)


main()
