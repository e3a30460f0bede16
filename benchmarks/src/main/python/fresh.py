# SPDX-License-Identifier: Apache-2.0
"""Compares what a program pays that has just been started; ./benchmark fresh runs it.

Each step of each system has programs of its own, all systems in turn in an order that moves on with every round. A system
is Fiber over a transport, Python's multiprocessing (spawn), or a plain pool: as little as a JVM permits, over the same transport as Fiber.
Before the first round each of them runs once, so that archives of classes are there and files are in memory.
"""

import argparse
import json
import pathlib
import statistics
import sys
import tempfile
import time

import chart
from overhead import Program, cpu_seconds

HERE = pathlib.Path(__file__).parent
STEPS = {
    "start": "pool of 5, to its first results",
    "separate": "100,000 empty tasks, chunk size 1",
    "default": "100,000 empty tasks, default call",
    "naps": "5,000 tasks of 1 ms in one map",
    "rounds": "1,000 rounds of 5 tasks of 1 ms",
}
PLAIN = {"fiber/aeron": "plain/aeron", "fiber/socket": "plain/socket"}


def commands(java, class_path, directory):
    program = ["-cp", class_path, "io.fiber.benchmarks.fresh.FreshProgram"]
    archives = {kind: f"-Dplain.archive={directory}/{kind}.jsa" for kind in ("aeron", "sockets")}
    opened = ["--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED"]
    return {
        "fiber/aeron": [java, "-Dfiber.transport=aeron", *program, "fiber"],
        "fiber/socket": [java, "-Dfiber.transport=socket", *program, "fiber"],
        "multiprocessing": [sys.executable, str(HERE / "fresh_peer.py")],
        "plain/aeron": [java, *opened, archives["aeron"], *program, "aeron"],
        "plain/socket": [java, *opened, archives["sockets"], *program, "sockets"],
    }


def run(system, command, step):
    """Runs a step in a program of its own; returns seconds and processor time of the step, and of the whole program."""
    begin = time.perf_counter()
    program = Program(system, command + [step])
    try:
        booted = cpu_seconds(program.process.pid)
        (seconds,), _ = program.run("start")
        if step != "start":
            (seconds,), cpu = program.run("step")
        whole_cpu = program.end()
        whole = time.perf_counter() - begin
        # Some workers may still be starting when the first results are there.
        return seconds, whole_cpu - booted if step == "start" else cpu, whole, whole_cpu
    finally:
        program.stop()


def figures(rounds, systems):
    for system, command in systems.items():
        # An archive takes a program of some seconds.
        run(system, command, "rounds")
    found = {}
    names = list(systems)
    for number in range(rounds):
        first = number % len(names)
        for step in STEPS:
            for system in names[first:] + names[:first]:
                row = run(system, systems[system], step)
                found.setdefault((step, system), []).append(row)
                values = dict(zip(("seconds", "cpu_s", "whole_s", "whole_cpu_s"), (round(value, 4) for value in row)))
                print(json.dumps({"step": step, "system": system, **values}), flush=True)
    return {key: [statistics.median(column) for column in zip(*rows)] for key, rows in found.items()}


def plot(file, medians, systems):
    """Writes a chart of all systems."""
    panels = [chart.Panel(title, {system: medians[step, system][:2] for system in systems}) for step, title in STEPS.items()]
    file.write_text(chart.bars(panels, ("time, s", "processor time, s")))


def main():
    parser = argparse.ArgumentParser(prog="./benchmark fresh", description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help="at least 3, default 5")
    parser.add_argument("--plot", metavar="FILE", help="where to write a picture of the medians (SVG)")
    parser.add_argument("--java", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--class-path", required=True, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.rounds < 3:
        parser.error(f"--rounds is {arguments.rounds}; expected at least 3")

    with tempfile.TemporaryDirectory() as directory:
        systems = commands(arguments.java, arguments.class_path, directory)
        medians = figures(arguments.rounds, systems)
    for step in STEPS:
        for system, plain in PLAIN.items():
            for other in ("multiprocessing", plain):
                ratios = [round(a / b, 2) if b else None for a, b in zip(medians[step, system], medians[step, other])]
                names = ("ratio", "cpu_ratio", "whole_ratio", "whole_cpu_ratio")
                print(json.dumps({"step": step, "system": system, "beside": other, **dict(zip(names, ratios))}), flush=True)
    if arguments.plot:
        plot(pathlib.Path(arguments.plot), medians, systems)


if __name__ == "__main__":
    main()
