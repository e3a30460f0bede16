# SPDX-License-Identifier: Apache-2.0
"""Shows what the master of many workers does in time, in virtual time; ./benchmark scale runs it.

The measurements are those of io.fiber.runtime.simulation.Scale, one JSON line each; the table and the picture show medians.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys

import chart

WORKERS = (32, 128, 512, 1024, 2048, 4096)
CALLS = ("default", "separate")
PAPER_S = {32: 1478, 128: 463, 512: 245, 1024: 245}
"""What Fiber's own paper gives for 50 iterations of evolution strategies with a population of 2,048."""


def measure(command):
    """Passes on each line as it comes; returns all of them."""
    found = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
        for line in program.stdout:
            print(line, end="", flush=True)
            found.append(json.loads(line))
    if program.returncode:
        sys.exit(program.returncode)
    return found


def medians(lines):
    """Returns the median of each figure of the maps, by task, call and workers."""
    rounds = {}
    for line in lines:
        if line["test"] == "map":
            rounds.setdefault((line["task_ms"], line["call"], line["workers"]), []).append(line)
    figures = ("efficiency", "conductor_us_a_task", "caller_us_a_task", "conductor_busy")
    return {key: {name: statistics.median(row[name] for row in rows) for name in figures} for key, rows in rounds.items()}


def table(lines, maps, workers):
    print("\n| task | call |", " | ".join(f"{count:,} workers" for count in workers), "|")
    print("|---|---|" + "---|" * len(workers))
    for task_ms in sorted({task_ms for task_ms, _, _ in maps}):
        for call in CALLS:
            row = [maps[task_ms, call, count] for count in workers]
            cells = [
                f"{each['efficiency']:.3f}/{each['conductor_us_a_task']:.1f}/{each['conductor_busy']:.0%}" for each in row
            ]
            print(f"| {task_ms} ms | {call} |", " | ".join(cells), "|")
    for title, test, cell in (
        ("start, s", "start", lambda line: f"{line['seconds']:.2f}, {line['conductor_s']:.2f} of the conductor"),
        ("heap, bytes a worker", "memory", lambda line: f"{line['heap_bytes_each']:,}"),
    ):
        print(f"| {title} | |", " | ".join(cell(line) for line in lines if line["test"] == test), "|")
    print("\n| workers | seconds | ideal | efficiency | Fiber's paper, s |")
    print("|---|---|---|---|---|")
    for line in lines:
        if line["test"] == "evolution":
            count = line["workers"]
            shown = (f"{count:,}", f"{line['seconds']:.1f}", f"{line['ideal_s']:.1f}", f"{line['efficiency']:.3f}")
            print("|", " | ".join((*shown, str(PAPER_S.get(count, "")))), "|")


def picture(maps, workers):
    panels = []
    for task_ms in sorted({task_ms for task_ms, _, _ in maps}):
        rows = {}
        for call in CALLS:
            for count in workers:
                each = maps[task_ms, call, count]
                rows[f"{call}/{count}"] = [each["efficiency"], each["conductor_us_a_task"]]
        panels.append(chart.Panel(f"tasks of {task_ms} ms", rows))
    return chart.bars(panels, ("efficiency", "conductor, µs a task"))


def main():
    parser = argparse.ArgumentParser(prog="./benchmark scale", description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3, help="of each map, default 3")
    parser.add_argument("--workers", type=int, nargs="+", default=WORKERS, metavar="N", help="how many workers, each in turn")
    parser.add_argument("--plot", metavar="FILE", help="where to write a picture of the medians (SVG)")
    parser.add_argument("--java", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--class-path", required=True, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.rounds < 1:
        parser.error(f"--rounds is {arguments.rounds}; expected at least 1")
    if min(arguments.workers) < 1:
        parser.error(f"--workers has {min(arguments.workers)}; expected at least 1")

    jvm = [arguments.java, "-Xmx3g", "-XX:+UseSerialGC", "--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED"]
    numbers = [str(number) for number in (arguments.rounds, *arguments.workers)]
    lines = measure([*jvm, "-cp", arguments.class_path, "io.fiber.runtime.simulation.Scale", *numbers])
    maps = medians(lines)
    table(lines, maps, arguments.workers)
    if arguments.plot:
        pathlib.Path(arguments.plot).write_text(picture(maps, arguments.workers))


if __name__ == "__main__":
    main()
