# SPDX-License-Identifier: Apache-2.0
"""Compares the default map over a list in Fiber and in Python's multiprocessing; ./benchmark lists runs it.

Each system gets fresh programs, in alternating order; in each, all workers have started before the first of three rounds.
One more program of Fiber counts the chunks of its rounds with the flight recorder.
"""

import argparse
import json
import pathlib
import statistics
import sys

from items import MAKE
from overhead import Program

KINDS = [kind for kind in MAKE if kind != "range"]
ROUNDS = 3
HERE = pathlib.Path(__file__).parent


def fresh(system, command):
    """Runs a program; returns what it answered in its rounds."""
    program = Program(system, command)
    try:
        rounds = [program.run("map")[0][0] for _ in range(ROUNDS)]
        program.end()
        return rounds
    finally:
        program.stop()


def main():
    parser = argparse.ArgumentParser(prog="./benchmark lists", description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=int, default=5, help="how many of each system; at least 3, default 5")
    parser.add_argument("--java", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--class-path", required=True, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.programs < 3:
        parser.error(f"--programs is {arguments.programs}; expected at least 3")

    commands = {
        "fiber": [arguments.java, "-cp", arguments.class_path, "io.fiber.benchmarks.ListsProgram"],
        "multiprocessing": [sys.executable, str(HERE / "lists_peer.py")],
    }
    for kind in KINDS:
        seconds = {system: [] for system in commands}
        for number in range(arguments.programs):
            order = list(commands) if number % 2 == 0 else list(reversed(commands))
            for system in order:
                rounds = fresh(system, commands[system] + [kind])
                seconds[system].append(rounds)
                print(json.dumps({"items": kind, "system": system, "seconds": rounds}), flush=True)
        counts = fresh("fiber", commands["fiber"] + [kind, "chunks"])
        print(json.dumps({"items": kind, "chunks": [int(count) for count in counts]}), flush=True)
        for number in range(ROUNDS):
            ours, theirs = (
                statistics.median(rounds[number] for rounds in seconds[system]) for system in commands
            )
            line = {"items": kind, "round": number + 1, "fiber_s": ours, "multiprocessing_s": theirs}
            print(json.dumps({**line, "ratio": round(ours / theirs, 2)}), flush=True)


if __name__ == "__main__":
    main()
